//! The colours of the stage. Their values come from the style sheet, which alone defines themes.
//!
//! An [`Ink`] is an index into [`palette`], which reads the colours of the current theme.

use js_sys::Array;

/// Number of colours that tell worms apart.
pub const WORM_COLOURS: usize = 8;
/// Number of steps of the heat scale.
pub const HEAT_STEPS: usize = 8;

/// Names in the style sheet, in the order of [`Ink`]; those of worms and heat steps follow.
const NAMES: [&str; 17] = [
    "stage",
    "wire",
    "buffer",
    "mark",
    "switch",
    "switch-edge",
    "label",
    "host",
    "host-edge",
    "accent",
    "danger",
    "itb",
    "contrast",
    "hatch",
    "queue",
    "tree",
    "faded",
];

/// A colour: its index in [`palette`].
#[derive(Debug, Clone, Copy)]
pub struct Ink(usize);

#[allow(missing_docs, reason = "named after what they draw, in the order of their names")]
impl Ink {
    pub const STAGE: Ink = Ink(0);
    pub const WIRE: Ink = Ink(1);
    pub const BUFFER: Ink = Ink(2);
    pub const MARK: Ink = Ink(3);
    pub const SWITCH: Ink = Ink(4);
    pub const SWITCH_EDGE: Ink = Ink(5);
    pub const LABEL: Ink = Ink(6);
    pub const HOST: Ink = Ink(7);
    pub const HOST_EDGE: Ink = Ink(8);
    pub const ACCENT: Ink = Ink(9);
    pub const DANGER: Ink = Ink(10);
    pub const ITB: Ink = Ink(11);
    pub const CONTRAST: Ink = Ink(12);
    pub const HATCH: Ink = Ink(13);
    pub const QUEUE: Ink = Ink(14);
    pub const TREE: Ink = Ink(15);
    pub const FADED: Ink = Ink(16);
    pub const LESS: Ink = Ink::worm(0);
    pub const MORE: Ink = Ink::worm(5);

    pub const fn worm(colour: usize) -> Ink {
        Ink(NAMES.len() + colour)
    }

    pub const fn heat(step: usize) -> Ink {
        Ink(NAMES.len() + WORM_COLOURS + step)
    }

    pub fn number(self) -> f32 {
        self.0 as f32
    }
}

/// The colours of the current theme, as CSS colours.
pub fn palette() -> Array {
    let window = web_sys::window().expect("the page has a window");
    let root = window.document().and_then(|document| document.document_element());
    let root = root.expect("a page has a root");
    let style = window.get_computed_style(&root).ok().flatten().expect("the root has a style");
    let numbered =
        |name: &'static str, count: usize| (0..count).map(move |i| format!("{name}-{i}"));
    let names = NAMES.iter().map(|&name| name.to_owned());
    let names = names.chain(numbered("worm", WORM_COLOURS)).chain(numbered("heat", HEAT_STEPS));
    let colour = |name: String| style.get_property_value(&format!("--{name}")).unwrap_or_default();
    names.map(|name| wasm_bindgen::JsValue::from(colour(name).trim())).collect()
}
