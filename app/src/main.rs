//! The page.
fn main() {
    hopscope_app::page::run();
}
