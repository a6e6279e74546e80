//! Icons: strokes on a square of 24.

use yew::prelude::*;

/// The icons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after what they show")]
pub enum Icon {
    Play,
    Pause,
    StepEvent,
    StepMany,
    Step,
    Back,
    Reset,
    Undo,
    Redo,
    Open,
    Save,
    Link,
    Menu,
    Gallery,
    Help,
    Search,
    Theme,
    Pointer,
    Switch,
    Host,
    Wire,
    Plus,
    Minus,
    Fit,
    Close,
    Copy,
    Learn,
    Layers,
    Chart,
    Check,
}

/// An icon, for the eyes only.
pub fn icon(icon: Icon) -> Html {
    let filled = matches!(
        icon,
        Icon::Play
            | Icon::Pause
            | Icon::StepEvent
            | Icon::StepMany
            | Icon::Step
            | Icon::Back
            | Icon::Reset
    );
    let path = match icon {
        Icon::Play => "M7 4.5v15l12.5-7.5z",
        Icon::Pause => "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
        Icon::StepEvent => {
            "M5 4.5v15l9-7.5zM15.500 12a3.200 3.200 0 1 0 6.400 0a3.200 3.200 0 1 0-6.400 0z"
        }
        Icon::StepMany => "M3 4.500v15l7-7.500zM10 4.500v15l7-7.500zM17.500 4.500h3v15h-3z",
        Icon::Step => "M5 4.5v15l10-7.5zM16.500 4.500h3v15h-3z",
        Icon::Back => "M19 4.5v15l-10-7.5zM4.500 4.500h3v15h-3z",
        Icon::Reset => "M20.500 5v14l-8-7zM12 5v14l-8-7z",
        Icon::Undo => "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
        Icon::Redo => "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
        Icon::Open => {
            "M3 6.500A1.500 1.500 0 0 1 4.500 5H9l2 2.500h8.500A1.500 1.500 0 0 1 21 9v9.500a1.500 1.500 0 0 1-1.500 1.500h-15A1.500 1.500 0 0 1 3 18.500z"
        }
        Icon::Save => "M12 3v12M7 10l5 5 5-5M4 17v3.500h16V17",
        Icon::Link => {
            "M10 14a4.500 4.500 0 0 0 6.500 0l3-3A4.600 4.600 0 0 0 13 4.500l-1.500 1.500M14 10a4.500 4.500 0 0 0-6.500 0l-3 3A4.600 4.600 0 0 0 11 19.500l1.500-1.500"
        }
        Icon::Menu => "M4 6.500h16M4 12h16M4 17.500h16",
        Icon::Gallery => "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
        Icon::Help => {
            "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.01M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18z"
        }
        Icon::Search => {
            "M10.500 4a6.500 6.500 0 1 1 0 13a6.500 6.500 0 1 1 0-13zM15.500 15.500L21 21"
        }
        Icon::Theme => "M12 3a9 9 0 1 0 9 9a7 7 0 0 1-9-9z",
        Icon::Pointer => "M5 3l14 8-6.500 1.500L9 19z",
        Icon::Switch => "M5 5h14v14H5zM9 12h6M12 9v6",
        Icon::Host => "M12 7a5 5 0 1 1 0 10a5 5 0 1 1 0-10z",
        Icon::Wire => {
            "M7 17L17 7M5 16a3 3 0 1 1 0 5.900a3 3 0 1 1 0-5.900zM19 2.100a3 3 0 1 1 0 5.900a3 3 0 1 1 0-5.900z"
        }
        Icon::Plus => "M12 5v14M5 12h14",
        Icon::Minus => "M5 12h14",
        Icon::Fit => "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
        Icon::Close => "M6 6l12 12M18 6L6 18",
        Icon::Copy => "M8 8h12v12H8zM16 8V4H4v12h4",
        Icon::Learn => "M12 5L2 10l10 5 10-5zM6 12v5c3 2.700 9 2.700 12 0v-5M22 10v6",
        Icon::Chart => "M4 4v16h16M8 16l4-4 3 2 5-8",
        Icon::Check => "M5 12.500l4.500 4.500L19 7.500",
        Icon::Layers => "M12 3l9 5-9 5-9-5zM3 12.500l9 5 9-5M3 17l9 5 9-5",
    };
    html! {
        <svg class={if filled { "icon filled" } else { "icon" }} viewBox="0 0 24 24" aria-hidden="true">
            <path d={path} />
        </svg>
    }
}
