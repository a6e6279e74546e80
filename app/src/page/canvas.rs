//! The part of the page that is drawn: asks for animation frames, keeps the drawing in its element,
//! and remembers whether the whole network is to stay in view.

use super::browser::{self, Listener, Times};
use crate::frame;
use crate::panels::view::Elements;
use crate::stage::{Overlay, Stage};
use web_sys::Element;
use yew::Callback;

/// Space kept free around the network, pixels.
const MARGIN: f32 = 10.0;
/// A lower stage has no space for the margins of what lies over it.
const LOW_STAGE: f32 = 260.0;
/// The network is shown beside the inside of a switch if there is as much space for it.
const LEAST_BESIDE: f32 = 160.0;
/// A narrower stage has its controls elsewhere.
const NARROW_STAGE: f32 = 600.0;

/// What lies over the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Beside {
    /// The legend of an overlay.
    pub overlay: Overlay,
    /// The words of that legend on a crowd of worms.
    pub crowded: bool,
    /// The sign of a deadlock.
    pub deadlocked: bool,
    /// The inside of a switch.
    pub inside: bool,
    /// The height of the open legend of signs, pixels. Its signs depend on the fabric, its words on
    /// the language.
    pub legend: Option<i32>,
}

/// The part of the page that is drawn.
pub struct Canvas {
    /// Frames of the worker drawn so far.
    frames: u32,
    words: Vec<u32>,
    frame_requested: bool,
    times: Times,
    /// Whether the whole network stays in view until the user moves the view.
    keeps_fit: bool,
    /// What lay over the stage when the view was last fitted.
    fitted_for: Beside,
    attached: Option<Element>,
    resize_listener: Option<Listener>,
}

impl Canvas {
    /// Before anything is drawn.
    pub fn new() -> Canvas {
        Canvas {
            frames: 0,
            words: Vec::new(),
            frame_requested: false,
            times: Times::default(),
            keeps_fit: true,
            fitted_for: Beside::default(),
            attached: None,
            resize_listener: None,
        }
    }

    /// Has the page draw with the browser's next animation frame.
    pub fn request_frame(&mut self, draw: Callback<()>) {
        if !self.frame_requested {
            self.frame_requested = true;
            browser::on_animation_frame(move || draw.emit(()));
        }
    }

    /// The user has moved the view: it stays where it is.
    pub fn release_fit(&mut self) {
        self.keeps_fit = false;
    }

    /// Shows the whole network, clear of what lies over the stage.
    pub fn fit(&mut self, stage: &mut Stage, elements: &Elements) {
        self.keeps_fit = true;
        let [width, height] = stage.camera.size;
        let over = Over {
            overlay: union(["overlay-legend", "deadlock"].map(|id| extent(elements, id))),
            inside: inside_end(elements),
            legend: extent(elements, "legend")
                .filter(|_| self.fitted_for.legend.is_some())
                .map(|[top, _]| top),
        };
        let margin = margins([width, height], over);
        stage.camera.fit(stage.picture.bounds(), margin.map(|m| m + MARGIN));
    }

    /// Takes the size of the stage's element.
    pub fn resize(&mut self, stage: &mut Stage, elements: &Elements) {
        let Some(element) = elements.stage.cast::<Element>() else { return };
        let size = [element.client_width() as f32, element.client_height() as f32];
        if size[0] < 1.0 || size[1] < 1.0 {
            return;
        }
        stage.resize(size, browser::pixel_ratio());
        if self.keeps_fit {
            self.fit(stage, elements);
        }
    }

    /// After rendering: fits the view again if what lies over the stage has changed, but not while
    /// the user draws. True if it did.
    pub fn refit(
        &mut self,
        stage: &mut Stage,
        elements: &Elements,
        beside: Beside,
        draws: bool,
    ) -> bool {
        let changed = std::mem::replace(&mut self.fitted_for, beside) != beside;
        let refits = changed && self.keeps_fit && !draws;
        if refits {
            self.fit(stage, elements);
        }
        refits
    }

    /// After rendering: draws into the element of the page, which is another one after a change of
    /// language. True if it is.
    pub fn attach(
        &mut self,
        stage: &mut Stage,
        elements: &Elements,
        resized: Callback<()>,
    ) -> bool {
        let drawn = elements.drawn.cast::<Element>();
        let changed = drawn != self.attached;
        if changed {
            self.attached = drawn;
            if let Some(place) = &self.attached {
                stage.attach(place);
            }
            let element = elements.stage.cast::<Element>();
            self.resize_listener = element.map(|element| browser::on_resize(&element, resized));
        }
        changed
    }

    /// Takes a frame of the worker, unless it belongs to another scenario than this number. True if
    /// it took one.
    pub fn take_frame(&mut self, stage: &mut Stage, number: u32) -> bool {
        match frame::decode(&self.words, &mut stage.frame) {
            Some(document) if document == number => self.frames += 1,
            Some(_) => stage.frame = Default::default(),
            None => return false,
        }
        stage.take_frame();
        true
    }

    /// The buffer that a frame of the worker is copied into.
    pub fn words(&mut self) -> &mut Vec<u32> {
        &mut self.words
    }

    /// Draws the stage. True if another animation frame is needed.
    pub fn draw(&mut self, stage: &mut Stage, elements: &Elements) -> bool {
        let start = browser::now_ms();
        if let Some(cycle) = elements.cycle.cast::<Element>() {
            cycle.set_text_content(Some(&crate::text::number(stage.frame.cycle)));
            cycle.set_attribute("data-frames", &self.frames.to_string()).ok();
        }
        stage.flow.is_still = browser::reduced_motion();
        let again = stage.draw(start);
        self.times.add(browser::now_ms() - start);
        if let Some(element) = elements.stage.cast::<Element>() {
            let [x, y] = stage.camera.to_screen([0.0, 0.0]);
            let view = format!("{x} {y} {}", stage.camera.scale);
            let time = format!("{:.2}", self.times.percentile_95());
            element.set_attribute("data-draw-ms", &time).ok();
            // Pixels of stage point 0 0, and pixels per stage unit: tests that point need them.
            element.set_attribute("data-view", &view).ok();
        }
        again
    }

    /// An animation frame has come.
    pub fn frame_begins(&mut self) {
        self.frame_requested = false;
    }
}

/// Top and bottom of an element over the stage, pixels from the top of the stage, if it is shown.
fn extent(elements: &Elements, id: &str) -> Option<[f32; 2]> {
    let stage = elements.stage.cast::<Element>()?.get_bounding_client_rect();
    let element = browser::document().get_element_by_id(id)?.get_bounding_client_rect();
    if element.height() == 0.0 {
        return None;
    }
    Some([element.top(), element.bottom()].map(|y| (y - stage.top()) as f32))
}

/// From the top of the upper to the bottom of the lower of two extents.
fn union([a, b]: [Option<[f32; 2]>; 2]) -> Option<[f32; 2]> {
    let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
    Some([a[0].min(b[0]), a[1].max(b[1])])
}

/// The height of the legend of signs, pixels.
pub fn legend_height() -> Option<i32> {
    Some(browser::document().get_element_by_id("legend")?.client_height())
}

/// The right side of the inside of a switch, pixels from the left of the stage, if it is shown.
fn inside_end(elements: &Elements) -> Option<f32> {
    let stage = elements.stage.cast::<Element>()?.get_bounding_client_rect();
    let inside = browser::document().get_element_by_id("inside")?.get_bounding_client_rect();
    Some((inside.right() - stage.left()) as f32)
}

/// What lies over the stage, pixels from its top and left.
#[derive(Debug, Clone, Copy, Default)]
struct Over {
    /// Top of an overlay's legend, and bottom of it or of the sign of a deadlock under it.
    overlay: Option<[f32; 2]>,
    /// Right side of the inside of a switch.
    inside: Option<f32>,
    /// Top of the legend of signs, which lies at the bottom.
    legend: Option<f32>,
}

/// Space for what lies over a stage of this size, pixels: left, top, right, bottom. An overlay's
/// legend lies at the top, or at the bottom of a narrow stage, and the inside of a switch at the
/// left. What leaves no space for the network has none kept free.
fn margins([width, height]: [f32; 2], over: Over) -> [f32; 4] {
    if height < LOW_STAGE {
        return [8.0; 4];
    }
    let mut margins =
        if width < NARROW_STAGE { [8.0, 60.0, 62.0, 8.0] } else { [76.0, 66.0, 36.0, 30.0] };
    if let Some([top, bottom]) = over.overlay {
        let (side, size) = if top + bottom < height { (1, bottom) } else { (3, height - top) };
        margins[side] = size.max(margins[side]);
    }
    if let Some(top) = over.legend.filter(|top| *top > height / 2.0) {
        margins[3] = (height - top).max(margins[3]);
    }
    if let Some(end) = over.inside.filter(|end| width - end > LEAST_BESIDE) {
        margins[0] = end.max(margins[0]);
    }
    margins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_keeps_clear_of_what_lies_over_the_stage() {
        let size = [900.0, 700.0];
        let none = Over::default();
        assert_eq!(margins(size, none), [76.0, 66.0, 36.0, 30.0]);
        let top = Over { overlay: Some([10.0, 120.0]), ..none };
        assert_eq!(margins(size, top), [76.0, 120.0, 36.0, 30.0]);
        let bottom = Over { overlay: Some([600.0, 690.0]), ..none };
        assert_eq!(margins([400.0, 700.0], bottom), [8.0, 60.0, 62.0, 100.0]);
        assert_eq!(margins([900.0, 200.0], top), [8.0; 4]);
        let over = union([Some([10.0, 60.0]), Some([70.0, 120.0])]);
        assert_eq!(margins(size, Over { overlay: over, ..none }), [76.0, 120.0, 36.0, 30.0]);
        let inside = |end| Over { inside: Some(end), ..none };
        assert_eq!(margins(size, inside(500.0)), [500.0, 66.0, 36.0, 30.0]);
        assert_eq!(margins(size, inside(880.0)), [76.0, 66.0, 36.0, 30.0]);
        let legend = |top| Over { legend: Some(top), ..none };
        assert_eq!(margins(size, legend(580.0)), [76.0, 66.0, 36.0, 120.0]);
        assert_eq!(margins(size, legend(200.0)), [76.0, 66.0, 36.0, 30.0]);
    }
}
