//! Files that the page has the browser save, and what it says once they are saved.

use super::browser;
use super::msg::Msg;
use super::parts::Page;
use crate::text::{fill, text};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};
use yew::html::Scope;

/// Pixels of a PNG per pixel of the SVG it is made from.
const PNG_SCALE: f64 = 2.0;

impl Page {
    /// Saves a text as a file of a media type, and says so.
    pub(super) fn save_text(
        &mut self,
        link: &Scope<Page>,
        name: &str,
        content: &str,
        media_type: &str,
    ) {
        self.save_text_saying(link, name, content, media_type, fill(text().saved, &[&name]));
    }

    /// Saves a text as a file of a media type, and says `words`.
    pub(super) fn save_text_saying(
        &mut self,
        link: &Scope<Page>,
        name: &str,
        content: &str,
        media_type: &str,
        words: String,
    ) {
        if browser::download_text(name, content, media_type).is_some() {
            self.say(link, words);
        }
    }
}

/// Saves the picture that a canvas passes to this callback of its `toBlob`, and says so.
pub(super) fn save_picture(link: &Scope<Page>, name: String) -> Function {
    let link = link.clone();
    let saved = move |blob: JsValue| {
        if let Ok(blob) = blob.dyn_into::<Blob>()
            && browser::download(&name, &blob).is_some()
        {
            link.send_message(Msg::Say(fill(text().saved, &[&name])));
        }
    };
    Closure::once_into_js(saved).unchecked_into()
}

/// Turns an SVG into a PNG and saves it. Only a page can: workers have no images of SVGs.
pub(super) fn save_png_of(svg: &str, link: &Scope<Page>, name: String) {
    let Ok(image) = HtmlImageElement::new() else { return };
    let (loaded, link) = (image.clone(), link.clone());
    let on_load = Closure::once_into_js(move || {
        draw_png(&loaded, &save_picture(&link, name));
    });
    image.set_onload(Some(on_load.unchecked_ref()));
    let encoded = String::from(js_sys::encode_uri_component(svg));
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{encoded}"));
}

fn draw_png(image: &HtmlImageElement, saved: &Function) -> Option<()> {
    let canvas = browser::document().create_element("canvas").ok()?;
    let canvas: HtmlCanvasElement = canvas.unchecked_into();
    let size = [image.natural_width(), image.natural_height()].map(f64::from);
    canvas.set_width((size[0] * PNG_SCALE) as u32);
    canvas.set_height((size[1] * PNG_SCALE) as u32);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.scale(PNG_SCALE, PNG_SCALE).ok()?;
    context.draw_image_with_html_image_element(image, 0.0, 0.0).ok()?;
    canvas.to_blob(saved).ok()
}
