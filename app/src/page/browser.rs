//! What the page asks of the browser.

use crate::state::{LessonsDone, Theme};
use crate::text::Language;
use js_sys::Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, Element, EventTarget, HtmlAnchorElement, HtmlElement, ResizeObserver,
    Storage, Url, Window,
};
use yew::Callback;

const THEME: &str = "hopscope.theme";
const LANGUAGE: &str = "hopscope.language";
const LEGEND: &str = "hopscope.legend";
const OPEN: &str = "open";
const LESSONS: &str = "hopscope.lessons";

/// The window.
pub fn window() -> Window {
    web_sys::window().expect("the page has a window")
}

/// The HTML document.
pub fn document() -> web_sys::Document {
    window().document().expect("the window has a document")
}

/// The build of the page.
pub fn build() -> String {
    let meta = document().query_selector("meta[name=hopscope-build]").ok().flatten();
    meta.and_then(|meta| meta.get_attribute("content")).unwrap_or_default()
}

/// How the browser names itself.
pub fn name() -> String {
    window().navigator().user_agent().unwrap_or_default()
}

/// The time since the page was loaded, milliseconds.
pub fn now_ms() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

/// Device pixels per CSS pixel.
pub fn pixel_ratio() -> f64 {
    window().device_pixel_ratio().clamp(0.5, 4.0)
}

/// Runs something before the next frame is painted.
pub fn on_animation_frame(run: impl FnOnce() + 'static) {
    let run = Closure::once_into_js(run);
    window().request_animation_frame(run.unchecked_ref()).expect("a page can draw");
}

/// Runs something after a delay, milliseconds.
pub fn after_ms(ms: i32, run: impl FnOnce() + 'static) {
    let run = Closure::once_into_js(run);
    window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(run.unchecked_ref(), ms)
        .expect("a page has timers");
}

fn media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|list| list.matches())
}

/// Whether the window has room for what explains the stage.
pub fn has_room() -> bool {
    media("(min-width: 1000px) and (min-height: 600px)")
}

/// Whether the user prefers less motion.
pub fn reduced_motion() -> bool {
    media("(prefers-reduced-motion: reduce)")
}

/// Whether the screen is touched rather than pointed at.
pub fn is_touched() -> bool {
    media("(pointer: coarse)")
}

/// The settings that the browser stores for this origin; `None` where it forbids that.
fn settings() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn setting(key: &str) -> Option<String> {
    settings()?.get_item(key).ok().flatten()
}

fn save_setting(key: &str, value: &str) {
    if let Some(settings) = settings() {
        // Without storage, the setting lasts as long as the page.
        settings.set_item(key, value).ok();
    }
}

/// The theme that the user chose, else the system's.
pub fn theme() -> Theme {
    setting(THEME).and_then(|name| Theme::by_name(&name)).unwrap_or_else(|| {
        if media("(prefers-color-scheme: dark)") { Theme::Dark } else { Theme::Light }
    })
}

/// Applies a theme.
pub fn set_theme(theme: Theme) {
    set_root_attribute("data-theme", theme.name());
}

/// Stores the theme for the next visit.
pub fn save_theme(theme: Theme) {
    save_setting(THEME, theme.name());
}

/// Whether the user left the legend open, if it was ever opened or closed.
pub fn legend() -> Option<bool> {
    setting(LEGEND).map(|state| state == OPEN)
}

/// Stores whether the legend is open for the next visit.
pub fn save_legend(open: bool) {
    save_setting(LEGEND, if open { OPEN } else { "closed" });
}

/// The language that the user chose, else the browser's; tells screen readers.
pub fn language() -> Language {
    let code = setting(LANGUAGE).or_else(|| window().navigator().language());
    let language = Language::of_code(&code.unwrap_or_default());
    set_root_attribute("lang", language.code());
    language
}

/// Stores the language for the next visit, and tells screen readers.
pub fn save_language(language: Language) {
    save_setting(LANGUAGE, language.code());
    set_root_attribute("lang", language.code());
}

/// The lessons that are done, as stored.
pub fn lessons_done() -> LessonsDone {
    LessonsDone::of_text(&setting(LESSONS).unwrap_or_default())
}

/// Stores the lessons that are done for the next visit.
pub fn save_lessons_done(done: &LessonsDone) {
    save_setting(LESSONS, &done.to_text());
}

fn set_root_attribute(name: &str, value: &str) {
    if let Some(root) = document().document_element() {
        root.set_attribute(name, value).ok();
    }
}

/// A percent-encoded text as it was before; `None` if it is not percent-encoded.
pub fn percent_decoded(text: &str) -> Option<String> {
    js_sys::decode_uri_component(text).ok().map(String::from)
}

/// Loads the page again; the document is stored.
pub fn reload() {
    window().location().reload().ok();
}

/// An event listener, until it is dropped.
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
    on_event: impl Fn(E) + 'static,
) -> Listener {
    let closure = Closure::<dyn Fn(web_sys::Event)>::new(move |event: web_sys::Event| {
        on_event(event.unchecked_into())
    });
    target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref()).ok();
    let target = target.clone();
    let stop = move || {
        target.remove_event_listener_with_callback(name, closure.as_ref().unchecked_ref()).ok();
    };
    Listener { stop: Some(Box::new(stop)) }
}

/// Calls back when an element changes its size.
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

/// Writes a text to the clipboard. False if the browser does not let it.
pub async fn copy(text: &str) -> bool {
    let clipboard = window().navigator().clipboard();
    // Pages from plain http have no clipboard.
    !clipboard.is_undefined() && JsFuture::from(clipboard.write_text(text)).await.is_ok()
}

/// Whether text of the page is selected, as for copying.
pub fn has_selected_text() -> bool {
    window().get_selection().ok().flatten().is_some_and(|selected| !selected.is_collapsed())
}

/// Gives an element the keyboard focus.
pub fn focus(element: Element) {
    if let Ok(element) = element.dyn_into::<HtmlElement>() {
        element.focus().ok();
    }
}

/// Scrolls an element into view, unless its start is in the upper part of the window.
pub fn show(element: &Element) {
    const UPPER_PART: f64 = 0.7;
    let height = window().inner_height().ok().and_then(|height| height.as_f64());
    let top = element.get_bounding_client_rect().top();
    if top < 0.0 || top > UPPER_PART * height.unwrap_or_default() {
        element.scroll_into_view();
    }
}

/// Has the browser save a text as a file of a media type. `None` if it does not.
pub fn download_text(name: &str, content: &str, media_type: &str) -> Option<()> {
    let bag = BlobPropertyBag::new();
    bag.set_type(media_type);
    let parts = Array::of1(&JsValue::from_str(content));
    download(name, &Blob::new_with_str_sequence_and_options(&parts, &bag).ok()?)
}

/// Has the browser save a file. `None` if it does not.
pub fn download(name: &str, blob: &Blob) -> Option<()> {
    /// The browser has opened the address by then.
    const OPENED_MS: i32 = 10_000;
    let address = Url::create_object_url_with_blob(blob).ok()?;
    let anchor: HtmlAnchorElement = document().create_element("a").ok()?.unchecked_into();
    anchor.set_href(&address);
    anchor.set_download(name);
    anchor.click();
    after_ms(OPENED_MS, move || {
        Url::revoke_object_url(&address).ok();
    });
    Some(())
}

/// The last durations of something that happens again and again, milliseconds.
#[derive(Default)]
pub struct Times {
    last: std::collections::VecDeque<f64>,
}

impl Times {
    const COUNT: usize = 120;

    /// Adds the newest.
    pub fn add(&mut self, ms: f64) {
        if self.last.len() == Times::COUNT {
            self.last.pop_front();
        }
        self.last.push_back(ms);
    }

    /// The 95th percentile; 0 before the first.
    pub fn percentile_95(&self) -> f64 {
        let mut sorted: Vec<f64> = self.last.iter().copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() * 95 / 100).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentile_is_of_the_last_durations_only() {
        let mut times = Times::default();
        assert_eq!(times.percentile_95(), 0.0);
        (0..300).for_each(|ms| times.add(f64::from(ms)));
        assert_eq!(times.percentile_95(), 294.0);
    }
}
