//! The stage: the drawing of the network and of the messages that move in it.
//!
//! Every module here records drawing commands with a [`pen`]; [`screen`] passes the list to
//! `draw.js`, which draws it on a canvas. The network ([`still`]) and the overlays about routes
//! ([`overlay`]) are drawn on layers that are kept while they do not change. Messages ([`live`])
//! are drawn for every frame. [`gesture`] and [`pick`] handle the pointer. [`Stage::draw`] is the
//! entry point.

pub mod camera;
mod crowd;
mod flow;
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
pub mod trees;
pub mod usage;
mod waits;
mod worms;
mod wraps;

pub use marks::{
    FailureMarks, Ghost, Marks, OVERLAYS, Overlay, OverlayEntry, PairMarks, PathMarks,
};
pub use worms::colour;

use crate::layout::Point;
use camera::Camera;
use crowd::Crowd;
use flow::Flow;
use hopscope_core::observe::Snapshot;
use js_sys::{Array, Function};
use live::Seen;
use pen::{Layer, Pen};
use picture::Picture;
use screen::Screen;
use std::rc::Rc;
use trees::Trees;
use usage::Usage;
use web_sys::Element;

/// With more channels in view than this, drawing the network takes longer than a frame.
const LARGE: usize = 2000;
/// A view that has not moved for this long rests, milliseconds.
const REST_MS: f64 = 140.0;

/// Opacity of worms under an overlay about routes.
const FAINT: f32 = 0.18;

/// The stage: the view, the network, the marks and the newest frame, and the screen they go to.
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
    /// The marks.
    pub marks: Marks,
    /// The newest frame.
    pub frame: Snapshot,
    /// Recent use of the channels and hosts.
    pub usage: Usage,
    /// The congestion trees of the newest frame.
    pub trees: Trees,
    /// How crowded the links are with worms.
    pub crowd: Crowd,
    /// The motion of the chevrons on moving worms.
    pub flow: Flow,
    /// What the layers show; `None` if they have to be drawn.
    drawn: Option<(Camera, Rc<Picture>, Marks)>,
    /// The view of the last frame, and the time at which it last changed, milliseconds.
    seen: (Camera, f64),
}

impl Stage {
    /// Draws in this element from now on.
    pub fn attach(&mut self, place: &Element) {
        self.screen.replace(Screen::new(place)).iter().for_each(Screen::end);
    }

    /// Draws nowhere from now on, and ends the worker that draws.
    pub fn detach(&mut self) {
        self.screen.take().iter().for_each(Screen::end);
    }

    /// Sets the size of the canvas, CSS pixels, and the number of device pixels per CSS pixel. The
    /// stage point in the middle stays there.
    pub fn resize(&mut self, size: Point, ratio: f64) {
        self.camera.size = size;
        self.ratio = ratio as f32;
        self.drawn = None;
    }

    /// Draws everything again, because the theme has changed.
    pub fn repaint(&mut self) {
        self.palette = None;
        self.drawn = None;
    }

    /// Makes a PNG file of the visible stage and passes it to `done`.
    pub fn png(&mut self, done: &Function) {
        let Some(screen) = &self.screen else { return };
        let palette = self.palette.get_or_insert_with(inks::palette).clone();
        let mut pen = Pen::default();
        self.record(&mut pen, None);
        screen.picture(&pen.numbers, pen.texts, &palette, done);
    }

    /// Whether the worms in view are too many to be told apart.
    pub fn is_crowded(&mut self) -> bool {
        let Stage { picture, frame, camera, flow, crowd, .. } = self;
        crowd.judge(picture, frame, camera, flow.plays)
    }

    /// The end of the ramp that the overlay shows, 0 to 1; `None` without a ramp of shares.
    pub fn ramp_top(&self) -> Option<f32> {
        let marks = &self.marks;
        match (marks.overlay, heat::ramp(marks.overlay)) {
            (Overlay::Reserved, _) => Some(marks.reserved_top()),
            (_, Some(ramp)) => Some(if marks.whole_ramp { 1.0 } else { self.usage.top(ramp) }),
            _ => None,
        }
    }

    /// Takes the frame that [`Self::frame`] has become.
    pub fn take_frame(&mut self) {
        self.usage.update(&self.frame, self.picture.buffer_flits[0]);
        self.crowd.update(&self.picture, &self.frame);
        self.trees.update(&self.frame);
    }

    /// Draws a frame. The layers are drawn again only if the network, the marks or the view have
    /// changed. While the view of a large network moves, the layers are shown as they were, shifted
    /// and scaled.
    ///
    /// Returns whether another call is needed: to draw such layers sharply once the view rests, or
    /// because the screen is still busy with the last list and this frame was skipped.
    pub fn draw(&mut self, now_ms: f64) -> bool {
        self.flow.advance(self.frame.cycle, now_ms);
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

    /// Records a frame. The layers are shown as drawn for the view `kept`, or drawn again without
    /// it.
    fn record(&self, pen: &mut Pen, kept: Option<&Camera>) {
        let Stage { camera, picture, marks, ratio, .. } = self;
        let Stage { frame, usage, trees, crowd, flow, .. } = self;
        let seen = Seen { frame, usage, trees, crowd, flow };
        let live = |pen: &mut Pen| live::draw(pen, picture, camera, marks, seen);
        pen.begin(camera.size, *ratio);
        if kept.is_none() {
            pen.on(Layer::Still, camera, *ratio);
            still::draw(pen, picture, camera, marks);
            pen.on(Layer::Over, camera, *ratio);
            overlay::draw(pen, picture, marks, 1.0 / camera.scale);
            still::names(pen, picture, camera);
        }
        let faint = marks.overlay.hides_worms();
        if faint {
            pen.on(Layer::Moving, camera, *ratio);
            live(pen);
        }
        let views = [kept.unwrap_or(camera), camera];
        pen.on(Layer::Canvas, camera, *ratio);
        pen.show(Layer::Still, views, *ratio, 1.0);
        if faint {
            pen.show(Layer::Moving, [camera; 2], *ratio, FAINT);
        } else {
            live(pen);
        }
        pen.show(Layer::Over, views, *ratio, 1.0);
    }
}
