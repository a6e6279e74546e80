//! The inside of a switch: input buffers, crossbars with the packets that cross them, outputs, and
//! the scheduler of one output.

use super::lanes::{self, colour};
use super::parts::{close, column, heading};
use super::view::View;
use super::{saqs, scheduler, words};
use crate::action::Action;
use crate::stage::pick::Spot;
use crate::state::InsideOf;
use crate::text::{counted, fill, singular_or_plural, text};
use hopscope_core::observe::{BufferInside, Inside, Node, PortInside, QueueInside, QueueOf, Unit};
use std::collections::BTreeSet;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

const WIDTH: f32 = 640.0;
/// The left edges of input buffers, central buffers and outputs, and the length of a buffer.
const COLUMNS: [f32; 3] = [70.0, 278.0, 486.0];
const LENGTH: f32 = 84.0;
const TOP: f32 = 24.0;
/// The length of a register of one flit.
const REGISTER: f32 = 14.0;
/// The space between two MPorts.
const GAP: f32 = 10.0;

/// Positions in the drawing.
struct Positions<'a> {
    inside: &'a Inside,
    row: f32,
}

/// The view over the stage, while a switch is looked into. A scenario that cannot run has nothing
/// inside, and its problems are in this place.
pub fn inside(view: View) -> Html {
    let looked_into = view.state.inspection.inside.filter(|_| view.state.run.problems.is_empty());
    looked_into.map(|looked_into| switch(view, looked_into)).unwrap_or_default()
}

fn switch(view: View, InsideOf { switch, output }: InsideOf) -> Html {
    let t = text();
    let seen = view.state.run.stats.inside.as_deref().filter(|inside| inside.switch == switch);
    let name = view.state.stage.picture.switch_name(switch);
    let is_whole = view.state.stage.picture.switches.len() == 1;
    html! {
        <section class={classes!("inside", is_whole.then_some("whole"))} id="inside" role="region"
            aria-label={fill(t.inside_of, &[&name])}>
            <header class="card-head">
                {heading(fill(t.inside_of, &[&name]))}
                {close(t.close, view.on(|| Action::LookInside(None)))}
            </header>
            if let Some(inside) = seen {
                {drawing(view, inside)}
                {self::output(view, inside, output)}
                {queues(inside)}
                {saqs::queues(view, &inside.ports)}
                {saqs::over_time(view, &inside.ports)}
            }
        </section>
    }
}

impl Positions<'_> {
    /// The middle of a port's row.
    fn y(&self, port: u16) -> f32 {
        let at = self.inside.ports.iter().position(|p| p.port == port).unwrap_or(0);
        TOP + (at as f32 + 0.5) * self.row + GAP * self.groups_before(port)
    }

    fn mport(&self, port: u16) -> u32 {
        self.inside.ports_per_mport.map_or(0, |ports| u32::from(port) / ports)
    }

    /// The number of MPorts with a cable above that of a port.
    fn groups_before(&self, port: u16) -> f32 {
        let mut mports: Vec<u32> = self.inside.ports.iter().map(|p| self.mport(p.port)).collect();
        mports.dedup();
        mports.iter().position(|&m| m == self.mport(port)).unwrap_or(0) as f32
    }

    /// Top and bottom of an MPort, if one of its ports has a cable.
    fn extent(&self, mport: u32) -> Option<(f32, f32)> {
        let mut rows = self
            .inside
            .ports
            .iter()
            .filter(|p| self.mport(p.port) == mport)
            .map(|p| self.y(p.port));
        let first = rows.next()?;
        Some((first - self.row / 2.0, rows.next_back().unwrap_or(first) + self.row / 2.0))
    }

    /// The middle of a central buffer; `None` in an MPort without cables, which is not drawn.
    fn central(&self, number: usize) -> Option<f32> {
        let mports = self.inside.central.len() / self.links();
        let (top, bottom) = self.extent((number / self.links()) as u32).filter(|_| mports > 0)?;
        Some(top + (bottom - top) * ((number % self.links()) as f32 + 0.5) / self.links() as f32)
    }

    /// The number of central buffers of an MPort.
    fn links(&self) -> usize {
        let ports = self.inside.ports.last().map_or(0, |p| self.mport(p.port)) as usize + 1;
        (self.inside.central.len() / ports.max(1)).max(1)
    }

    fn height(&self) -> f32 {
        self.inside.ports.last().map_or(TOP, |p| self.y(p.port) + self.row / 2.0) + 6.0
    }
}

fn drawing(view: View, inside: &Inside) -> Html {
    let t = text();
    let at = Positions { inside, row: if inside.ports.len() > 20 { 12.0 } else { 26.0 } };
    let picture = &view.state.stage.picture;
    let bar = (at.row - 5.0).min(15.0);
    // A row of the results may point at a channel that this view covers on the stage.
    let pointed = |channel: u32, x: f32, width: f32, y: f32| {
        let is_pointed = view.state.inspection.hover == Some(Spot::Channel(channel));
        html! {
            if is_pointed {
                <rect class="inside-pointed" x={x.to_string()} width={width.to_string()} rx="4"
                    y={(y - at.row / 2.0).to_string()} height={at.row.to_string()} />
            }
        }
    };
    let port = |p: &PortInside| {
        let y = at.y(p.port);
        // An output has a buffer or a register.
        let after = COLUMNS[2] + if p.output.capacity == 0 { REGISTER } else { LENGTH };
        let number = |x: f32, anchor: &'static str| {
            html! { <text class="inside-port" x={x.to_string()} y={(y + 3.5).to_string()} text-anchor={anchor}>{p.port}</text> }
        };
        html! {
            <>
                <g>
                    <title>{words::channel(picture, p.arrives)}</title>
                    {pointed(p.arrives, COLUMNS[0] - 26.0, LENGTH + 30.0, y)}
                    {number(COLUMNS[0] - 8.0, "end")}
                    {buffer(&p.input, COLUMNS[0], y, bar)}
                </g>
                <g>
                    <title>{words::channel(picture, p.leaves)}</title>
                    {pointed(p.leaves, COLUMNS[2] - 4.0, LENGTH + 56.0, y)}
                    {buffer(&p.output, COLUMNS[2], y, bar)}
                    if p.output.capacity == 0 {
                        <rect class="inside-space" x={COLUMNS[2].to_string()} y={(y - bar / 2.0).to_string()}
                            width={REGISTER.to_string()} height={bar.to_string()} />
                    }
                    if let Some((_, lane)) = p.sending {
                        <path class={classes!("inside-sending", colour(lane))}
                            d={format!("M{} {}l{} {}l{} {}z", after + 4.0, y - bar / 2.0, bar * 0.8, bar / 2.0, -bar * 0.8, bar / 2.0)} />
                    }
                    if p.stopped {
                        <circle class="inside-stop" cx={(after + 26.0).to_string()} cy={y.to_string()} r={(bar / 2.6).to_string()} />
                    }
                    {number(COLUMNS[2] + LENGTH + 36.0, "start")}
                </g>
            </>
        }
    };
    let head = |x: f32, words: &'static str| {
        html! { <text class="inside-head" x={x.to_string()} y="14">{words}</text> }
    };
    let frame = |mport: u32| {
        let (top, bottom) = at.extent(mport)?;
        let name = fill(t.mport, &[&mport]);
        Some(html! {
            <g>
                <title>{name}</title>
                <rect class="inside-mport" x="44" width={(COLUMNS[1] + LENGTH - 30.0).to_string()} rx="8"
                    y={(top - 2.0).to_string()} height={(bottom - top + 4.0).to_string()} />
                <rect class="inside-mport" x={(COLUMNS[2] - 10.0).to_string()} width={(LENGTH + 64.0).to_string()} rx="8"
                    y={(top - 2.0).to_string()} height={(bottom - top + 4.0).to_string()} />
            </g>
        })
    };
    let mports = inside.ports.last().map_or(0, |p| at.mport(p.port)) + 1;
    let several = !inside.central.is_empty();
    let crossing = inside.ways.iter().filter(|way| !way.waiting).count();
    let asking = inside.ways.len() - crossing;
    let counts =
        format!("{}, {}.", counted(t.inside_crossing, crossing), counted(t.inside_asking, asking));
    html! {
        <>
            <svg class="inside-picture" viewBox={format!("0 0 {WIDTH} {}", at.height())} role="img"
                aria-label={counts.clone()}>
                {head(COLUMNS[0], t.inputs)}
                if several { {head(COLUMNS[1], t.central_buffers)} }
                {head(COLUMNS[2], t.outputs)}
                if several { {for (0..mports).filter_map(frame)} }
                {for inside.ways.iter().map(|way| self::way(&at, way.from, way.to, way.lane, way.waiting))}
                {for inside.ports.iter().map(port)}
                {for inside.central.iter().enumerate().filter_map(|(i, central)| {
                    Some(buffer(central, COLUMNS[1], at.central(i)?, bar))
                })}
            </svg>
            <p class="hint" id="inside-counts" data-crossing={crossing.to_string()}>
                {counts}{" "}
                {if inside.unit == Unit::Flits { t.inside_legend_flits } else { t.inside_legend_credits }}
            </p>
        </>
    }
}

/// What waits in the queues of the inputs, a column for each queue of a lane; nothing where inputs
/// have no queues of their own.
fn queues(inside: &Inside) -> Html {
    let t = text();
    let columns: BTreeSet<_> = inside.queues.iter().map(|queue| queue.of).collect();
    let inputs: BTreeSet<_> = inside.queues.iter().map(|queue| queue.input).collect();
    if columns.is_empty() {
        return Html::default();
    }
    let name = |of: &QueueOf| match of {
        QueueOf::Lane => t.first_wants.to_owned(),
        QueueOf::Output(output) => fill(t.output_number, &[output]),
        QueueOf::Host(host) => fill(t.host_numbered, &[host]),
        QueueOf::Saq(number) => fill(t.saq_number, &[number]),
    };
    let crosses = |queue: &QueueInside| {
        let (from, to) = (Node::Input(queue.input), Node::Output(queue.output));
        inside.ways.iter().any(|way| !way.waiting && way.from == from && way.to == to)
    };
    let cell = |input: u16, of: QueueOf| {
        let own = inside.queues.iter().filter(|queue| (queue.input, queue.of) == (input, of));
        let own: Vec<&QueueInside> = own.collect();
        let lane = |queue: &&QueueInside| {
            let sign = if crosses(queue) { "→" } else { "" };
            let output = match of {
                QueueOf::Lane | QueueOf::Saq(_) => fill(t.to_output, &[&queue.output]),
                QueueOf::Output(_) | QueueOf::Host(_) => String::new(),
            };
            html! {
                <span class="queue-lane" title={fill(t.queue_holds, &[&queue.lane, &queue.packets, &queue.credits])}>
                    {lanes::key(queue.lane)}{queue.packets}{output}{sign}
                </span>
            }
        };
        html! { <td>{for own.iter().map(lane)}</td> }
    };
    let row = |&input: &u16| {
        html! {
            <tr><th scope="row">{fill(t.input_number, &[&input])}</th>{for columns.iter().map(|of| cell(input, *of))}</tr>
        }
    };
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label={t.queues_of_inputs}>
            <table class="inside-table" id="inside-queues">
                <caption class="hint">{t.queues_of_inputs}</caption>
                <thead><tr><td></td>{for columns.iter().map(|of| column(name(of)))}</tr></thead>
                <tbody>{for inputs.iter().map(row)}</tbody>
            </table>
        </div>
    }
}

/// A buffer and the share of each lane in it.
fn buffer(buffer: &BufferInside, x: f32, y: f32, height: f32) -> Html {
    if buffer.capacity == 0 {
        return Html::default();
    }
    let scale = LENGTH / buffer.capacity as f32;
    let (top, mut from) = ((y - height / 2.0).to_string(), x);
    let parts: Vec<Html> = (0..)
        .zip(&buffer.used)
        .filter(|(_, used)| **used > 0)
        .map(|(lane, &used)| {
            let (start, width) = (from, (used as f32 * scale).max(1.5));
            from += width;
            html! {
                <rect class={colour(lane)} x={start.to_string()} y={top.clone()} width={width.to_string()} height={height.to_string()} />
            }
        })
        .collect();
    let mark = |at: u32, class: &'static str| {
        let x = (x + at as f32 * scale).to_string();
        html! {
            <line {class} x1={x.clone()} x2={x} y1={(y - height / 2.0 - 2.0).to_string()} y2={(y + height / 2.0 + 2.0).to_string()} />
        }
    };
    html! {
        <>
            <rect class="inside-space" x={x.to_string()} y={top} width={LENGTH.to_string()} height={height.to_string()} />
            {for parts}
            if let Some((stop, go)) = buffer.marks {
                {mark(stop, "inside-mark stop")}
                {mark(go, "inside-mark go")}
            }
        </>
    }
}

/// A curve from where a packet is to where it is going.
fn way(at: &Positions, from: Node, to: Node, lane: u8, waiting: bool) -> Html {
    let place = |node, end: bool| match node {
        Node::Input(port) => Some((COLUMNS[0] + LENGTH, at.y(port))),
        Node::Central(n) => {
            Some((COLUMNS[1] + if end { 0.0 } else { LENGTH }, at.central(usize::from(n))?))
        }
        Node::Output(port) => Some((COLUMNS[2], at.y(port))),
    };
    let (Some((x0, y0)), Some((x1, y1))) = (place(from, false), place(to, true)) else {
        return Html::default();
    };
    let middle = (x0 + x1) / 2.0;
    html! {
        <path class={classes!("inside-way", colour(lane), waiting.then_some("waiting"))}
            d={format!("M{x0} {y0}C{middle} {y0} {middle} {y1} {x1} {y1}")} />
    }
}

/// One output: its arbiter, its lanes, and the state of its scheduler.
fn output(view: View, inside: &Inside, chosen: Option<u32>) -> Html {
    let t = text();
    // Without a choice, the output with the most traffic.
    let busiest = || {
        let load = |p: &&PortInside| {
            (p.output.used.iter().sum::<u32>(), asking(inside, p.port).len(), p.sending.is_some())
        };
        inside.ports.iter().rev().max_by_key(load)
    };
    let port =
        chosen.and_then(|output| inside.ports.iter().find(|p| p.leaves == output)).or_else(busiest);
    let Some(port) = port else { return Html::default() };
    let switch = inside.switch;
    let onchange = view.on_some(move |event: Event| {
        let output = event.target_dyn_into::<HtmlSelectElement>()?.value().parse().ok()?;
        Some(Action::LookInside(Some(InsideOf { switch, output: Some(output) })))
    });
    html! {
        <>
            <label class="field">
                <span class="field-label">{t.output_at_work}</span>
                <select {onchange}>
                    {for by_activity(inside).into_iter().map(|p| html! {
                        <option value={p.leaves.to_string()} selected={p.port == port.port}>
                            {format!("{}: {}", p.port, words::channel(&view.state.stage.picture, p.leaves))}
                        </option>
                    })}
                </select>
            </label>
            <p class="hint" id="arbiter">{arbiter(inside, port)}</p>
            if let Some(state) = &port.scheduler { {scheduler::tables(view, port, state)} }
            {saqs::counters(view, port)}
            {saqs::through(view, port)}
        </>
    }
}

/// The ports, those first whose outputs hold or send something or are asked for.
fn by_activity(inside: &Inside) -> Vec<&PortInside> {
    let is_active = |p: &&PortInside| {
        p.sending.is_some()
            || p.output.used.iter().any(|used| *used > 0)
            || inside.ways.iter().any(|way| way.to == Node::Output(p.port))
    };
    let (active, idle): (Vec<_>, Vec<_>) = inside.ports.iter().partition(is_active);
    active.into_iter().chain(idle).collect()
}

/// The inputs and central buffers that wait for an output.
fn asking(inside: &Inside, port: u16) -> Vec<Node> {
    let mut asking: Vec<Node> = inside
        .ways
        .iter()
        .filter(|way| way.waiting && way.to == Node::Output(port))
        .map(|way| way.from)
        .collect();
    // Several lanes of one input may wait.
    asking.dedup();
    asking
}

/// An output's arbiter in words.
fn arbiter(inside: &Inside, port: &PortInside) -> String {
    let t = text();
    let name = |node: &Node| match node {
        Node::Input(input) => fill(t.input_number, &[input]),
        Node::Central(central) => fill(t.central_number, &[central]),
        Node::Output(output) => output.to_string(),
    };
    let asking: Vec<String> = asking(inside, port.port).iter().map(name).collect();
    let asks = if asking.is_empty() {
        t.nobody_asks.to_owned()
    } else {
        fill(singular_or_plural(t.ask, asking.len()), &[&asking.join(", ")])
    };
    let served =
        port.served.as_ref().map(|node| fill(t.served_last, &[&name(node)])).unwrap_or_default();
    format!("{asks} {served}")
}
