//! The stage: what stands, what moves over it, and over both names and what is laid over the
//! network. All of it is recorded ([`pen`]) and drawn elsewhere ([`screen`]).

pub mod camera;
pub mod gesture;
mod heat;
pub mod image;
mod inks;
mod label;
mod live;
mod marks;
mod overlay;
mod pen;
pub mod pick;
pub mod picture;
mod routes;
mod screen;
mod still;
mod stops;
pub mod usage;
mod waits;

pub use live::colour;
pub use marks::{FailureMarks, Ghost, Marks, Overlay, PairMarks};

use crate::layout::Point;
use camera::Camera;
use hopscope_core::observe::Snapshot;
use js_sys::{Array, Function};
use pen::{Pen, Sheet};
use picture::Picture;
use screen::Screen;
use std::rc::Rc;
use usage::Usage;
use web_sys::Element;

/// With more channels in view than this, a network takes too long to be drawn in every frame.
const LARGE: usize = 2000;
/// A view that has not moved for so long rests.
const REST_MS: f64 = 140.0;

/// How much is seen of worms that step back.
const FAINT: f32 = 0.18;

/// Draws the stage.
#[derive(Default)]
pub struct Stage {
    screen: Option<Screen>,
    pen: Pen,
    palette: Option<Array>,
    ratio: f32,
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
    /// What the sheets show.
    drawn: Option<(Camera, Rc<Picture>, Marks)>,
    /// The view of the last frame, and when it was last another one, milliseconds.
    seen: (Camera, f64),
}

impl Stage {
    /// Draws in an element from now on.
    pub fn attach(&mut self, place: &Element) {
        self.screen.replace(Screen::new(place)).iter().for_each(Screen::end);
    }

    /// Takes a size, CSS pixels, at so many device pixels each.
    pub fn resize(&mut self, size: Point, ratio: f64) {
        // The middle stays in the middle.
        self.camera.size = size;
        self.ratio = ratio as f32;
        self.drawn = None;
    }

    /// The theme changed.
    pub fn repaint(&mut self) {
        self.palette = None;
        self.drawn = None;
    }

    /// Gives the stage as it is seen, as a PNG file, to a function once it is made.
    pub fn png(&mut self, done: &Function) {
        let Some(screen) = &self.screen else { return };
        let palette = self.palette.get_or_insert_with(inks::palette).clone();
        let mut pen = Pen::default();
        self.record(&mut pen, None);
        screen.picture(&pen.numbers, pen.texts, &palette, done);
    }

    /// Draws; what stands only if anything of it changed. While the view moves over a large
    /// network, what stands is moved as it was drawn; true asks for another call, to draw it when
    /// the view rests, or to draw at all: one list at a time is drawn, and what would come before
    /// that is left out.
    pub fn draw(&mut self, now_ms: f64) -> bool {
        if self.seen.0 != self.camera {
            self.seen = (self.camera, now_ms);
        }
        let Some(screen) = &self.screen else { return false };
        if !screen.free() {
            return true;
        }
        let same = |(_, picture, marks): &&(Camera, Rc<Picture>, Marks)| {
            Rc::ptr_eq(picture, &self.picture) && *marks == self.marks
        };
        let drawn = self
            .drawn
            .as_ref()
            .filter(same)
            .filter(|_| !screen.empty())
            .map(|(camera, ..)| *camera);
        let moves = now_ms - self.seen.1 < REST_MS && self.in_view() > LARGE;
        let kept =
            drawn.filter(|drawn| *drawn == self.camera || moves && self.camera.is_near(drawn));
        let palette = self.palette.get_or_insert_with(inks::palette).clone();
        let mut pen = std::mem::take(&mut self.pen);
        self.record(&mut pen, kept.as_ref());
        screen.show(&pen.numbers, std::mem::take(&mut pen.texts), &palette);
        self.pen = pen;
        if kept.is_none() {
            self.drawn = Some((self.camera, Rc::clone(&self.picture), self.marks.clone()));
        }
        kept.is_some_and(|drawn| drawn != self.camera)
    }

    fn in_view(&self) -> usize {
        self.picture.lanes.iter().filter(|lane| self.camera.sees(lane.start, lane.end)).count()
    }

    /// Records what is to be seen; what stands as it was drawn for a view, or anew.
    fn record(&self, pen: &mut Pen, kept: Option<&Camera>) {
        let Stage { camera, picture, marks, ratio, .. } = self;
        let live =
            |pen: &mut Pen| live::draw(pen, picture, camera, marks, (&self.frame, &self.usage));
        pen.begin(camera.size, *ratio);
        if kept.is_none() {
            pen.on(Sheet::Still, camera, *ratio);
            still::draw(pen, picture, camera, marks);
            pen.on(Sheet::Over, camera, *ratio);
            overlay::draw(pen, picture, marks, 1.0 / camera.scale);
            still::names(pen, picture, camera);
        }
        let faint = marks.overlay.hides_worms();
        if faint {
            pen.on(Sheet::Moving, camera, *ratio);
            live(pen);
        }
        let views = [kept.unwrap_or(camera), camera];
        pen.on(Sheet::Canvas, camera, *ratio);
        pen.show(Sheet::Still, views, *ratio, 1.0);
        if faint {
            pen.show(Sheet::Moving, [camera; 2], *ratio, FAINT);
        } else {
            live(pen);
        }
        pen.show(Sheet::Over, views, *ratio, 1.0);
    }
}
