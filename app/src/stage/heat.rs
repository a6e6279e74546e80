//! Overlays about traffic: channels, buffers and hosts coloured by recent use ([`Usage`]).

use super::inks::{HEAT_STEPS, Ink};
use super::label::label;
use super::marks::Overlay;
use super::pen::Pen;
use super::picture::{HOST, Lane, Picture};
use super::usage::{Share, Usage};

/// Draws channels by their busy or blocked share, or buffers by their occupancy.
pub fn channels(pen: &mut Pen, picture: &Picture, overlay: Overlay, usage: &Usage, pixel: f32) {
    let share = |share: &Share| match overlay {
        Overlay::Blocked => share.blocked,
        Overlay::Buffers => share.flits / picture.buffer_flits[0].max(1.0),
        _ => share.busy,
    };
    let lanes = picture.lanes.iter().zip(usage.shares().iter().map(share));
    heated(pen, lanes, overlay == Overlay::Buffers, pixel);
}

/// Draws lanes, or the buffers at their ends, by a share from 0 to 1.
pub fn heated<'a>(
    pen: &mut Pen,
    lanes: impl Iterator<Item = (&'a Lane, f32)>,
    buffers: bool,
    pixel: f32,
) {
    let mut steps: [Vec<&Lane>; HEAT_STEPS] = Default::default();
    for (lane, share) in lanes {
        steps[((share * HEAT_STEPS as f32) as usize).min(HEAT_STEPS - 1)].push(lane);
    }
    for (step, lanes) in steps.iter().enumerate() {
        pen.path();
        let start =
            |lane: &Lane| if buffers { lane.at(lane.length - lane.buffer) } else { lane.start };
        lanes.iter().for_each(|lane| pen.line(start(lane), lane.end));
        // Hotter lines are also wider, so that colour is not the only cue.
        let width = if buffers { 4.5 } else { 3.0 } + step as f32 * 0.75;
        pen.stroke(Ink::heat(step), width.max(pixel * (1.0 + step as f32 * 0.3)));
    }
}

/// Draws hosts by the messages they eject and inject again as ITBs, relative to the busiest host.
/// The busiest one has its rate as a label, messages per 1000 cycles.
pub fn itbs(pen: &mut Pen, picture: &Picture, usage: &Usage, pixel: f32) {
    let used = || picture.hosts.iter().zip(usage.itbs()).filter(|(_, itbs)| **itbs > 0.0);
    let Some((busiest, most)) = used().max_by(|a, b| a.1.total_cmp(b.1)) else { return };
    for step in 0..HEAT_STEPS {
        pen.path();
        let ours =
            |itbs: f32| ((itbs / most * HEAT_STEPS as f32) as usize).min(HEAT_STEPS - 1) == step;
        for (at, _) in used().filter(|(_, itbs)| ours(**itbs)) {
            pen.circle(*at, (HOST + step as f32 * 0.9).max(pixel * (2.0 + step as f32 * 0.5)));
        }
        pen.fill(Ink::heat(step));
    }
    label(pen, [busiest[0], busiest[1] - 24.0], &crate::text::short(f64::from(*most)), pixel);
}
