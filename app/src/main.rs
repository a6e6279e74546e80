//! Page and worker are one program, downloaded and compiled once: with a window it is the page,
//! without one the simulation worker.
fn main() {
    if web_sys::window().is_some() {
        hopscope_app::page::start::run();
    } else {
        hopscope_app::worker::run();
    }
}
