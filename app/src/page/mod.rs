//! The page: one component that holds the document, the run as the worker tells it, and how things are shown.
//! Documents flow one way: a command changes the scenario, the scenario goes to the worker, frames and numbers
//! come back to stage and panels, which hold nothing of their own.

mod address;
mod browser;
mod edits;
mod files;
mod input;
mod keep;
mod lesson;
mod msg;
mod obey;
mod routes;
mod run;
mod shell;
mod start;
mod time;
mod tour;
mod walk;
mod worker_link;

pub use address::Linkable;
pub use files::{FileProblems, Import, PictureFormat};
pub use keep::Kept;
pub use lesson::{Class, LessonStep, Teach, all as lessons};
pub use msg::{Change, Dialog, InsideOf, Msg, Pin, PointerKind, Tab, Theme};
pub use routes::{Answer, Routes, RoutesMsg};
pub use run::{Previous, Run, WorkerState};
pub use start::{Opened, run};
pub use time::{Timing, Wish};
pub use tour::Tour;

use crate::document::Document;
use crate::edit::Thing;
use crate::layout::Point;
use crate::stage::gesture::{Gesture, Tool};
use crate::stage::pick::Spot;
use crate::stage::{Overlay, Stage};
use crate::text::text;
use hopscope_core::scenario::Scenario;
use keep::Keeper;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlInputElement};
use worker_link::WorkerLink;
use yew::html::Scope;
use yew::prelude::*;

/// The page. Panels read it.
pub struct Page {
    /// The document.
    pub document: Document,
    /// The run, as the worker tells it.
    pub run: Run,
    /// The stage.
    pub stage: Stage,
    /// The tool in hand.
    pub tool: Tool,
    /// What the pointer is over.
    pub hover: Option<Spot>,
    /// Where the pointer is, or was last.
    pub hover_at: Point,
    /// What the inspector shows.
    pub pin: Pin,
    /// The switch looked into.
    pub inside: Option<InsideOf>,
    /// The panel shown.
    pub tab: Tab,
    /// What lies over the page.
    pub dialog: Dialog,
    /// Text in the palette.
    pub palette: String,
    /// The theme.
    pub theme: Theme,
    /// What is laid over the network.
    pub overlay: Overlay,
    /// What is known and asked about routes.
    pub routes: Routes,
    /// Position of the speed slider.
    pub speed: u32,
    /// What is wanted of time.
    pub timing: Timing,
    /// The lesson being taken.
    pub class: Option<Class>,
    /// The first look.
    pub tour: Tour,
    /// What was said last.
    pub notice: String,
    /// What is wrong with the file that was not opened.
    pub file: Option<FileProblems>,
    /// The page can be used without a network.
    pub kept: bool,
    /// A newer build is there.
    pub renewed: bool,
    /// Whether a link can hold the document.
    pub linkable: Linkable,
    /// Documents the browser keeps, as asked for last.
    pub kept_documents: Vec<Kept>,
    /// What the list of the network is searched for.
    pub find: String,
    /// What screen readers are told of last.
    pub spoken: Option<Thing>,
    /// The network about to be opened.
    pub import: Option<Import>,
    /// Whether things are placed on a grid.
    pub snap: bool,
    /// What was copied last.
    piece: Option<Scenario>,
    notices: u32,
    gesture: Gesture,
    worker: WorkerLink,
    frames: u32,
    words: Vec<u32>,
    drawing_asked: bool,
    drawn_ms: browser::Times,
    fit_asked: bool,
    /// The overlay whose legend was there when the view was last fitted.
    fitted_for: Overlay,
    focus_before: Option<Element>,
    /// Where documents are kept; the one kept last; whether somebody will see to the one there is now.
    keeper: Option<Rc<Keeper>>,
    kept_last: Rc<Scenario>,
    keeping_asked: bool,
    refs: Refs,
    _listeners: Vec<browser::Listener>,
}

/// Elements the page reaches for.
#[derive(Default)]
struct Refs {
    stage: NodeRef,
    drawn: NodeRef,
    cycle: NodeRef,
    file: NodeRef,
    dialog: NodeRef,
    /// Where the stage is drawn already.
    attached: Option<Element>,
    /// Of that element.
    resized: Option<browser::Listener>,
}

impl Component for Page {
    type Message = Msg;
    type Properties = Opened;

    fn create(ctx: &Context<Page>) -> Page {
        let theme = browser::theme();
        browser::set_theme(theme);
        let (opening, trouble) = address::opening(ctx.props().kept.as_deref());
        let lesson = address::lesson();
        let (scenario, tour, notice) = match opening {
            address::Opening::Link(scenario) => (scenario, Tour::Over, String::new()),
            address::Opening::Kept(scenario) => (scenario, Tour::CameBack, String::new()),
            address::Opening::Welcome => (tour::welcome(), Tour::UpDown, String::new()),
        };
        let document = Document::new(scenario);
        // What comes by a link is new to this browser.
        let known = tour != Tour::Over;
        let mut page = Page {
            kept_last: if known {
                Rc::clone(document.scenario())
            } else {
                Rc::new(tour::welcome())
            },
            keeper: ctx.props().keeper.clone(),
            keeping_asked: false,
            linkable: Linkable::Yes,
            kept_documents: Vec::new(),
            document,
            run: Run::default(),
            stage: Stage::default(),
            tool: Tool::default(),
            hover: None,
            hover_at: [0.0, 0.0],
            pin: Pin::None,
            inside: None,
            tab: Tab::Watch,
            dialog: Dialog::None,
            palette: String::new(),
            theme,
            overlay: Overlay::None,
            routes: Routes::default(),
            speed: run::START_SPEED,
            timing: Timing::default(),
            class: None,
            tour,
            notice: trouble.map_or(notice, |why| crate::text::fill(text().bad_link, &[&why])),
            file: None,
            kept: false,
            renewed: false,
            find: String::new(),
            spoken: None,
            import: None,
            snap: false,
            piece: None,
            notices: 0,
            gesture: Gesture::default(),
            worker: WorkerLink::start(ctx.link().callback(Msg::Worker)),
            frames: 0,
            words: Vec::new(),
            drawing_asked: false,
            drawn_ms: browser::Times::default(),
            fit_asked: true,
            fitted_for: Overlay::None,
            focus_before: None,
            refs: Refs::default(),
            _listeners: input::listeners(ctx.link()),
        };
        page.send_speed();
        page.run.play_when_loaded = !browser::reduced_motion();
        page.run.warm_when_loaded = tour == Tour::UpDown;
        match lesson {
            Some((id, locked)) => page.begin_lesson_named(&id, locked),
            None => page.document_changed(),
        }
        if page.run.number == 0 {
            page.document_changed();
        }
        page
    }

    fn update(&mut self, ctx: &Context<Page>, msg: Msg) -> bool {
        let link = ctx.link();
        let render = match msg {
            Msg::AnimationFrame => {
                if self.draw() {
                    self.ask_to_draw(link);
                }
                return false;
            }
            Msg::Worker(event) => self.hear(link, event),
            Msg::Redraw => false,
            Msg::Resized => {
                self.resize();
                false
            }
            other => self.react(link, other),
        };
        self.mark();
        self.ask_to_draw(link);
        self.ask_to_keep(link);
        render
    }

    fn view(&self, ctx: &Context<Page>) -> Html {
        shell::view(self, ctx.link())
    }

    fn rendered(&mut self, ctx: &Context<Page>, _first: bool) {
        self.focus_dialog();
        self.focus_step();
        let overlay = self.stage.marks.overlay;
        if std::mem::replace(&mut self.fitted_for, overlay) != overlay && self.fit_asked {
            self.fit();
            self.ask_to_draw(ctx.link());
        }
        // The page in another language has other elements.
        let drawn = self.refs.drawn.cast::<Element>();
        if drawn != self.refs.attached {
            self.refs.attached = drawn;
            self.refs.attached.iter().for_each(|place| self.stage.attach(place));
            if let Some(stage) = self.refs.stage.cast::<Element>() {
                self.refs.resized =
                    Some(browser::on_resize(&stage, ctx.link().callback(|()| Msg::Resized)));
            }
            ctx.link().send_message(Msg::Resized);
        }
    }
}

impl Page {
    /// Reacts to what does not come by itself.
    fn react(&mut self, link: &Scope<Page>, msg: Msg) -> bool {
        match msg {
            Msg::Worker(_) | Msg::AnimationFrame | Msg::Redraw | Msg::Resized => return false,
            Msg::Do(command) => self.obey(link, command),
            Msg::Change(change) => self.change(change),
            Msg::GestureEnds => self.document.gesture_ends(),
            Msg::Intents(intents) => return self.follow(link, intents),
            Msg::Pointer(kind, event) => return self.pointer(link, kind, &event),
            Msg::Wheel(event) => {
                self.wheel(&event);
                return false;
            }
            Msg::ThemeChanged => {
                self.theme = browser::theme();
                browser::set_theme(self.theme);
                self.stage.repaint();
            }
            Msg::Speed(step) => {
                self.speed = step.min(run::FASTEST);
                self.send_speed();
            }
            Msg::Seek(cycle) => self.seek(cycle),
            Msg::Wish(wish) => self.wish(wish),
            Msg::Tab(tab) => {
                self.tab = tab;
                self.send_listed();
            }
            Msg::Dialog(dialog) => {
                if dialog == Dialog::Gallery {
                    self.ask_for_kept(link);
                }
                self.dialog = dialog;
                self.palette.clear();
            }
            Msg::PaletteText(typed) => self.palette = typed,
            Msg::Pin(pin) => self.pin(pin),
            Msg::LookInside(inside) => self.look_inside(inside),
            Msg::LookInsideHovered => match self.hover {
                Some(Spot::Switch(switch)) => {
                    self.look_inside(Some(InsideOf { switch, port: None }))
                }
                _ => return false,
            },
            Msg::Teach(teach) => self.teach(teach),
            Msg::Overlay(overlay) => self.overlay = overlay,
            Msg::Routes(msg) => self.routes_react(link, msg),
            Msg::Enter => self.enter(link),
            Msg::Tour(tour) => self.take_tour(tour),
            Msg::OpenText(name, content) => self.open_text(link, &name, &content),
            Msg::OpenScenario(scenario) => self.open(link, *scenario),
            Msg::ImportHosts(count) => self.import_hosts(count),
            Msg::OpenImport => self.open_import(link),
            Msg::Export(format) => self.export(link, format),
            Msg::SavePicture(format) => self.save_picture(link, format),
            Msg::FileTrouble(trouble) => self.file = Some(trouble),
            Msg::ForgetFile => self.file = None,
            Msg::AddressChanged => self.address_changed(link),
            Msg::Walk(direction, only_switches) => self.walk(direction, only_switches),
            Msg::Nudge(direction) => self.nudge(direction),
            Msg::Pick(thing) => self.pick(thing),
            Msg::Act(thing, command) => {
                self.stage.marks.selection = [thing].into();
                self.obey(link, command);
            }
            Msg::Find(words) => self.find = words,
            Msg::StartOver => self.start_over(),
            Msg::Keep => {
                self.keep_now();
                return false;
            }
            Msg::KeeperOpened(keeper, kept) => self.keeper_opened(keeper, kept),
            Msg::KeptFound(kept) => self.kept_documents = kept,
            Msg::Learnt => {}
            Msg::LinkKnown => self.linkable = Linkable::Known,
            Msg::Kept(newer) => {
                self.kept = true;
                self.renewed |= newer;
            }
            Msg::Reload => browser::reload(),
            Msg::Say(words) => self.say(link, words),
            Msg::Hush(notice) if notice == self.notices => self.notice.clear(),
            Msg::Hush(_) => return false,
        }
        true
    }

    /// The scenario.
    pub fn scenario(&self) -> &Rc<Scenario> {
        self.document.scenario()
    }

    fn say(&mut self, link: &Scope<Page>, words: String) {
        self.notices += 1;
        self.notice = words;
        let (link, number) = (link.clone(), self.notices);
        browser::after_ms(6000, move || link.send_message(Msg::Hush(number)));
    }

    /// A dialog that opens takes the focus; it goes back to where it was when that closes.
    fn focus_dialog(&mut self) {
        let document = browser::document();
        match (self.refs.dialog.cast::<web_sys::HtmlElement>(), self.focus_before.take()) {
            (Some(dialog), None) => {
                self.focus_before = document.active_element();
                let field = dialog.query_selector("input").ok().flatten();
                let field = field.and_then(|field| field.dyn_into::<web_sys::HtmlElement>().ok());
                field.unwrap_or(dialog).focus().ok();
            }
            (None, Some(before)) => {
                if let Ok(before) = before.dyn_into::<web_sys::HtmlElement>() {
                    before.focus().ok();
                }
            }
            (_, kept) => self.focus_before = kept,
        }
    }

    /// The heading of a lesson's new step takes the focus, so that the keyboard and screen readers go on from there.
    fn focus_step(&mut self) {
        let Some(class) = &mut self.class else { return };
        let heading = browser::document().get_element_by_id("lesson-step");
        if let (true, Some(heading)) = (class.focus, heading) {
            class.focus = false;
            self.focus_before = None;
            heading
                .dyn_into::<web_sys::HtmlElement>()
                .iter()
                .for_each(|heading| drop(heading.focus()));
        }
    }

    fn ask_to_draw(&mut self, link: &Scope<Page>) {
        if !self.drawing_asked {
            self.drawing_asked = true;
            let link = link.clone();
            browser::on_animation_frame(move || link.send_message(Msg::AnimationFrame));
        }
    }

    fn resize(&mut self) {
        let Some(stage) = self.refs.stage.cast::<Element>() else { return };
        let size = [stage.client_width() as f32, stage.client_height() as f32];
        if size[0] < 1.0 || size[1] < 1.0 {
            return;
        }
        self.stage.resize(size, browser::pixel_ratio());
        if self.fit_asked {
            self.fit();
        }
    }

    /// Shows all of the network, clear of what lies over the stage.
    fn fit(&mut self) {
        self.fit_asked = true;
        let [width, height] = self.stage.camera.size;
        let mut margin =
            if width < 600.0 { [8.0, 60.0, 62.0, 8.0] } else { [76.0, 66.0, 36.0, 30.0] };
        // An overlay's legend lies at the top, or at the bottom of a narrow page.
        if let Some([top, bottom]) = self.legend_place() {
            let (side, room) = if top + bottom < height { (1, bottom) } else { (3, height - top) };
            margin[side] = room.max(margin[side]);
        }
        // A stage too small for its margins is used whole.
        let margin = if height < 260.0 { [8.0; 4] } else { margin };
        self.stage.camera.fit(self.stage.picture.bounds(), margin.map(|m| m + 10.0));
    }

    /// From where to where on the stage the legend of an overlay is, if there is one.
    fn legend_place(&self) -> Option<[f32; 2]> {
        let stage = self.refs.stage.cast::<Element>()?.get_bounding_client_rect();
        let legend =
            browser::document().get_element_by_id("overlay-legend")?.get_bounding_client_rect();
        Some([legend.top(), legend.bottom()].map(|y| (y - stage.top()) as f32))
    }

    /// Step of the speed slider that is as fast as possible.
    pub const FASTEST: u32 = run::FASTEST;

    /// Where the cycle is shown; drawing writes it there, many times a second.
    pub fn cycle_ref(&self) -> NodeRef {
        self.refs.cycle.clone()
    }

    /// The open dialog.
    pub fn dialog_ref(&self) -> NodeRef {
        self.refs.dialog.clone()
    }

    fn file_input(&self) -> Option<HtmlInputElement> {
        self.refs.file.cast()
    }
}
