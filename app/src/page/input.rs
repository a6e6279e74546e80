//! Keyboard, pointer, wheel, files dropped and pasted.

use super::browser::{self, Listener, listen};
use super::{Dialog, Msg, Page, PointerKind, files};
use crate::command::{self, Command};
use crate::layout::Point;
use crate::stage::gesture::{Intent, Pointer, Scene};
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Element, Event, KeyboardEvent};
use yew::html::Scope;
use yew::prelude::*;

/// What the page listens to as long as it lives.
pub fn listeners(link: &Scope<Page>) -> Vec<Listener> {
    let (window, document) = (browser::window(), browser::document());
    let keys = link.clone();
    let drop = link.clone();
    let paste = link.clone();
    let fragment = link.clone();
    let mut all = vec![
        listen(&window, "keydown", move |event: KeyboardEvent| pressed(&event, &keys)),
        listen(&document, "dragover", |event: DragEvent| event.prevent_default()),
        listen(&document, "drop", move |event: DragEvent| {
            event.prevent_default();
            event.data_transfer().iter().for_each(|data| take(data, &drop));
        }),
        listen(&document, "paste", move |event: ClipboardEvent| {
            if !is_typing(event.target()) {
                event.clipboard_data().iter().for_each(|data| take(data, &paste));
            }
        }),
        listen(&window, "hashchange", move |_: Event| fragment.send_message(Msg::AddressChanged)),
        // From boot.js, which looks after the service worker.
        listen(&window, "hopscope-kept", {
            let link = link.clone();
            move |_: Event| link.send_message(Msg::Kept(false))
        }),
        // From draw.js, when who draws had to be replaced.
        listen(&window, "hopscope-redraw", {
            let link = link.clone();
            move |_: Event| link.send_message(Msg::Redraw)
        }),
        listen(&window, "hopscope-renewed", {
            let link = link.clone();
            move |_: Event| link.send_message(Msg::Kept(true))
        }),
    ];
    // A tab about to be closed keeps its document at once.
    let hidden = link.clone();
    all.push(listen(&window, "pagehide", move |_: Event| hidden.send_message(Msg::Keep)));
    if let Ok(Some(dark)) = window.match_media("(prefers-color-scheme: dark)") {
        let link = link.clone();
        all.push(listen(&dark, "change", move |_: Event| link.send_message(Msg::ThemeChanged)));
    }
    all
}

/// Opens the file or the text of something dropped or pasted.
fn take(data: &DataTransfer, link: &Scope<Page>) {
    match data.files().and_then(|files| files.get(0)) {
        Some(file) => files::read(file, link.clone()),
        None => {
            let words = data.get_data("text/plain").unwrap_or_default();
            if !words.trim().is_empty() {
                link.send_message(Msg::OpenText(crate::text::text().pasted.into(), words));
            }
        }
    }
}

/// Whether keys there mean letters, not commands.
fn is_typing(target: Option<web_sys::EventTarget>) -> bool {
    let Some(element) = target.and_then(|target| target.dyn_into::<Element>().ok()) else {
        return false;
    };
    match element.tag_name().as_str() {
        "INPUT" => !matches!(
            element.get_attribute("type").as_deref(),
            Some("range" | "checkbox" | "button")
        ),
        "TEXTAREA" | "SELECT" => true,
        _ => false,
    }
}

fn is_text(element: Option<&Element>) -> bool {
    element.is_some_and(|element| element.get_attribute("type").as_deref() == Some("text"))
}

fn pressed(event: &KeyboardEvent, link: &Scope<Page>) {
    let control = event.ctrl_key() || event.meta_key();
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let tag = target.as_ref().map(Element::tag_name).unwrap_or_default();
    if event.alt_key() || event.is_composing() {
        return;
    }
    let keys = command::keys(&event.key(), control, event.shift_key());
    // Words marked on the page are what is to be copied.
    if keys == "Ctrl+C" && browser::has_marked_text() {
        return;
    }
    // In a field, letters are letters, and Control+A selects them; undoing in text undoes typing.
    let undoes = matches!(keys.as_str(), "Ctrl+Z" | "Ctrl+Shift+Z" | "Ctrl+Y");
    let edits = matches!(keys.as_str(), "Ctrl+A" | "Ctrl+C" | "Ctrl+X")
        || undoes && is_text(target.as_ref());
    if is_typing(event.target()) && keys != "Escape" && (!control || edits) {
        return;
    }
    // Space and Enter press the button that has the focus; arrows move sliders.
    if matches!(tag.as_str(), "BUTTON" | "A" | "SUMMARY")
        && matches!(event.key().as_str(), " " | "Enter")
    {
        return;
    }
    let on_stage = target.is_some_and(|target| target.id() == "drawn");
    if on_stage && event.key().starts_with("Arrow") {
        event.prevent_default();
        let direction = match event.key().as_str() {
            "ArrowLeft" => [-1.0, 0.0],
            "ArrowRight" => [1.0, 0.0],
            "ArrowUp" => [0.0, -1.0],
            _ => [0.0, 1.0],
        };
        return link.send_message(match control {
            true => Msg::Nudge(direction),
            false => Msg::Walk(direction, event.shift_key()),
        });
    }
    if on_stage && event.key() == "Enter" {
        event.prevent_default();
        return link.send_message(Msg::Enter);
    }
    if let Some(command) = Command::of_keys(&keys) {
        event.prevent_default();
        link.send_message(Msg::Do(command));
    }
}

impl Page {
    pub(super) fn pointer(
        &mut self,
        link: &Scope<Page>,
        kind: PointerKind,
        event: &PointerEvent,
    ) -> bool {
        let Some(stage) = self.refs.stage.cast::<Element>() else { return false };
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if kind == PointerKind::Down {
            if event.button() > 1 {
                return false;
            }
            target.iter().for_each(|target| drop(target.set_pointer_capture(event.pointer_id())));
        }
        if kind == PointerKind::Leave {
            return self.follow(link, vec![Intent::Hover { spot: None, at: self.hover_at }]);
        }
        let pointer = Pointer {
            id: event.pointer_id(),
            at: place(&stage, event),
            touch: event.pointer_type() == "touch",
            extend: event.shift_key() || event.ctrl_key() || event.meta_key(),
            middle: event.button() == 1,
        };
        let selection = self.stage.marks.selection.clone();
        let picture = std::rc::Rc::clone(&self.stage.picture);
        let mut scene = Scene {
            camera: &mut self.stage.camera,
            picture: &picture,
            selection: &selection,
            ghost: &mut self.stage.marks.ghost,
            tool: self.tool,
        };
        let intents = match kind {
            PointerKind::Down => self.gesture.down(pointer, &mut scene),
            PointerKind::Move => self.gesture.moved(pointer, &mut scene),
            PointerKind::Up => self.gesture.up(pointer, &mut scene),
            PointerKind::Cancel | PointerKind::Leave => self.gesture.cancel(pointer.id, &mut scene),
        };
        self.follow(link, intents)
    }

    pub(super) fn wheel(&mut self, event: &WheelEvent) {
        let Some(stage) = self.refs.stage.cast::<Element>() else { return };
        event.prevent_default();
        // A trackpad pans with two fingers and pinches with Control; a mouse wheel has coarse steps.
        let lines = if event.delta_mode() == 0 { 1.0 } else { 30.0 };
        let (dx, dy) = (event.delta_x() as f32 * lines, event.delta_y() as f32 * lines);
        if event.ctrl_key() || event.meta_key() || (dx == 0.0 && dy.abs() >= 50.0) {
            let strength = if event.ctrl_key() && dy.abs() < 50.0 { 0.01 } else { 0.0015 };
            self.stage.camera.zoom((-dy * strength).exp(), place(&stage, event));
        } else {
            self.stage.camera.pan([-dx, -dy]);
        }
        self.fit_asked = false;
    }

    /// Whether something lies over the page.
    pub(super) fn is_covered(&self) -> bool {
        self.dialog != Dialog::None
    }
}

/// CSS pixels from the stage's corner.
fn place(stage: &Element, event: &MouseEvent) -> Point {
    let corner = stage.get_bounding_client_rect();
    [
        (f64::from(event.client_x()) - corner.left()) as f32,
        (f64::from(event.client_y()) - corner.top()) as f32,
    ]
}
