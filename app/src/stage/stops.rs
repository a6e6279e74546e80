//! Stop & Go flow control: the senders that are stopped, and the STOP and GO symbols under way.

use super::inks::Ink;
use super::pen::Pen;
use super::picture::{Lane, Picture};
use super::usage::Usage;
use crate::layout::Point;
use hopscope_core::observe::Snapshot;

/// With more channels in use than this, dots and octagons take longer than a frame.
const MANY: usize = 500;

/// Draws an octagon at each stopped sender, and a dotted line along the part of the wire that STOP
/// has passed and GO has not.
pub fn stops(pen: &mut Pen, picture: &Picture, frame: &Snapshot, usage: &Usage) {
    let lanes = || picture.lanes.iter().zip(&frame.channels);
    pen.path();
    let between = |lane: &Lane| lane.switches.iter().all(Option::is_some);
    let crowd = frame.channels.iter().filter(|state| state.held).count() > MANY;
    // With many channels, those of hosts are left out.
    let shown = |lane: &Lane| between(lane) || !crowd;
    // STOP travels from the buffer to the sender, and GO follows it.
    for (i, lane) in (0..).zip(&picture.lanes).filter(|(_, lane)| between(lane)) {
        let Some(state) = frame.channels.get(i).filter(|state| state.stop_sent || state.stopped)
        else {
            continue;
        };
        let (wire, travelled) = (lane.length - lane.buffer, usage.symbol_travelled(i, lane));
        let [ux, uy] = lane.along.map(|x| x * 5.4);
        let side = |distance: f32| {
            let [x, y] = lane.at(distance);
            [x - uy, y + ux]
        };
        pen.line(
            side(if state.stopped { 0.0 } else { wire - travelled }),
            side(if state.stop_sent { wire } else { wire - travelled }),
        );
    }
    if !crowd {
        pen.dash(&[1.5, 3.5]);
    }
    pen.stroke(Ink::DANGER, if crowd { 0.9 } else { 1.5 });
    pen.dash(&[]);
    pen.path();
    for (lane, _) in lanes().filter(|(lane, channel)| channel.stopped && shown(lane)) {
        let [x, y] = lane.at(5.0);
        if crowd {
            pen.square([x, y], 4.0, 0.0);
        } else {
            octagon(pen, [x, y], 4.6);
        }
    }
    pen.fill(Ink::DANGER);
    pen.path();
    for (lane, _) in lanes().filter(|(lane, channel)| channel.stopped && shown(lane)) {
        let [x, y] = lane.at(5.0);
        pen.line([x - 2.4, y], [x + 2.4, y]);
    }
    pen.stroke(Ink::STAGE, 1.5);
}

/// Draws each STOP and GO symbol that is on its way from the receiver to the sender.
pub fn symbols(pen: &mut Pen, picture: &Picture, frame: &Snapshot, usage: &Usage) {
    for (stop, ink) in [(true, Ink::DANGER), (false, Ink::TREE)] {
        pen.path();
        let lanes = (0..).zip(&picture.lanes).zip(&frame.channels);
        for ((i, lane), _) in
            lanes.filter(|(_, state)| state.stop_sent == stop && state.stopped != stop)
        {
            let [x, y] = lane.at(lane.length - lane.buffer - usage.symbol_travelled(i, lane));
            let [ux, uy] = lane.along.map(|x| x * 5.4);
            pen.circle([x - uy, y + ux], if stop { 3.6 } else { 3.0 });
        }
        // A disc is STOP, a ring GO.
        pen.fill(if stop { ink } else { Ink::STAGE });
        pen.stroke(if stop { Ink::STAGE } else { ink }, if stop { 1.0 } else { 2.0 });
    }
}

fn octagon(pen: &mut Pen, [x, y]: Point, radius: f32) {
    let corner = |i: i32| {
        let (sin, cos) = ((i as f32 + 0.5) * std::f32::consts::TAU / 8.0).sin_cos();
        [x + radius * cos, y + radius * sin]
    };
    pen.polygon(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner));
}
