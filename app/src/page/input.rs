//! Keyboard, pointer, wheel, files dropped and pasted.

use super::browser::{self, Listener, listen};
use super::host;
use super::msg::Msg;
use super::parts::Page;
use crate::action::{Action, PointerKind};
use crate::command::{self, Command};
use crate::layout::Point;
use crate::stage::gesture::{Intent, Pointer, Scene};
use crate::text::text;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{
    ClipboardEvent, DataTransfer, DragEvent, Element, Event, EventTarget, KeyboardEvent,
};
use yew::html::Scope;
use yew::prelude::*;

/// A wheel that turns further than this in one event is that of a mouse; a trackpad's is finer.
const COARSE_WHEEL: f32 = 50.0;

/// The page's listeners to window and document, as long as it lives.
pub fn listeners(messages: &Callback<Msg>) -> Vec<Listener> {
    let (window, document) = (browser::window(), browser::document());
    let send = |message: fn() -> Msg| {
        let messages = messages.clone();
        move |_: Event| messages.emit(message())
    };
    let actions = messages.reform(Msg::Action);
    let (keys, drop, paste) = (actions.clone(), actions.clone(), actions);
    let mut all = vec![
        listen(&window, "keydown", move |event: KeyboardEvent| {
            if let Some(action) = pressed(&event) {
                event.prevent_default();
                keys.emit(action);
            }
        }),
        listen(&document, "dragover", move |event: DragEvent| event.prevent_default()),
        listen(&document, "drop", move |event: DragEvent| {
            event.prevent_default();
            if let Some(action) = event.data_transfer().and_then(|data| dropped(&data)) {
                drop.emit(action);
            }
        }),
        listen(&document, "paste", move |event: ClipboardEvent| {
            let data = event.clipboard_data().filter(|_| !is_typing(event.target()));
            if let Some(action) = data.and_then(|data| dropped(&data)) {
                paste.emit(action);
            }
        }),
        listen(&window, "hashchange", send(|| Msg::AddressChanged)),
        // boot.js looks after the service worker.
        listen(&window, "hopscope-kept", send(|| Msg::OfflineReady(false))),
        listen(&window, "hopscope-renewed", send(|| Msg::OfflineReady(true))),
        // draw.js has replaced the worker that draws.
        listen(&window, "hopscope-redraw", send(|| Msg::Redraw)),
        // A tab that closes stores its document at once.
        listen(&window, "pagehide", send(|| Msg::Autosave)),
    ];
    if let Ok(Some(dark)) = window.match_media("(prefers-color-scheme: dark)") {
        all.push(listen(&dark, "change", send(|| Msg::ThemeChanged)));
    }
    all.extend(host::listener(messages));
    all
}

/// Opens the file or the text of something dropped or pasted.
fn dropped(data: &DataTransfer) -> Option<Action> {
    if let Some(file) = data.files().and_then(|files| files.get(0)) {
        return Some(Action::OpenFile(file));
    }
    let words = data.get_data("text/plain").unwrap_or_default();
    (!words.trim().is_empty()).then(|| Action::OpenText(text().pasted.into(), words))
}

/// Whether keys pressed there are typed, not commands.
fn is_typing(target: Option<EventTarget>) -> bool {
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

/// Whether the browser undoes what was typed there. Fields for numbers do it themselves.
fn is_text(element: Option<&Element>) -> bool {
    element.is_some_and(|element| {
        element.get_attribute("type").as_deref() == Some("text")
            && element.get_attribute("role").as_deref() != Some("spinbutton")
    })
}

/// What a key means; `None` if it is left to the browser.
fn pressed(event: &KeyboardEvent) -> Option<Action> {
    if event.alt_key() || event.is_composing() {
        return None;
    }
    let control = event.ctrl_key() || event.meta_key();
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let tag = target.as_ref().map(Element::tag_name).unwrap_or_default();
    let key = event.key();
    let keys = command::keys(&key, control, event.shift_key());
    // Selected text of the page is what is to be copied.
    if keys == "Ctrl+C" && browser::has_selected_text() {
        return None;
    }
    // In a field, letters are typed, Control+A selects them and Control+Z undoes typing.
    let undoes = matches!(keys.as_str(), "Ctrl+Z" | "Ctrl+Shift+Z" | "Ctrl+Y");
    let edits = matches!(keys.as_str(), "Ctrl+A" | "Ctrl+C" | "Ctrl+X")
        || undoes && is_text(target.as_ref());
    if is_typing(event.target()) && keys != "Escape" && (!control || edits) {
        return None;
    }
    // Space and Enter press the button that has the focus.
    let presses = matches!(key.as_str(), " " | "Enter");
    if presses && matches!(tag.as_str(), "BUTTON" | "A" | "SUMMARY") {
        return None;
    }
    if target.is_some_and(|target| target.id() == "drawn") {
        let direction = match key.as_str() {
            "ArrowLeft" => Some([-1.0, 0.0]),
            "ArrowRight" => Some([1.0, 0.0]),
            "ArrowUp" => Some([0.0, -1.0]),
            "ArrowDown" => Some([0.0, 1.0]),
            _ => None,
        };
        match direction {
            Some(direction) if control => return Some(Action::Nudge(direction)),
            Some(direction) => return Some(Action::Walk(direction, event.shift_key())),
            None if key == "Enter" => return Some(Action::Enter),
            None => {}
        }
    }
    Command::of_keys(&keys).map(Action::Command)
}

impl Page {
    /// Reacts to a pointer event on the stage. True if the page is to be rendered.
    pub(super) fn on_pointer(
        &mut self,
        link: &Scope<Page>,
        kind: PointerKind,
        event: &PointerEvent,
    ) -> bool {
        let Some(element) = self.elements.stage.cast::<Element>() else { return false };
        if kind == PointerKind::Down {
            let is_right = event.button() > 1;
            if is_right {
                return false;
            }
            if let Some(target) = event.target().and_then(|target| target.dyn_into().ok()) {
                let target: Element = target;
                target.set_pointer_capture(event.pointer_id()).ok();
            }
        }
        if kind == PointerKind::Leave {
            let at = self.state.inspection.hover_at;
            return self.carry_out(link, vec![Intent::Hover { spot: None, at }]);
        }
        let pointer = Pointer {
            id: event.pointer_id(),
            at: position(&element, event),
            touch: event.pointer_type() == "touch",
            extend: event.shift_key() || event.ctrl_key() || event.meta_key(),
            middle: event.button() == 1,
        };
        let stage = &mut self.state.stage;
        let selection = stage.marks.selection.clone();
        let picture = Rc::clone(&stage.picture);
        let mut scene = Scene {
            camera: &mut stage.camera,
            picture: &picture,
            selection: &selection,
            ghost: &mut stage.marks.ghost,
            tool: self.state.tools.tool,
        };
        let intents = match kind {
            PointerKind::Down => self.gesture.down(pointer, &mut scene),
            PointerKind::Move => self.gesture.moved(pointer, &mut scene),
            PointerKind::Up => self.gesture.up(pointer, &mut scene),
            PointerKind::Cancel | PointerKind::Leave => self.gesture.cancel(pointer.id, &mut scene),
        };
        self.carry_out(link, intents)
    }

    /// Pans or zooms the view. A trackpad pans with two fingers and zooms with Control, as pinching
    /// is reported; the wheel of a mouse zooms.
    pub(super) fn on_wheel(&mut self, event: &WheelEvent) {
        let Some(element) = self.elements.stage.cast::<Element>() else { return };
        event.prevent_default();
        let pixels_per_unit = if event.delta_mode() == 0 { 1.0 } else { 30.0 };
        let [dx, dy] = [event.delta_x(), event.delta_y()].map(|d| d as f32 * pixels_per_unit);
        let camera = &mut self.state.stage.camera;
        let control = event.ctrl_key();
        let is_coarse = dy.abs() >= COARSE_WHEEL;
        if control || event.meta_key() || (dx == 0.0 && is_coarse) {
            let strength = if control && !is_coarse { 0.01 } else { 0.0015 };
            camera.zoom((-dy * strength).exp(), position(&element, event));
        } else {
            camera.pan([-dx, -dy]);
        }
        self.canvas.release_fit();
    }
}

/// CSS pixels from the corner of the stage.
fn position(stage: &Element, event: &MouseEvent) -> Point {
    let corner = stage.get_bounding_client_rect();
    [
        (f64::from(event.client_x()) - corner.left()) as f32,
        (f64::from(event.client_y()) - corner.top()) as f32,
    ]
}
