//! What can happen in the page, and the small things messages are made of.

use super::keep::{Keeper, Kept};
use super::lesson::Teach;
use super::routes::RoutesMsg;
use super::time::Wish;
use super::tour::Tour;
use super::worker_link::Event;
use super::{FileProblems, PictureFormat};
use crate::command::Command;
use crate::edit::{Kind, Thing};
use crate::layout::Point;
use crate::stage::Overlay;
use crate::stage::gesture::Intent;
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::formats::Format;
use std::rc::Rc;
use yew::prelude::{PointerEvent, WheelEvent};

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
    /// The stage is to be drawn anew.
    Redraw,
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
    /// The place where documents are kept is there after all, with the one kept last.
    KeeperOpened(Rc<Keeper>, Option<String>),
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
