//! Who draws: `app/static/draw.js`, which boot.js has loaded before the page.

use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// A canvas in an element; its worker, if it has one, ends with [`Screen::end`].
    #[wasm_bindgen(js_name = HopscopeScreen)]
    #[derive(Debug)]
    pub type Screen;

    /// Puts a canvas there.
    #[wasm_bindgen(constructor, js_class = HopscopeScreen)]
    pub fn new(place: &Element) -> Screen;

    /// Whether it can show a list now.
    #[wasm_bindgen(method, getter)]
    pub fn free(this: &Screen) -> bool;

    /// Whether its sheets are all to be drawn.
    #[wasm_bindgen(method, getter)]
    pub fn empty(this: &Screen) -> bool;

    /// Draws a list ([`super::pen`]) in the colours of a palette.
    #[wasm_bindgen(method)]
    pub fn show(this: &Screen, numbers: &[f32], texts: Vec<String>, palette: &Array);

    /// Gives a whole list as a PNG file to a function once it is made.
    #[wasm_bindgen(method)]
    pub fn picture(
        this: &Screen,
        numbers: &[f32],
        texts: Vec<String>,
        palette: &Array,
        done: &Function,
    );

    /// Draws no more.
    #[wasm_bindgen(method)]
    pub fn end(this: &Screen);
}
