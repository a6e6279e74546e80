//! The stage's colours, from the style sheet: themes live there alone.

use wasm_bindgen::JsValue;
use web_sys::CanvasRenderingContext2d;

/// Colours worms are told apart by.
pub const WORM_COLOURS: usize = 8;
/// Steps of the heat scale.
pub const HEAT_STEPS: usize = 8;

/// A colour as the canvas takes it.
#[derive(Debug, Clone)]
pub struct Ink(JsValue);

/// All of them.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "named after what they draw")]
pub struct Inks {
    pub stage: Ink,
    pub wire: Ink,
    pub buffer: Ink,
    pub mark: Ink,
    pub switch: Ink,
    pub switch_edge: Ink,
    pub label: Ink,
    pub host: Ink,
    pub host_edge: Ink,
    pub accent: Ink,
    pub danger: Ink,
    pub itb: Ink,
    pub contrast: Ink,
    pub hatch: Ink,
    pub queue: Ink,
    pub tree: Ink,
    pub more: Ink,
    pub less: Ink,
    pub worms: Vec<Ink>,
    pub heat: Vec<Ink>,
}

impl Inks {
    /// The colours of the theme in force.
    pub fn of_page() -> Inks {
        let window = web_sys::window().expect("the page has a window");
        let root =
            window.document().and_then(|document| document.document_element()).expect("a page has a root");
        let style = window.get_computed_style(&root).ok().flatten().expect("the root has a style");
        let ink = |name: &str| {
            let value = style.get_property_value(&format!("--{name}")).unwrap_or_default();
            Ink(JsValue::from_str(value.trim()))
        };
        Inks {
            stage: ink("stage"),
            wire: ink("wire"),
            buffer: ink("buffer"),
            mark: ink("mark"),
            switch: ink("switch"),
            switch_edge: ink("switch-edge"),
            label: ink("label"),
            host: ink("host"),
            host_edge: ink("host-edge"),
            accent: ink("accent"),
            danger: ink("danger"),
            itb: ink("itb"),
            contrast: ink("contrast"),
            hatch: ink("hatch"),
            queue: ink("queue"),
            tree: ink("tree"),
            more: ink("worm-5"),
            less: ink("worm-0"),
            worms: (0..WORM_COLOURS).map(|i| ink(&format!("worm-{i}"))).collect(),
            heat: (0..HEAT_STEPS).map(|i| ink(&format!("heat-{i}"))).collect(),
        }
    }
}

/// Strokes what has been traced.
pub fn stroke(context: &CanvasRenderingContext2d, ink: &Ink, width: f32) {
    context.set_line_width(f64::from(width));
    set_stroke(context, ink);
    context.stroke();
}

/// Fills what has been traced.
pub fn fill(context: &CanvasRenderingContext2d, ink: &Ink) {
    set_fill(context, ink);
    context.fill();
}

/// The colour of the next strokes.
pub fn set_stroke(context: &CanvasRenderingContext2d, ink: &Ink) {
    js_sys::Reflect::set(context, &"strokeStyle".into(), &ink.0).ok();
}

/// The colour of the next fills.
pub fn set_fill(context: &CanvasRenderingContext2d, ink: &Ink) {
    js_sys::Reflect::set(context, &"fillStyle".into(), &ink.0).ok();
}
