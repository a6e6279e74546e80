//! The few things the page asks of the browser.

use super::Theme;
use crate::text::Language;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, EventTarget, ResizeObserver, Response, Storage, Window};
use yew::Callback;

pub fn window() -> Window {
    web_sys::window().expect("the page has a window")
}

pub fn document() -> web_sys::Document {
    window().document().expect("the window has a document")
}

pub fn now_ms() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

pub fn pixel_ratio() -> f64 {
    window().device_pixel_ratio().clamp(0.5, 4.0)
}

pub fn on_animation_frame(run: impl FnOnce() + 'static) {
    let run = Closure::once_into_js(run);
    window().request_animation_frame(run.unchecked_ref()).expect("a page can draw");
}

pub fn after_ms(ms: i32, run: impl FnOnce() + 'static) {
    let run = Closure::once_into_js(run);
    window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(run.unchecked_ref(), ms)
        .expect("a page has timers");
}

fn media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|list| list.matches())
}

pub fn reduced_motion() -> bool {
    media("(prefers-reduced-motion: reduce)")
}

/// Storage of this origin; none where the browser forbids it.
pub fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn kept(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// The theme chosen, else the system's.
pub fn theme() -> Theme {
    match kept("hopscope.theme").as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        Some("projector") => Theme::Projector,
        _ if media("(prefers-color-scheme: dark)") => Theme::Dark,
        _ => Theme::Light,
    }
}

/// Puts a theme in force.
pub fn set_theme(theme: Theme) {
    let name = theme_name(theme);
    if let Some(root) = document().document_element() {
        root.set_attribute("data-theme", name).ok();
    }
}

/// Remembers the theme chosen.
pub fn keep_theme(theme: Theme) {
    storage().map(|storage| storage.set_item("hopscope.theme", theme_name(theme)));
}

fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Projector => "projector",
    }
}

/// The language chosen, else the browser's.
pub fn language() -> Language {
    let code =
        kept("hopscope.language").or_else(|| window().navigator().language()).unwrap_or_default();
    let language = Language::of_code(&code);
    set_language(language);
    language
}

/// Remembers the language chosen and tells screen readers.
pub fn keep_language(language: Language) {
    storage().map(|storage| storage.set_item("hopscope.language", language.code()));
    set_language(language);
}

fn set_language(language: Language) {
    if let Some(root) = document().document_element() {
        root.set_attribute("lang", language.code()).ok();
    }
}

/// The text of one of the page's files, of the same build as the page; none if it cannot be had.
pub async fn file(name: &str) -> Option<String> {
    let build =
        document().query_selector("meta[name=hopscope-build]").ok()??.get_attribute("content")?;
    let answer =
        JsFuture::from(window().fetch_with_str(&format!("{name}?v={build}"))).await.ok()?;
    let answer: Response = answer.dyn_into().ok()?;
    let text =
        if answer.ok() { JsFuture::from(answer.text().ok()?).await.ok()? } else { return None };
    text.as_string()
}

/// Loads the page again; the document is kept.
pub fn reload() {
    window().location().reload().ok();
}

/// An event listener, for as long as it is kept.
pub struct Listener {
    stop: Option<Box<dyn FnOnce()>>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop();
        }
    }
}

/// Listens to an event of a target; the listener may prevent its default.
pub fn listen<E: JsCast + 'static>(
    target: &EventTarget,
    name: &'static str,
    hear: impl Fn(E) + 'static,
) -> Listener {
    let closure = Closure::<dyn Fn(web_sys::Event)>::new(move |event: web_sys::Event| {
        hear(event.unchecked_into())
    });
    target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref()).ok();
    let target = target.clone();
    let stop = move || {
        target.remove_event_listener_with_callback(name, closure.as_ref().unchecked_ref()).ok();
    };
    Listener { stop: Some(Box::new(stop)) }
}

/// Tells when an element has another size.
pub fn on_resize(element: &Element, changed: Callback<()>) -> Listener {
    let closure = Closure::<dyn Fn(JsValue)>::new(move |_| changed.emit(()));
    let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok();
    if let Some(observer) = &observer {
        observer.observe(element);
    }
    let stop = move || {
        observer.iter().for_each(ResizeObserver::disconnect);
        drop(closure);
    };
    Listener { stop: Some(Box::new(stop)) }
}

/// Whether some of the page's text is marked, as for copying.
pub fn has_marked_text() -> bool {
    window().get_selection().ok().flatten().is_some_and(|marked| !marked.is_collapsed())
}

/// The last few times something took, milliseconds.
#[derive(Default)]
pub struct Times {
    list: Vec<f64>,
    next: usize,
}

impl Times {
    pub fn add(&mut self, ms: f64) {
        if self.list.len() < 120 {
            self.list.push(ms);
        } else {
            self.list[self.next % 120] = ms;
        }
        self.next += 1;
    }

    pub fn percentile_95(&self) -> f64 {
        let mut sorted = self.list.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() * 95 / 100).copied().unwrap_or(0.0)
    }
}
