//! Turns pointer events into [`Intent`]s: drag, draw, select, pan, pinch.
//!
//! [`Gesture`] holds the gesture in progress. It moves the camera and the ghost of the [`Scene`]
//! itself; the page carries out everything else.

use super::camera::Camera;
use super::marks::Ghost;
use super::pick::{self, Spot};
use super::picture::Picture;
use crate::edit::Thing;
use crate::layout::Point;
use std::collections::BTreeSet;

/// The tool in hand: what a press or drag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tool {
    /// Selects, moves, inspects.
    #[default]
    Select,
    /// Places switches.
    Switch,
    /// Adds hosts to the switch pressed.
    Host,
    /// Draws links from switch to switch.
    Link,
    /// Chooses the root of the spanning tree.
    Root,
    /// Chooses the two ends of a pair.
    Pair,
    /// Picks the hosts that send in a flow.
    Senders,
}

impl Tool {
    /// Whether it adds to the network.
    pub fn draws(self) -> bool {
        matches!(self, Tool::Switch | Tool::Host | Tool::Link)
    }
}

/// A pointer event.
#[derive(Debug, Clone, Copy)]
pub struct Pointer {
    /// The browser's number of the finger or mouse.
    pub id: i32,
    /// CSS pixels from the stage's corner.
    pub at: Point,
    /// True for a finger, which points less precisely than a mouse.
    pub touch: bool,
    /// True if Shift, Control or Command is held: add to the selection, or draw a box.
    pub extend: bool,
    /// True for the middle button, which always pans.
    pub middle: bool,
}

/// What a gesture asks the page to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    /// Select these, and nothing else unless `extend`.
    Select {
        /// The things.
        things: BTreeSet<Thing>,
        /// Keep what is selected; toggle these.
        extend: bool,
    },
    /// Inspect a place.
    Inspect {
        /// The place, if any.
        spot: Option<Spot>,
        /// The stage point.
        at: Point,
    },
    /// Show the things moved by an offset.
    Drag {
        /// The things.
        things: BTreeSet<Thing>,
        /// Offset from their positions, stage units.
        by: Point,
    },
    /// End the drag: the things stay where they are shown.
    Drop,
    /// Place a switch.
    AddSwitch(Point),
    /// Add a host.
    AddHost(u32),
    /// Draw a link.
    AddLink(u32, u32),
    /// Choose a switch, as root or as an end of a pair.
    Choose(u32),
    /// Pick these hosts as senders, or no longer.
    PickHosts(Vec<u32>),
    /// Redraw: the view or the ghost has changed.
    Viewed,
    /// The pointer moved without a press.
    Hover {
        /// The place, if any.
        spot: Option<Spot>,
        /// The stage point.
        at: Point,
    },
}

/// A press that moves less than this many pixels is a click.
const CLICK: f32 = 5.0;

/// The gesture in progress.
#[derive(Debug, Default)]
pub struct Gesture {
    fingers: Vec<(i32, Point)>,
    doing: Doing,
}

#[derive(Debug, Default)]
enum Doing {
    #[default]
    Nothing,
    Pressed {
        start: Point,
        spot: Option<Spot>,
        extend: bool,
    },
    Pan {
        last: Point,
    },
    Drag {
        things: BTreeSet<Thing>,
        start: Point,
    },
    Box {
        start: Point,
    },
    Link {
        from: u32,
    },
    Pinch,
}

/// The parts of the stage that gestures read and change.
pub struct Scene<'a> {
    /// The view.
    pub camera: &'a mut Camera,
    /// The network.
    pub picture: &'a Picture,
    /// The selection.
    pub selection: &'a BTreeSet<Thing>,
    /// The ghost of what is being drawn.
    pub ghost: &'a mut Ghost,
    /// The tool in hand.
    pub tool: Tool,
}

impl Scene<'_> {
    fn spot(&self, pointer: &Pointer) -> Option<Spot> {
        let reach = if pointer.touch { 14.0 } else { 4.0 } / self.camera.scale;
        pick::spot(self.picture, self.camera.to_stage(pointer.at), reach.min(40.0))
    }

    fn switch(&self, pointer: &Pointer) -> Option<u32> {
        match self.spot(pointer) {
            Some(Spot::Switch(i)) => Some(i),
            _ => None,
        }
    }
}

impl Gesture {
    /// A button or finger goes down.
    pub fn down(&mut self, pointer: Pointer, scene: &mut Scene) -> Vec<Intent> {
        self.fingers.retain(|(id, _)| *id != pointer.id);
        self.fingers.push((pointer.id, pointer.at));
        *scene.ghost = Ghost::None;
        if self.fingers.len() > 1 {
            let dropped = matches!(self.doing, Doing::Drag { .. }).then_some(Intent::Drop);
            self.doing = Doing::Pinch;
            return dropped.into_iter().collect();
        }
        if pointer.middle {
            self.doing = Doing::Pan { last: pointer.at };
            return Vec::new();
        }
        let spot = scene.spot(&pointer);
        self.doing = match (scene.tool, spot) {
            (Tool::Link, Some(Spot::Switch(from))) => Doing::Link { from },
            _ => Doing::Pressed { start: pointer.at, spot, extend: pointer.extend },
        };
        Vec::new()
    }

    /// The pointer moves, pressed or not.
    pub fn moved(&mut self, pointer: Pointer, scene: &mut Scene) -> Vec<Intent> {
        let before = self.fingers.iter().position(|(id, _)| *id == pointer.id);
        if let Doing::Pinch = self.doing {
            return before.map(|i| self.pinch(i, pointer.at, scene)).unwrap_or_default();
        }
        let at = scene.camera.to_stage(pointer.at);
        match &mut self.doing {
            Doing::Nothing => {
                *scene.ghost =
                    if scene.tool == Tool::Switch { Ghost::Switch { at } } else { Ghost::None };
                vec![Intent::Hover { spot: scene.spot(&pointer), at }]
            }
            Doing::Pressed { start, spot, extend } => {
                if distance(*start, pointer.at) < CLICK {
                    return Vec::new();
                }
                let thing = match spot {
                    Some(Spot::Switch(i)) if scene.tool == Tool::Select => Some(Thing::Switch(*i)),
                    Some(Spot::Host(i)) if scene.tool == Tool::Select => Some(Thing::Host(*i)),
                    _ => None,
                };
                let start = *start;
                match thing {
                    Some(thing) => {
                        let selected = scene.selection.contains(&thing);
                        let things = if selected {
                            scene.selection.clone()
                        } else {
                            BTreeSet::from([thing])
                        };
                        let select = Intent::Select { things: things.clone(), extend: false };
                        self.doing = Doing::Drag { things, start: scene.camera.to_stage(start) };
                        let mut intents = vec![select];
                        intents.extend(self.moved(pointer, scene));
                        intents
                    }
                    None if *extend => {
                        self.doing = Doing::Box { start: scene.camera.to_stage(start) };
                        self.moved(pointer, scene)
                    }
                    None => {
                        self.doing = Doing::Pan { last: start };
                        self.moved(pointer, scene)
                    }
                }
            }
            Doing::Pan { last } => {
                let by = [pointer.at[0] - last[0], pointer.at[1] - last[1]];
                *last = pointer.at;
                scene.camera.pan(by);
                vec![Intent::Viewed]
            }
            Doing::Drag { things, start } => {
                let by = [at[0] - start[0], at[1] - start[1]];
                vec![Intent::Drag { things: things.clone(), by }]
            }
            Doing::Box { start } => {
                *scene.ghost = Ghost::Box { from: *start, to: at };
                vec![Intent::Viewed]
            }
            Doing::Link { from } => {
                let from = scene.picture.switches.get(*from as usize).copied().unwrap_or(at);
                let over =
                    scene.switch(&pointer).and_then(|i| scene.picture.switches.get(i as usize));
                *scene.ghost = Ghost::Link { from, to: over.copied().unwrap_or(at) };
                vec![Intent::Viewed]
            }
            Doing::Pinch => Vec::new(),
        }
    }

    /// A button or finger goes up.
    pub fn up(&mut self, pointer: Pointer, scene: &mut Scene) -> Vec<Intent> {
        self.fingers.retain(|(id, _)| *id != pointer.id);
        let at = scene.camera.to_stage(pointer.at);
        *scene.ghost = Ghost::None;
        match std::mem::take(&mut self.doing) {
            Doing::Pressed { spot, extend, .. } => match (scene.tool, spot) {
                (Tool::Switch, _) => vec![Intent::AddSwitch(at)],
                (Tool::Host, Some(Spot::Switch(i))) => vec![Intent::AddHost(i)],
                (Tool::Root | Tool::Pair, Some(Spot::Switch(i))) => vec![Intent::Choose(i)],
                (Tool::Root | Tool::Pair, Some(Spot::Host(i))) => {
                    let host = scene.picture.network.hosts.get(i as usize);
                    host.map(|host| Intent::Choose(host.switch)).into_iter().collect()
                }
                (Tool::Senders, Some(Spot::Host(i))) => vec![Intent::PickHosts(vec![i])],
                (Tool::Senders, Some(Spot::Switch(i))) => {
                    vec![Intent::PickHosts(scene.picture.hosts_of(i))]
                }
                (Tool::Root | Tool::Pair | Tool::Senders, _) => vec![Intent::Viewed],
                _ => {
                    let things: BTreeSet<_> =
                        spot.and_then(|spot| spot.thing(scene.picture)).into_iter().collect();
                    vec![Intent::Select { things, extend }, Intent::Inspect { spot, at }]
                }
            },
            Doing::Drag { .. } => vec![Intent::Drop],
            Doing::Box { start } => {
                let things = pick::inside(scene.picture, start, at);
                if scene.tool == Tool::Senders {
                    let host = |thing: &Thing| match thing {
                        Thing::Host(host) => Some(*host),
                        _ => None,
                    };
                    return vec![Intent::PickHosts(things.iter().filter_map(host).collect())];
                }
                vec![Intent::Select { things, extend: true }]
            }
            Doing::Link { from } => match scene.switch(&pointer) {
                Some(to) if to != from => vec![Intent::AddLink(from, to)],
                _ => vec![Intent::Viewed],
            },
            // The finger that stays does nothing until it is lifted.
            Doing::Pinch if !self.fingers.is_empty() => {
                self.doing = Doing::Pinch;
                Vec::new()
            }
            Doing::Pan { .. } | Doing::Nothing | Doing::Pinch => vec![Intent::Viewed],
        }
    }

    /// The browser cancelled the pointer.
    pub fn cancel(&mut self, id: i32, scene: &mut Scene) -> Vec<Intent> {
        self.fingers.retain(|(finger, _)| *finger != id);
        *scene.ghost = Ghost::None;
        match std::mem::take(&mut self.doing) {
            Doing::Drag { .. } => vec![Intent::Drop],
            _ => vec![Intent::Viewed],
        }
    }

    fn pinch(&mut self, index: usize, to: Point, scene: &mut Scene) -> Vec<Intent> {
        if let &[(_, a), (_, b), ..] = self.fingers.as_slice() {
            self.fingers[index].1 = to;
            let (c, d) = (self.fingers[0].1, self.fingers[1].1);
            let middle = |a: Point, b: Point| [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
            let (from, now) = (middle(a, b), middle(c, d));
            scene.camera.pan([now[0] - from[0], now[1] - from[1]]);
            scene.camera.zoom(distance(c, d) / distance(a, b).max(1.0), now);
        }
        vec![Intent::Viewed]
    }
}

fn distance(a: Point, b: Point) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bench {
        camera: Camera,
        picture: Picture,
        ghost: Ghost,
        gesture: Gesture,
    }

    impl Bench {
        fn new() -> Bench {
            let json = r#"{"hopscope":1,"network":{"switches":[{"ports":8,"x":-200,"y":0},{"ports":8,"x":200,"y":0}]}}"#;
            let picture = Picture::of(&serde_json::from_str(json).expect("a scenario"));
            let camera = Camera { size: [800.0, 600.0], ..Camera::default() };
            Bench { camera, picture, ghost: Ghost::None, gesture: Gesture::default() }
        }

        /// Presses, moves and lifts at these stage points; returns all intents.
        fn drag(&mut self, tool: Tool, extend: bool, way: &[Point]) -> Vec<Intent> {
            let Bench { camera, picture, ghost, gesture } = self;
            let mut all = Vec::new();
            for (i, &point) in way.iter().enumerate() {
                let at = camera.to_screen(point);
                let pointer = Pointer { id: 1, at, touch: false, extend, middle: false };
                let selection = BTreeSet::new();
                let scene = &mut Scene {
                    camera: &mut *camera,
                    picture: &*picture,
                    selection: &selection,
                    ghost: &mut *ghost,
                    tool,
                };
                if i == 0 {
                    all.extend(gesture.down(pointer, scene));
                }
                all.extend(gesture.moved(pointer, scene));
                if i + 1 == way.len() {
                    all.extend(gesture.up(pointer, scene));
                }
            }
            all
        }
    }

    #[test]
    fn a_link_is_drawn_only_from_one_switch_to_another() {
        let (a, b, nowhere) = ([-200.0, 0.0], [200.0, 0.0], [0.0, 150.0]);
        let last = |way: &[Point]| Bench::new().drag(Tool::Link, false, way).pop();
        assert_eq!(last(&[a, nowhere, b]), Some(Intent::AddLink(0, 1)));
        assert_eq!(last(&[a, b, nowhere]), Some(Intent::Viewed));
        assert_eq!(last(&[a, nowhere, a]), Some(Intent::Viewed));
    }

    #[test]
    fn dragging_a_switch_moves_it_and_dragging_empty_stage_moves_the_view() {
        let mut bench = Bench::new();
        let intents = bench.drag(Tool::Select, false, &[[-200.0, 0.0], [-150.0, 30.0]]);
        let things = BTreeSet::from([Thing::Switch(0)]);
        assert!(intents.contains(&Intent::Drag { things, by: [50.0, 30.0] }));
        assert_eq!(intents.last(), Some(&Intent::Drop));
        let before = bench.camera.centre;
        bench.drag(Tool::Select, false, &[[0.0, 100.0], [40.0, 100.0]]);
        assert_ne!(bench.camera.centre, before);
    }

    #[test]
    fn a_box_selects_and_a_click_inspects() {
        let mut bench = Bench::new();
        let intents = bench.drag(Tool::Select, true, &[[-300.0, -50.0], [0.0, 50.0]]);
        let things = BTreeSet::from([Thing::Switch(0)]);
        assert_eq!(intents.last(), Some(&Intent::Select { things, extend: true }));
        let intents = bench.drag(Tool::Select, false, &[[200.0, 0.0]]);
        assert!(matches!(
            intents.last(),
            Some(Intent::Inspect { spot: Some(Spot::Switch(1)), .. })
        ));
        assert_eq!(
            bench.drag(Tool::Switch, false, &[[10.0, 90.0]]),
            [Intent::AddSwitch([10.0, 90.0])]
        );
        assert_eq!(bench.drag(Tool::Host, false, &[[200.0, 0.0]]), [Intent::AddHost(1)]);
        assert_eq!(bench.drag(Tool::Root, false, &[[200.0, 0.0]]), [Intent::Choose(1)]);
        assert_eq!(bench.drag(Tool::Pair, false, &[[0.0, 90.0]]), [Intent::Viewed]);
    }

    #[test]
    fn hosts_are_picked_one_by_one_by_their_switch_or_in_a_box() {
        let mut bench = Bench::new();
        let json = r#"{"hopscope":1,"network":{"switches":[{"ports":8,"x":-200,"y":0},{"ports":8,"x":200,"y":0}],
            "hosts":[{"switch":0,"x":-200,"y":-90},{"switch":1,"x":200,"y":-90},{"switch":0,"x":-200,"y":90}]}}"#;
        bench.picture = Picture::of(&serde_json::from_str(json).expect("a scenario"));
        let mut picked = |extend, way: &[Point]| bench.drag(Tool::Senders, extend, way).pop();
        assert_eq!(picked(false, &[[200.0, -90.0]]), Some(Intent::PickHosts(vec![1])));
        assert_eq!(picked(false, &[[-200.0, 0.0]]), Some(Intent::PickHosts(vec![0, 2])));
        assert_eq!(picked(false, &[[0.0, 0.0]]), Some(Intent::Viewed));
        let all_above = [[-300.0, -150.0], [300.0, -40.0]];
        assert_eq!(picked(true, &all_above), Some(Intent::PickHosts(vec![0, 1])));
    }
}
