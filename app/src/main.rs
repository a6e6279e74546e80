//! Page and worker are one program, downloaded and compiled once; each part does what its surroundings are for.
fn main() {
    if web_sys::window().is_some() {
        hopscope_app::page::start::run();
    } else {
        hopscope_app::worker::run();
    }
}
