//! The stage: the network drawn on three canvases: what stands, what moves over it, and over both names and what is
//! laid over the network.

pub mod camera;
pub mod gesture;
mod heat;
pub mod image;
mod inks;
mod layer;
mod live;
mod overlay;
pub mod pick;
pub mod picture;
mod routes;
mod still;
mod stops;
pub mod usage;
mod waits;

pub use live::colour;
pub use overlay::Overlay;
pub use routes::{FailureMarks, PairMarks};

use crate::edit::Thing;
use crate::layout::Point;
use crate::protocol::Facts;
use camera::Camera;
use hopscope_core::observe::Snapshot;
use inks::Inks;
use layer::Layer;
use picture::Picture;
use std::collections::BTreeSet;
use std::rc::Rc;
use usage::Usage;
use web_sys::HtmlCanvasElement;

/// Something on its way to being drawn.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Ghost {
    /// Nothing.
    #[default]
    None,
    /// A link.
    Link {
        /// Start.
        from: Point,
        /// The pointer, or the switch under it.
        to: Point,
    },
    /// A switch.
    Switch {
        /// The pointer.
        at: Point,
    },
    /// A box to select with.
    Box {
        /// One corner.
        from: Point,
        /// The opposite one.
        to: Point,
    },
}

/// What is marked on the stage, besides the network and what moves in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marks {
    /// Selected things.
    pub selection: BTreeSet<Thing>,
    /// What the pointer is over.
    pub hover: Option<Thing>,
    /// What is being drawn.
    pub ghost: Ghost,
    /// Root of the spanning tree.
    pub root: Option<u32>,
    /// What is laid over the network.
    pub overlay: Overlay,
    /// What is known of the routes, for overlays.
    pub facts: Option<Rc<Facts>>,
    /// The pair whose routes are shown.
    pub pair: PairMarks,
    /// The failure whose consequences are shown.
    pub failure: FailureMarks,
    /// Whether worms are drawn; at high speed they are not.
    pub worms: bool,
    /// The pinned message.
    pub message: Option<u32>,
    /// The channels on its way.
    pub path: Vec<u32>,
    /// Channels of a deadlock, each waiting for the next.
    pub cycle: Vec<u32>,
}

/// With more channels than this, a network takes too long to be drawn in every frame.
const LARGE: usize = 2000;
/// A view that has not moved for so long rests.
const REST_MS: f64 = 140.0;

/// Draws the stage.
#[derive(Default)]
pub struct Stage {
    layers: Option<[Layer; 3]>,
    inks: Option<Inks>,
    ratio: f64,
    /// The view.
    pub camera: Camera,
    /// The network.
    pub picture: Rc<Picture>,
    /// What is marked.
    pub marks: Marks,
    /// The newest frame.
    pub frame: Snapshot,
    /// How the channels were used lately.
    pub usage: Usage,
    drawn: Option<(Camera, Rc<Picture>, Marks)>,
    /// The view of the last frame, and when it was last another one, milliseconds.
    seen: (Camera, f64),
}

impl Stage {
    /// Takes the canvases, lowest first.
    pub fn attach(&mut self, [lower, middle, upper]: [HtmlCanvasElement; 3]) {
        self.layers = match (Layer::new(lower), Layer::new(middle), Layer::new(upper)) {
            (Some(lower), Some(middle), Some(upper)) => Some([lower, middle, upper]),
            _ => None,
        };
        self.drawn = None;
    }

    /// Takes a size, CSS pixels, at so many device pixels each.
    pub fn resize(&mut self, size: Point, ratio: f64) {
        // The middle stays in the middle.
        self.camera.size = size;
        self.ratio = ratio;
        self.layers.iter_mut().flatten().for_each(|layer| layer.resize(size, ratio));
        self.drawn = None;
    }

    /// The theme changed.
    pub fn repaint(&mut self) {
        self.inks = None;
        self.drawn = None;
    }

    /// Gives the stage as it is seen, as a PNG file, to a function once it is made.
    pub fn png(&mut self, done: &js_sys::Function) {
        self.draw(f64::MAX);
        let (Some(layers), Some(inks)) = (&self.layers, &self.inks) else { return };
        layer::png(layers, inks, done);
    }

    /// Draws; what stands only if anything of it changed. While the view moves over a large network, what stands is
    /// moved as it was drawn; true asks for another call, to draw it when the view rests.
    pub fn draw(&mut self, now_ms: f64) -> bool {
        let Some([lower, middle, upper]) = &self.layers else { return false };
        let inks = self.inks.get_or_insert_with(Inks::of_page);
        if self.seen.0 != self.camera {
            self.seen = (self.camera, now_ms);
        }
        let same = self
            .drawn
            .as_ref()
            .filter(|(_, picture, marks)| Rc::ptr_eq(picture, &self.picture) && *marks == self.marks);
        let drawn = same.map(|(camera, ..)| *camera);
        let moves = now_ms - self.seen.1 < REST_MS && self.picture.lanes.len() > LARGE;
        let moved = drawn.filter(|drawn| *drawn != self.camera && moves && self.camera.is_near(drawn));
        if let Some(drawn) = moved {
            [lower, upper].iter().for_each(|layer| layer.move_drawn(&drawn, &self.camera));
        } else if drawn != Some(self.camera) {
            [lower, upper].iter().for_each(|layer| layer.move_drawn(&self.camera, &self.camera));
            still::draw(lower, &self.picture, &self.camera, inks, &self.marks);
            upper.begin(&self.camera);
            overlay::draw(upper, &self.picture, inks, &self.marks, 1.0 / self.camera.scale);
            still::names(upper, &self.picture, &self.camera, inks);
            self.drawn = Some((self.camera, Rc::clone(&self.picture), self.marks.clone()));
        }
        live::draw(middle, &self.picture, &self.camera, inks, &self.marks, (&self.frame, &self.usage));
        moved.is_some()
    }
}
