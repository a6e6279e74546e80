//! The simulation worker.
fn main() {
    hopscope_app::worker::run();
}
