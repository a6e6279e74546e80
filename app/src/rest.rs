//! The rest of the program: what the page does not need until its first scenario runs. `later.txt` says what that is,
//! `xtask/wasm-bindgen/src/parts.rs` cuts it off, `app/static/boot.js` brings it.

use wasm_bindgen::prelude::*;
use web_sys::Worker;

#[wasm_bindgen(js_namespace = hopscope)]
extern "C" {
    fn attach(first: &JsValue);
    /// Has the rest brought; of the page.
    pub fn bring();
    fn start(worker: &Worker, program: &JsValue);
}

/// Makes the rest part of this program. Called, once, by whatever is about to go on in it.
#[wasm_bindgen]
pub fn attach_rest() {
    attach(&wasm_bindgen::exports());
}

/// Starts this program in a worker, and gives it the rest when that is there.
pub fn start_in(worker: &Worker) {
    start(worker, &wasm_bindgen::module());
}
