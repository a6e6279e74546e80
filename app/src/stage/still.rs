//! The lower layer: the network itself, drawn again only when it, the view or the theme changes.

use super::camera::Camera;
use super::inks::{Inks, fill, set_fill, set_stroke, stroke};
use super::layer::{Layer, circle, line, polygon, square};
use super::picture::{HOST, Picture, SWITCH};
use super::{Ghost, Marks};
use crate::edit::Thing;
use crate::layout::Point;

/// Below this many pixels per stage unit, small things are left out.
pub const DETAIL: f32 = 0.5;

/// Marks on shorter buffers would only be noise.
const MARKED: f32 = 24.0;

/// Draws the layer.
pub fn draw(layer: &Layer, picture: &Picture, camera: &Camera, inks: &Inks, marks: &Marks) {
    layer.begin(camera);
    let pixel = 1.0 / camera.scale;
    let detail = camera.scale >= DETAIL;
    wires(layer, picture, inks, pixel, detail);
    selected(layer, picture, inks, marks, pixel);
    hosts(layer, picture, inks, pixel, detail);
    switches(layer, picture, inks, marks, pixel);
    ghost(layer, inks, marks, pixel);
}

fn wires(layer: &Layer, picture: &Picture, inks: &Inks, pixel: f32, detail: bool) {
    let path = layer.path();
    for lane in &picture.lanes {
        line(path, lane.start, lane.at(lane.length - lane.buffer));
    }
    path.set_line_cap("butt");
    stroke(path, &inks.wire, 2.4_f32.max(pixel));
    let path = layer.path();
    for lane in &picture.lanes {
        line(path, lane.at(lane.length - lane.buffer), lane.end);
    }
    stroke(path, &inks.buffer, 7.4_f32.max(pixel));
    if !detail {
        return;
    }
    let [capacity, stop, go] = picture.buffer_flits;
    let path = layer.path();
    for lane in picture.lanes.iter().filter(|lane| lane.buffer >= MARKED) {
        // GO as a tick of half the width, STOP across all of it.
        for (flits, half) in [(stop, 4.6), (go, 2.4)] {
            let [x, y] = lane.at(lane.length - lane.buffer * (flits / capacity).clamp(0.0, 1.0));
            let [ux, uy] = lane.along;
            line(path, [x - uy * half, y + ux * half], [x + uy * half, y - ux * half]);
        }
    }
    stroke(path, &inks.mark, 0.9_f32.max(0.7 * pixel));
}

fn selected(layer: &Layer, picture: &Picture, inks: &Inks, marks: &Marks, pixel: f32) {
    let path = layer.path();
    for thing in marks.selection.iter().chain(&marks.hover) {
        match thing {
            Thing::Switch(i) => {
                if let Some(&at) = picture.switches.get(*i as usize) {
                    square(path, at, SWITCH + 5.0, 10.0);
                }
            }
            Thing::Host(i) => {
                if let Some(&at) = picture.hosts.get(*i as usize) {
                    circle(path, at, HOST + 4.5);
                }
            }
            Thing::Link(_) => {
                for lane in picture.lanes.iter().filter(|lane| lane.thing == *thing) {
                    let [ux, uy] = lane.along.map(|x| x * 7.0);
                    let (a, b) = (lane.start, lane.end);
                    line(path, [a[0] - uy, a[1] + ux], [b[0] - uy, b[1] + ux]);
                }
            }
        }
    }
    stroke(path, &inks.accent, 2.5_f32.max(2.0 * pixel));
}

fn hosts(layer: &Layer, picture: &Picture, inks: &Inks, pixel: f32, detail: bool) {
    let path = layer.path();
    let radius = if detail { HOST } else { HOST.max(1.5 * pixel) };
    picture.hosts.iter().for_each(|&at| circle(path, at, radius));
    fill(path, &inks.host);
    stroke(path, &inks.host_edge, 1.5_f32.max(0.8 * pixel));
}

fn switches(layer: &Layer, picture: &Picture, inks: &Inks, marks: &Marks, pixel: f32) {
    let path = layer.path();
    picture.switches.iter().for_each(|&at| square(path, at, SWITCH, 6.0));
    fill(path, &inks.switch);
    stroke(path, &inks.switch_edge, 1.8_f32.max(pixel));
    if let Some(&at) = marks.root.and_then(|root| picture.switches.get(root as usize)) {
        let path = layer.path();
        square(path, at, SWITCH - 3.5, 4.0);
        stroke(path, &inks.tree, 2.2);
    }
}

/// Draws the names of the switches, on a higher layer: nothing that moves hides them.
pub fn names(layer: &Layer, picture: &Picture, camera: &Camera, inks: &Inks) {
    let scale = camera.scale;
    if scale < 0.25 {
        return;
    }
    let context = &layer.context;
    set_fill(context, &inks.label);
    set_stroke(context, &inks.switch);
    context.set_line_width(4.0);
    context.set_line_join("round");
    context.set_text_align("center");
    context.set_text_baseline("middle");
    for (i, [x, y]) in picture.switches.iter().enumerate() {
        let name = picture.switch_name(i as u32);
        // Long names go below, in full; numbers fit inside.
        let inside = name.chars().count() <= 3;
        if !inside && scale < DETAIL {
            continue;
        }
        let (size, dy) =
            if inside { (if scale < 0.7 { 20.0 } else { 15.0 }, 0.8) } else { (11.0, SWITCH + 9.0) };
        let (x, y) = (f64::from(*x), f64::from(*y + dy));
        context.set_font(&format!("600 {size}px system-ui, sans-serif"));
        context.stroke_text(&name, x, y).ok();
        context.fill_text(&name, x, y).ok();
    }
}

/// What is being drawn or dragged just now.
fn ghost(layer: &Layer, inks: &Inks, marks: &Marks, pixel: f32) {
    let width = 2.0 * pixel;
    match marks.ghost {
        Ghost::None => {}
        Ghost::Link { from, to } => {
            let path = layer.path();
            line(path, from, to);
            layer.dash(&[8.0 * pixel, 5.0 * pixel]);
            stroke(path, &inks.accent, width);
        }
        Ghost::Switch { at } => {
            let path = layer.path();
            square(path, at, SWITCH, 6.0);
            layer.dash(&[5.0 * pixel, 4.0 * pixel]);
            stroke(path, &inks.accent, width);
        }
        Ghost::Box { from, to } => frame(layer, inks, from, to, width, pixel),
    }
    layer.dash(&[]);
}

fn frame(layer: &Layer, inks: &Inks, a: Point, b: Point, width: f32, pixel: f32) {
    let path = layer.path();
    polygon(path, &[a, [b[0], a[1]], b, [a[0], b[1]]]);
    path.set_global_alpha(0.12);
    fill(path, &inks.accent);
    path.set_global_alpha(1.0);
    layer.dash(&[5.0 * pixel, 4.0 * pixel]);
    stroke(path, &inks.accent, width);
}
