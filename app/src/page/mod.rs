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
mod obey;
mod routes;
mod run;
mod shell;
mod time;
mod tour;
mod worker_link;

pub use address::Linkable;
pub use files::{FileProblems, Import, PictureFormat};
use hopscope_core::order::gathered;
pub use keep::Kept;
pub use lesson::{Class, LessonStep, Teach, all as lessons};
pub use routes::{Answer, Routes, RoutesMsg};
pub use run::{Previous, Run, WorkerState};
pub use time::{Timing, Wish};
pub use tour::Tour;

use crate::command::Command;
use crate::document::Document;
use crate::edit::{Kind, Thing};
use crate::layout::Point;
use crate::stage::gesture::{Gesture, Intent, Tool};
use crate::stage::pick::Spot;
use crate::stage::{Overlay, Stage};
use crate::text::{Language, text};
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::formats::Format;
use keep::Keeper;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlCanvasElement, HtmlInputElement};
use worker_link::{Event, WorkerLink};
use yew::html::Scope;
use yew::prelude::*;

/// A browser that has not opened its store after this long has none: the page does not wait for it.
const PATIENCE_MS: i32 = 1500;

/// Starts the page, with what the browser kept.
pub fn run() {
    let page: Rc<RefCell<Option<yew::AppHandle<Page>>>> = Rc::default();
    let start = move |opened: Opened| {
        let mut page = page.borrow_mut();
        match (&*page, opened.keeper) {
            (None, keeper) => {
                *page = Some(yew::Renderer::with_props(Opened { keeper, kept: opened.kept }).render());
            }
            // It came late, but not too late to keep what is drawn from now on.
            (Some(page), Some(keeper)) => page.send_message(Msg::KeeperOpened(keeper)),
            (Some(_), None) => {}
        }
    };
    browser::language().speak();
    let without = start.clone();
    browser::after_ms(PATIENCE_MS, move || without(Opened::default()));
    wasm_bindgen_futures::spawn_local(async move {
        let keeper = Keeper::open().await.map(Rc::new);
        let kept = match &keeper {
            Some(keeper) => keeper.last().await.map(|kept| kept.json),
            None => None,
        };
        learn().await;
        start(Opened { keeper, kept });
    });
}

/// Fetches the words that only the language spoken needs; true if there are some that were not there before.
async fn learn() -> bool {
    if Language::spoken() != Language::Spanish || crate::text::knows_spanish() {
        return false;
    }
    let words = browser::file(crate::text::SPANISH_FILE).await;
    words.map(crate::text::learn_spanish).is_some()
}

/// What the page starts with.
#[derive(Clone, Default, Properties)]
pub struct Opened {
    keeper: Option<Rc<Keeper>>,
    kept: Option<String>,
}

impl PartialEq for Opened {
    fn eq(&self, other: &Opened) -> bool {
        self.kept == other.kept
    }
}

/// A change to the scenario, as panels ask for it.
#[derive(Clone)]
pub struct Change {
    /// What it is called.
    pub kind: Kind,
    /// Whether the gesture goes on: a slider being dragged.
    pub ongoing: bool,
    /// The change.
    pub apply: Rc<dyn Fn(&mut Scenario)>,
}

/// What can happen.
pub enum Msg {
    /// The worker says something.
    Worker(Event),
    /// Time to draw.
    AnimationFrame,
    /// A command.
    Do(Command),
    /// A change to the scenario.
    Change(Change),
    /// A slider was let go.
    GestureEnds,
    /// The pointer wants something of the stage.
    Intents(Vec<Intent>),
    /// A pointer event on the stage.
    Pointer(PointerKind, PointerEvent),
    /// The wheel was turned over the stage.
    Wheel(WheelEvent),
    /// The stage has another size, or the screen another resolution.
    Resized,
    /// The browser's theme changed.
    ThemeChanged,
    /// The speed slider.
    Speed(u32),
    /// The position slider.
    Seek(u64),
    /// What to stop at, repeat or list.
    Wish(Wish),
    /// Another panel.
    Tab(Tab),
    /// A dialog, or none.
    Dialog(Dialog),
    /// Text typed into the palette.
    PaletteText(String),
    /// Look at something.
    Pin(Pin),
    /// Look inside a switch, at the output of one of its ports, or no longer.
    LookInside(Option<InsideOf>),
    /// Look inside the switch the pointer is over, if it is over one.
    LookInsideHovered,
    /// Something is done in a lesson, or one begins.
    Teach(Teach),
    /// What is laid over the network.
    Overlay(Overlay),
    /// Something about routes.
    Routes(RoutesMsg),
    /// Enter was pressed on the stage.
    Enter,
    /// The next step of the first look, or its end.
    Tour(Tour),
    /// Text of a file that was picked, dropped or pasted, with its name.
    OpenText(String, String),
    /// A scenario to open as the document.
    OpenScenario(Box<Scenario>),
    /// So many hosts on every switch of the network about to be opened.
    ImportHosts(u32),
    /// Open the network that was shown.
    OpenImport,
    /// Save the network in a format.
    Export(Format),
    /// Save a picture of the stage.
    SavePicture(PictureFormat),
    /// A file is too large or cannot be read.
    FileTrouble(FileProblems),
    /// The list of what is wrong with a file was read.
    ForgetFile,
    /// The address was changed by hand or by going back.
    AddressChanged,
    /// From an arrow key on the stage: to the next switch or host in that direction, or past hosts.
    Walk(Point, bool),
    /// The same with Control: moves what is selected.
    Nudge(Point),
    /// Select a thing and look at it.
    Pick(Thing),
    /// Select a thing and do a command to it.
    Act(Thing, Command),
    /// What the list of the network is searched for.
    Find(String),
    /// Begin with the first look.
    StartOver,
    /// Time to have the browser keep the document.
    Keep,
    /// The place where documents are kept is there after all.
    KeeperOpened(Rc<Keeper>),
    /// The documents the browser keeps.
    KeptFound(Vec<Kept>),
    /// Words of the language spoken have come.
    Learnt,
    /// Say no more that the document is too large for a link.
    LinkKnown,
    /// The browser holds the page for use without a network; `true` for a newer build than the one that runs.
    Kept(bool),
    /// Start again with the newest build.
    Reload,
    /// Say something, on the screen and to screen readers.
    Say(String),
    /// It has been there long enough.
    Hush(u32),
}

/// Pointer events by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the events")]
pub enum PointerKind {
    Down,
    Move,
    Up,
    Cancel,
    Leave,
}

/// The panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Tab {
    Watch,
    Routing,
    Traffic,
    Network,
    Fabric,
    Time,
    /// There only during a lesson.
    Lesson,
}

/// What lies over the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Dialog {
    #[default]
    None,
    Gallery,
    Lessons,
    Palette,
    Shortcuts,
    Menu,
    Import,
    Export,
}

/// What the inspector shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Pin {
    #[default]
    None,
    Message(u32),
    Channel(u32),
    Switch(u32),
    Host(u32),
}

/// A switch looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InsideOf {
    /// The switch.
    pub switch: u32,
    /// The port whose output is shown at work; the first that sends if none was chosen.
    pub port: Option<u16>,
}

/// The themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Theme {
    Light,
    Dark,
    Projector,
}

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
    focus_before: Option<Element>,
    /// Where documents are kept; the one kept last; whether somebody will see to the one there is now.
    keeper: Option<Rc<Keeper>>,
    kept_last: Rc<Scenario>,
    keeping_asked: bool,
    refs: Refs,
    listeners: Vec<browser::Listener>,
}

/// Elements the page reaches for.
#[derive(Default)]
struct Refs {
    stage: NodeRef,
    layers: [NodeRef; 3],
    cycle: NodeRef,
    file: NodeRef,
    dialog: NodeRef,
    attached: bool,
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
            kept_last: if known { Rc::clone(document.scenario()) } else { Rc::new(tour::welcome()) },
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
            focus_before: None,
            refs: Refs::default(),
            listeners: input::listeners(ctx.link()),
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
        if let Msg::AnimationFrame = msg {
            if self.draw() {
                self.ask_to_draw(link);
            }
            return false;
        }
        let render = self.react(link, msg);
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
        let canvases = self.refs.layers.each_ref().map(|layer| layer.cast::<HtmlCanvasElement>());
        if !self.refs.attached
            && let [Some(lower), Some(middle), Some(upper)] = canvases
        {
            self.refs.attached = true;
            self.stage.attach([lower, middle, upper]);
            if let Some(stage) = self.refs.stage.cast::<Element>() {
                self.listeners.push(browser::on_resize(&stage, ctx.link().callback(|()| Msg::Resized)));
            }
            ctx.link().send_message(Msg::Resized);
        }
    }
}

impl Page {
    fn react(&mut self, link: &Scope<Page>, msg: Msg) -> bool {
        match msg {
            Msg::Worker(event) => return self.hear(link, event),
            Msg::AnimationFrame => return false,
            Msg::Do(command) => self.obey(link, command),
            Msg::Change(change) => self.change(change),
            Msg::GestureEnds => self.document.gesture_ends(),
            Msg::Intents(intents) => return self.follow(link, intents),
            Msg::Pointer(kind, event) => return self.pointer(link, kind, &event),
            Msg::Wheel(event) => {
                self.wheel(&event);
                return false;
            }
            Msg::Resized => {
                self.resize();
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
                Some(Spot::Switch(switch)) => self.look_inside(Some(InsideOf { switch, port: None })),
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
                self.stage.marks.selection = gathered([thing]);
                self.obey(link, command);
            }
            Msg::Find(words) => self.find = words,
            Msg::StartOver => self.start_over(),
            Msg::Keep => {
                self.keep_now();
                return false;
            }
            Msg::KeeperOpened(keeper) => self.keeper = Some(keeper),
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
            heading.dyn_into::<web_sys::HtmlElement>().iter().for_each(|heading| drop(heading.focus()));
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
        let margin = if width < 600.0 { [8.0, 60.0, 62.0, 8.0] } else { [76.0, 52.0, 36.0, 30.0] };
        // A stage too small for its margins is used whole.
        let margin = if height < 260.0 { [8.0; 4] } else { margin };
        self.stage.camera.fit(self.stage.picture.bounds(), margin.map(|m| m + 10.0));
    }

    /// Sets the language of everything.
    fn speak(&mut self, link: &Scope<Page>, language: Language) {
        language.speak();
        browser::keep_language(language);
        self.ask_for_words(link);
    }

    /// Has the words fetched that only this language needs.
    fn ask_for_words(&self, link: &Scope<Page>) {
        let link = link.clone();
        wasm_bindgen_futures::spawn_local(async move {
            if learn().await {
                link.send_message(Msg::Learnt);
            }
        });
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
