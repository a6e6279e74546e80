//! Who sends to whom, as a picture: a row for each source, a column for each destination, shaded by
//! the offered load. The numbers come from the core.

use crate::action::Action;
use crate::panels::field::List;
use crate::panels::form;
use crate::panels::parts::hint;
use crate::panels::view::View;
use crate::state::ResultsAction;
use crate::text::{decimal, fill, flow_name, number, percent, short, text};
use hopscope_core::scenario::FlowSpec;
use hopscope_core::traffic::TrafficMatrix;
use std::fmt::Write;
use std::rc::Rc;
use web_sys::{Element, HtmlSelectElement};
use yew::prelude::*;

/// The value of the option for all flows.
const ALL: &str = "all";
/// Steps of shade.
const STEPS: usize = 8;

/// The card.
pub fn view(view: View) -> Html {
    let t = text();
    let state = view.state;
    let matrix = &state.matrix;
    let flows = &state.scenario().traffic;
    let open = matrix.open;
    let toggle = view.on(move || Action::Results(ResultsAction::OpenMatrix(!open)));
    html! {
        <section class="card" id="matrix">
            <h2><button class="fold" aria-expanded={open.to_string()} onclick={toggle}>{t.matrix_title}</button></h2>
            if open {
                if flows.len() > 1 { {chooser(view, flows)} }
                {content(view)}
            }
        </section>
    }
}

/// The choice of a flow, or of all.
fn chooser(view: View, flows: &[FlowSpec]) -> Html {
    let t = text();
    let now = view.state.matrix.flow;
    let onchange = view.on_some(|event: Event| {
        let chosen = event.target_dyn_into::<HtmlSelectElement>()?.value();
        Some(Action::Results(ResultsAction::Flow(chosen.parse().ok())))
    });
    let all = (ALL.to_owned(), t.all_flows.to_owned());
    let each = flows.iter().enumerate().map(|(i, flow)| (i.to_string(), flow_name(i, &flow.name)));
    let options: Vec<(String, String)> = std::iter::once(all).chain(each).collect();
    let value = now.map_or(ALL.to_owned(), |flow| flow.to_string());
    form::labelled(
        t.matrix_of,
        "",
        html! { <List {value} groups={form::ungrouped(options)} {onchange} /> },
    )
}

fn content(view: View) -> Html {
    let t = text();
    let state = view.state;
    if state.run.facts.is_none() {
        return hint(t.matrix_later);
    }
    if state.matrix.too_large {
        return hint(fill(t.matrix_too_large, &[&number(TrafficMatrix::MAX_HOSTS as u64)]));
    }
    let Some(matrix) = &state.matrix.matrix else {
        return hint(t.matrix_later);
    };
    let technique = state.scenario().fabric.technique();
    let bits_per_ns =
        f64::from(technique.flit_bytes()) * 8000.0 / technique.cycle_ps().max(1) as f64;
    html! {
        <>
            <Picture matrix={Rc::clone(matrix)} {bits_per_ns} />
            if !matrix.sent_once { {hint(t.matrix_about)} }
            if matrix.has_streams { {hint(t.matrix_streams)} }
            if matrix.apart { {hint(t.matrix_apart)} }
            if matrix.left_out > 0 { {hint(t.matrix_left_out)} }
        </>
    }
}

/// The properties of the picture.
#[derive(Properties)]
pub struct PictureProps {
    /// The matrix.
    pub matrix: Rc<TrafficMatrix>,
    /// Gigabits per second of a flit per cycle.
    pub bits_per_ns: f64,
}

impl PartialEq for PictureProps {
    fn eq(&self, other: &PictureProps) -> bool {
        Rc::ptr_eq(&self.matrix, &other.matrix) && self.bits_per_ns == other.bits_per_ns
    }
}

/// The picture. The pointer, or the arrow keys, choose a cell; its numbers are above.
#[component]
pub fn Picture(props: &PictureProps) -> Html {
    let t = text();
    let chosen = use_state(|| None::<[u32; 2]>);
    let matrix = &props.matrix;
    let side = matrix.side;
    let paths = use_memo(Rc::as_ptr(matrix) as usize, |_| shades(matrix));
    let most = matrix.cells.iter().copied().fold(0.0, f64::max);
    let square = use_node_ref();
    let at_pointer = {
        let (chosen, square) = (chosen.clone(), square.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(square) = square.cast::<Element>() else { return };
            let area = square.get_bounding_client_rect();
            let cell = |at: i32, start: f64, size: f64| {
                ((f64::from(at) - start) / size * f64::from(side)).clamp(0.0, f64::from(side) - 1.0)
            };
            let row = cell(event.client_y(), area.top(), area.height()) as u32;
            let column = cell(event.client_x(), area.left(), area.width()) as u32;
            if *chosen != Some([row, column]) {
                chosen.set(Some([row, column]));
            }
        })
    };
    let onkeydown = {
        let chosen = chosen.clone();
        Callback::from(move |event: KeyboardEvent| {
            let [row, column] = chosen.unwrap_or([0, 0]);
            let last = side.saturating_sub(1);
            let to = match event.key().as_str() {
                "ArrowUp" => [row.saturating_sub(1), column],
                "ArrowDown" => [(row + 1).min(last), column],
                "ArrowLeft" => [row, column.saturating_sub(1)],
                "ArrowRight" => [row, (column + 1).min(last)],
                "Home" => [0, 0],
                "End" => [last, last],
                _ => return,
            };
            event.prevent_default();
            chosen.set(Some(to));
        })
    };
    let leave = form::forget_on_leave(&chosen);
    let chosen = chosen.filter(|[row, column]| row.max(column) < &side);
    let about = chosen.map(|cell| describe(matrix, cell, props.bits_per_ns));
    html! {
        <div class="matrix">
            <p class="hint matrix-value" role="status">{about.unwrap_or_else(|| t.matrix_hint.to_owned())}</p>
            <p class="matrix-axis" aria-hidden="true">{t.matrix_columns}</p>
            <div class="matrix-body">
                <p class="matrix-axis matrix-rows" aria-hidden="true">{t.matrix_rows}</p>
                <svg ref={square} viewBox={format!("0 0 {side} {side}")} role="img" tabindex="0" aria-label={t.matrix_label}
                    shape-rendering="crispEdges" onpointermove={at_pointer.clone()} onpointerdown={at_pointer} onpointerleave={leave} {onkeydown}>
                    {for paths.iter().enumerate().map(|(step, path)| html! { <path class={format!("shade-{step}")} d={path.clone()} /> })}
                    if let Some([row, column]) = chosen {
                        <rect class="matrix-cross" x="0" y={row.to_string()} width={side.to_string()} height="1" />
                        <rect class="matrix-cross" x={column.to_string()} y="0" width="1" height={side.to_string()} />
                    }
                </svg>
            </div>
            <p class="matrix-scale hint"><span>{"0"}</span>
                <svg viewBox="0 0 8 1" preserveAspectRatio="none" aria-hidden="true">
                    {for (0..STEPS).map(|step| html! { <rect class={format!("shade-{step}")} x={step.to_string()} width="1" height="1" /> })}
                </svg>
                <span>{amount(matrix, most)}</span></p>
            if matrix.hosts_per_cell > 1 { {hint(fill(t.matrix_cells, &[&matrix.hosts_per_cell, &matrix.hosts_per_cell]))} }
        </div>
    }
}

/// The cells of each shade as a path; neighbours in a row are one rectangle.
fn shades(matrix: &TrafficMatrix) -> Vec<String> {
    let mut paths = vec![String::new(); STEPS];
    let most = matrix.cells.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return paths;
    }
    let step = |value: f64| {
        (value > 0.0).then(|| ((value / most * STEPS as f64).ceil() as usize).clamp(1, STEPS) - 1)
    };
    for (y, row) in matrix.cells.chunks(matrix.side.max(1) as usize).enumerate() {
        let mut x = 0;
        while x < row.len() {
            let shade = step(row[x]);
            let width = row[x..].iter().take_while(|value| step(**value) == shade).count();
            if let Some(shade) = shade {
                write!(paths[shade], "M{x} {y}h{width}v1h-{width}z")
                    .expect("memory can be written");
            }
            x += width;
        }
    }
    paths
}

/// An amount in the unit of the matrix.
fn amount(matrix: &TrafficMatrix, value: f64) -> String {
    let t = text();
    let unit = if matrix.sent_once { t.flits_in_all } else { t.flits_per_cycle };
    let digits = if value > 0.0 && value < 1e-3 { decimal(value, 7) } else { short(value) };
    format!("{digits} {unit}")
}

/// A cell in words: source, destination, rate in each unit, share of all.
fn describe(matrix: &TrafficMatrix, [row, column]: [u32; 2], bits_per_ns: f64) -> String {
    let t = text();
    let hosts = |cell: u32| {
        let first = cell * matrix.hosts_per_cell;
        let last = (first + matrix.hosts_per_cell).min(matrix.hosts).max(first + 1) - 1;
        if first == last { first.to_string() } else { format!("{first}–{last}") }
    };
    let value = matrix.cells.get((row * matrix.side + column) as usize).copied().unwrap_or(0.0);
    let (from, to) = (hosts(row), hosts(column));
    if value <= 0.0 {
        return fill(t.matrix_nothing, &[&from, &to]);
    }
    let all: f64 = matrix.cells.iter().sum();
    let share = percent(value / all, 2);
    let mut words = fill(t.matrix_cell, &[&from, &to, &amount(matrix, value)]);
    if !matrix.sent_once {
        write!(words, " · {} Gb/s", short(value * bits_per_ns)).expect("memory can be written");
    }
    words + " · " + &fill(t.matrix_share, &[&share])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(side: u32, cells: Vec<f64>) -> TrafficMatrix {
        TrafficMatrix {
            hosts: side,
            hosts_per_cell: 1,
            side,
            cells,
            sent_once: false,
            left_out: 0,
            apart: false,
            has_streams: false,
        }
    }

    #[test]
    fn cells_of_a_row_with_one_shade_are_one_rectangle_and_empty_cells_are_none() {
        let paths = shades(&matrix(3, vec![0.0, 1.0, 1.0, 8.0, 0.0, 0.0, 0.1, 4.1, 8.0]));
        assert_eq!(paths[0], "M1 0h2v1h-2zM0 2h1v1h-1z");
        assert_eq!(paths[4], "M1 2h1v1h-1z");
        assert_eq!(paths[7], "M0 1h1v1h-1zM2 2h1v1h-1z");
        assert!(shades(&matrix(2, vec![0.0; 4])).iter().all(String::is_empty));
    }
}
