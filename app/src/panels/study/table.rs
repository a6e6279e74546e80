//! The table of results, sorted and cut by a worker. A row pins its point.

use super::{on, papers};
use crate::panels::parts::{button, heading};
use crate::panels::view::View;
use crate::panels::words::{ConditionWords, condition_words};
use crate::protocol::study::{DrawnStudy, RowShown, SortBy};
use crate::state::StudyAction;
use crate::state::study::{LookEdit, Pinned};
use crate::text::{decimal, duration, fill, number, short, text};
use yew::prelude::*;

/// The card; nothing before there are results.
pub fn view(view: View) -> Html {
    let t = text();
    let Some(drawn) = &view.state.study.drawn else { return Html::default() };
    if let Some(paper) = view.state.study.current.paper {
        return papers::table(view, paper, drawn);
    }
    let unit = if drawn.per_host { t.flits_per_cycle_host } else { t.flits_per_ns };
    let mut columns: Vec<(SortBy, String, &'static str)> =
        vec![(SortBy::Point, t.point.into(), "")];
    let axes = drawn.axes.iter().enumerate();
    columns.extend(axes.map(|(i, name)| (SortBy::Axis(i), name.clone(), "")));
    columns.extend([
        (SortBy::Number(0), t.column_offered.into(), unit),
        (SortBy::Number(1), t.column_accepted.into(), unit),
        (SortBy::Number(2), format!("{}, {}", t.latency_from_injection, t.mean), "ns"),
        (SortBy::Number(3), format!("{}, p99", t.latency_from_injection), "ns"),
    ]);
    // Every row or none is of an application that has finished, but for the ones that stopped.
    let has_run_times = drawn.rows.iter().any(|row| row.numbers[4].is_some());
    if has_run_times {
        columns.push((SortBy::Number(4), t.run_time.into(), ""));
    }
    columns.push((SortBy::Condition, t.how_it_went.into(), ""));
    let hidden = drawn.row_count - drawn.rows.len();
    html! {
        <section class="card" id="study-results">
            {heading(t.results_of_points)}
            <div class="table-scroll" tabindex="0" role="region" aria-label={t.results_of_points}>
                <table class="results-table" id="study-table">
                    <thead><tr>
                        {for columns.into_iter().map(|column| head(view, column))}
                        <th scope="col" class="words">{t.fingerprint}</th>
                    </tr></thead>
                    <tbody>{for drawn.rows.iter().map(|row| line(view, drawn, row, has_run_times))}</tbody>
                </table>
            </div>
            if hidden > 0 {
                {button(fill(t.show_more, &[&number(hidden as u64)]), on(view, StudyAction::Look(LookEdit::More)))}
            }
        </section>
    }
}

fn head(view: View, (by, name, unit): (SortBy, String, &'static str)) -> Html {
    let look = &view.state.study.look;
    let order =
        (look.sort == by).then_some(if look.descending { "descending" } else { "ascending" });
    let sign = match order {
        Some("descending") => "▼",
        Some(_) => "▲",
        None => "",
    };
    html! {
        <th scope="col" aria-sort={order}>
            <button onclick={on(view, StudyAction::Look(LookEdit::Sort(by)))}>
                {name}if !unit.is_empty() { <small>{unit}</small> }<span class="sort-sign" aria-hidden="true">{sign}</span>
            </button>
        </th>
    }
}

fn line(view: View, drawn: &DrawnStudy, row: &RowShown, has_run_times: bool) -> Html {
    let pinned = Pinned { points: vec![row.point] };
    let is_marked = view.state.study.pinned.as_ref().is_some_and(|pin| pin.points == pinned.points);
    let ConditionWords { sign, word, .. } = condition_words(row.condition);
    let traffic = |value: f64| if drawn.per_host { decimal(value, 4) } else { decimal(value, 5) };
    let known = |number: Option<f64>, written: &dyn Fn(f64) -> String| {
        number.map_or_else(|| "–".to_owned(), written)
    };
    let [offered, accepted, mean, p99, run_time] = row.numbers;
    html! {
        <tr key={row.point} data-point={row.point.to_string()} class={is_marked.then_some("marked")}>
            <th scope="row"><button class="link" aria-pressed={is_marked.to_string()}
                onclick={on(view, StudyAction::Pin(Some(pinned)))}>{row.point}</button></th>
            {for row.settings.iter().map(|value| html! { <td>{value}</td> })}
            <td>{known(offered, &traffic)}</td><td>{known(accepted, &traffic)}</td>
            <td>{known(mean, &short)}</td><td>{known(p99, &short)}</td>
            if has_run_times { <td>{known(run_time, &duration)}</td> }
            <td class="words">{format!("{sign} {word}")}</td>
            <td class="words"><code>{&row.fingerprint}</code></td>
        </tr>
    }
}
