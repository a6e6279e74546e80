//! Overlays about traffic: channels, buffers and hosts coloured by recent use ([`Usage`]).

use super::flow::Flow;
use super::inks::{HEAT_STEPS, Ink};
use super::label::label;
use super::marks::{Marks, Overlay};
use super::pen::Pen;
use super::picture::{HOST, Lane, Picture};
use super::usage::{Ramp, Share, Usage};

/// A channel moves if it sends flits for this share of the time, and waits if it is blocked for
/// that.
const MOVES_FROM: f32 = 0.05;
const WAITS_FROM: f32 = 0.5;
/// Distance of the arrows along a channel.
const ARROWS_APART: f32 = 48.0;
/// Shapes filled as one path. The time per shape grows with the number of shapes in a path.
const FILLED_TOGETHER: usize = 16;

/// The ramp of an overlay about channels.
pub fn ramp(overlay: Overlay) -> Option<Ramp> {
    match overlay {
        Overlay::Busy => Some(Ramp::Busy),
        Overlay::Blocked => Some(Ramp::Blocked),
        Overlay::Buffers => Some(Ramp::Buffers),
        _ => None,
    }
}

/// Draws channels by their busy or blocked share, or buffers by their occupancy.
pub fn channels(pen: &mut Pen, picture: &Picture, marks: &Marks, usage: &Usage, pixel: f32) {
    let Some(ramp) = ramp(marks.overlay) else { return };
    let top = if marks.whole_ramp { 1.0 } else { usage.top(ramp) };
    let share = |share: &Share| ramp.of(share, picture.buffer_flits[0]) / top;
    let lanes = picture.lanes.iter().zip(usage.shares().iter().map(share));
    heated(pen, lanes, ramp == Ramp::Buffers, pixel);
}

/// The step of the ramp for a share from 0 to 1.
fn step_of(share: f32) -> usize {
    ((share * HEAT_STEPS as f32) as usize).min(HEAT_STEPS - 1)
}

/// Draws lanes, or the buffers at their ends, by a share of the ramp from 0 to 1.
pub fn heated<'a>(
    pen: &mut Pen,
    lanes: impl Iterator<Item = (&'a Lane, f32)>,
    buffers: bool,
    pixel: f32,
) {
    let mut steps: [Vec<&Lane>; HEAT_STEPS] = Default::default();
    for (lane, share) in lanes {
        steps[step_of(share)].push(lane);
    }
    for (step, lanes) in steps.iter().enumerate() {
        pen.path();
        let start = |lane: &Lane| if buffers { lane.wire() } else { 0.0 };
        lanes.iter().for_each(|lane| pen.lane(lane, start(lane), lane.length));
        // Hotter lines are also wider, so that colour is not the only cue.
        let width = if buffers { 4.5 } else { 3.0 } + step as f32 * 0.75;
        pen.stroke(Ink::heat(step), width.max(pixel * (1.0 + step as f32 * 0.3)));
    }
}

/// Draws what moves and what waits where no worms show it: arrows that move along channels in use,
/// and bars across the ends of channels that are blocked most of the time.
pub fn motion(pen: &mut Pen, picture: &Picture, usage: &Usage, flow: &Flow, pixel: f32) {
    let size = (0.8 * pixel).clamp(1.0, 2.0);
    let apart = ARROWS_APART * size;
    let lanes = || picture.lanes.iter().zip(usage.shares());
    let waits = |share: &Share| share.blocked > WAITS_FROM;
    let moving = lanes().filter(|(_, share)| share.busy > MOVES_FROM && !waits(share));
    for few in moving.collect::<Vec<_>>().chunks(FILLED_TOGETHER) {
        pen.path();
        for (lane, _) in few {
            let mut at = flow.phase(apart);
            while at < lane.length - 4.0 {
                if at > 10.0 * size {
                    pen.arrow(lane.at(at), lane.along, [6.4 * size, 4.0 * size]);
                }
                at += apart;
            }
        }
        pen.fill(Ink::CONTRAST);
    }
    pen.path();
    for (lane, _) in lanes().filter(|(_, share)| waits(share)) {
        let ([x, y], [ux, uy]) = (lane.end, lane.along.map(|x| x * 5.5 * size));
        pen.line([x - uy, y + ux], [x + uy, y - ux]);
    }
    pen.stroke(Ink::DANGER, 3.0 * size);
}

/// Draws hosts by the messages they eject and inject again as ITBs, relative to the busiest host.
/// The busiest one has its rate as a label, messages per 1000 cycles.
pub fn itbs(pen: &mut Pen, picture: &Picture, usage: &Usage, pixel: f32) {
    let used = || picture.hosts.iter().zip(usage.itbs()).filter(|(_, itbs)| **itbs > 0.0);
    let Some((busiest, most)) = used().max_by(|a, b| a.1.total_cmp(b.1)) else { return };
    for step in 0..HEAT_STEPS {
        pen.path();
        for (at, _) in used().filter(|(_, itbs)| step_of(*itbs / most) == step) {
            pen.circle(*at, (HOST + step as f32 * 0.9).max(pixel * (2.0 + step as f32 * 0.5)));
        }
        pen.fill(Ink::heat(step));
    }
    label(pen, [busiest[0], busiest[1] - 24.0], &crate::text::short(f64::from(*most)), pixel);
}
