//! STOP and GO: where they are in force, and on their way back.

use super::inks::Ink;
use super::pen::Pen;
use super::picture::{Lane, Picture};
use super::usage::Usage;
use crate::layout::Point;
use hopscope_core::observe::Snapshot;

/// With more channels in use than this, dots and octagons cost more than a frame has.
const MANY: usize = 500;

/// STOP at the sender it holds, and a dotted line as far as it is in force or has come.
pub fn stops(pen: &mut Pen, picture: &Picture, frame: &Snapshot, usage: &Usage) {
    let lanes = || picture.lanes.iter().zip(&frame.channels);
    pen.path();
    let between = |lane: &Lane| lane.switches.iter().all(Option::is_some);
    let crowd = frame.channels.iter().filter(|state| state.held).count() > MANY;
    // Of a crowd, the hosts' channels are left out.
    let shown = |lane: &Lane| between(lane) || !crowd;
    // From where STOP was sent to where it has come, or from its sender to where GO has come.
    for (i, lane) in (0..).zip(&picture.lanes).filter(|(_, lane)| between(lane)) {
        let Some(state) = frame.channels.get(i).filter(|state| state.stop_sent || state.stopped)
        else {
            continue;
        };
        let (wire, come) = (lane.length - lane.buffer, usage.symbol_come(i, lane));
        let [ux, uy] = lane.along.map(|x| x * 5.4);
        let side = |distance: f32| {
            let [x, y] = lane.at(distance);
            [x - uy, y + ux]
        };
        pen.line(
            side(if state.stopped { 0.0 } else { wire - come }),
            side(if state.stop_sent { wire } else { wire - come }),
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

/// STOP, and GO, that have been sent and have not reached the sender yet, where they are on their
/// way back.
pub fn symbols(pen: &mut Pen, picture: &Picture, frame: &Snapshot, usage: &Usage) {
    for (stop, ink) in [(true, Ink::DANGER), (false, Ink::TREE)] {
        pen.path();
        let lanes = (0..).zip(&picture.lanes).zip(&frame.channels);
        for ((i, lane), _) in
            lanes.filter(|(_, state)| state.stop_sent == stop && state.stopped != stop)
        {
            let [x, y] = lane.at(lane.length - lane.buffer - usage.symbol_come(i, lane));
            let [ux, uy] = lane.along.map(|x| x * 5.4);
            pen.circle([x - uy, y + ux], if stop { 3.6 } else { 3.0 });
        }
        // STOP is a disc, GO a ring.
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
