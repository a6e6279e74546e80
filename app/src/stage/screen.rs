//! Bindings to `app/static/draw.js`, which draws the lists of [`super::pen`]. `boot.js` loads it
//! before the page.

use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// A canvas in an element, drawn by a worker where the browser supports that.
    #[wasm_bindgen(js_name = HopscopeScreen)]
    #[derive(Debug)]
    pub type Screen;

    /// Puts a canvas into an element.
    #[wasm_bindgen(constructor, js_class = HopscopeScreen)]
    pub fn new(place: &Element) -> Screen;

    /// True if the last list is drawn, so that the next can be shown.
    #[wasm_bindgen(method, getter)]
    pub fn free(this: &Screen) -> bool;

    /// True if the layers are lost and have to be drawn again.
    #[wasm_bindgen(method, getter)]
    pub fn empty(this: &Screen) -> bool;

    /// Draws a list in the colours of a palette.
    #[wasm_bindgen(method)]
    pub fn show(this: &Screen, numbers: &[f32], texts: Vec<String>, palette: &Array);

    /// Makes a PNG file of a complete list and passes it to `done`.
    #[wasm_bindgen(method)]
    pub fn picture(
        this: &Screen,
        numbers: &[f32],
        texts: Vec<String>,
        palette: &Array,
        done: &Function,
    );

    /// Stops drawing and ends the worker.
    #[wasm_bindgen(method)]
    pub fn end(this: &Screen);
}
