//! Deadlock: the proof that none can arise or the cycle that allows one, and the deadlock of the
//! run.

use super::parts::{button, heading, hint, link_button, toggle};
use super::view::View;
use super::words;
use crate::action::Action;
use crate::command::Command;
use crate::edit::{self, Kind};
use crate::stage::Overlay;
use crate::state::Pin;
use crate::text::{fill, number, text};
use hopscope_core::routing::Axes;
use hopscope_core::scenario::Preset;
use yew::prelude::*;

/// What the channel dependency graph says before the run.
pub fn verdict(view: View) -> Html {
    let t = text();
    let Some(facts) = &view.state.run.facts else { return Html::default() };
    let cycle = &facts.routing.cycle;
    if cycle.is_empty() || facts.lanes_avoid_cycles {
        let needs_memory = facts.routing.figures.routes.itbs_per_route.mean > 0.0
            && !view.state.scenario().fabric.technique().drops_in_transit();
        let routing = &view.state.scenario().routing;
        let is_minimal = routing.preset == Preset::Minimal
            && Axes::are_presets(routing)
            && !facts.lanes_avoid_cycles;
        let why = if cycle.is_empty() { t.deadlock_free_why } else { t.deadlock_free_lanes };
        return html! {
            <section class="card verdict safe">
                <h2><span class="mark" aria-hidden="true">{"✓"}</span>{t.deadlock_free}</h2>
                <p class="hint">
                    {why}
                    if needs_memory {
                        {" "}{t.deadlock_free_memory}
                    }
                    if is_minimal {
                        {" "}{t.cannot_deadlock}
                    }
                </p>
                if !is_minimal && !view.state.is_locked() {
                    {button(t.make_deadlock, view.on_command(Command::MakeDeadlock))}
                }
            </section>
        };
    }
    let picture = &view.state.stage.picture;
    let names: Vec<String> =
        cycle.iter().map(|&channel| words::channel(picture, channel)).collect();
    let shown = view.state.display.overlay == Overlay::Dependencies;
    html! {
        <section class="card verdict unsafe">
            <h2><span class="mark" aria-hidden="true">{"!"}</span>{t.may_deadlock}</h2>
            {hint(fill(t.may_deadlock_why, &[&names.join(", ")]))}
            if view.state.run.stats.deadlock.is_none() {
                {toggle(if shown { t.hide_cycle } else { t.show_cycle }, shown, view.on_command(Command::Show(Overlay::Dependencies)))}
            }
        </section>
    }
}

/// The sign over the stage that the run has deadlocked.
pub fn deadlock_sign(view: View) -> Html {
    let Some(found) = &view.state.run.stats.deadlock else { return Html::default() };
    let messages = found.holders().len();
    html! {
        <p class="deadlock-sign" id="deadlock" role="alert">
            {fill(text().deadlocked, &[&number(found.cycle), &messages])}
        </p>
    }
}

/// The deadlock, message by message, and two ways to go on.
pub fn deadlock(view: View) -> Html {
    let t = text();
    let Some(found) = &view.state.run.stats.deadlock else { return Html::default() };
    let picture = &view.state.stage.picture;
    let row = |(message, channels): (u32, Vec<u32>)| {
        let names: Vec<String> =
            channels.iter().map(|&channel| words::channel(picture, channel)).collect();
        html! {
            <li>
                {link_button(fill(t.deadlock_chain, &[&message, &names.join(", ")]),
                    view.on(move || Action::Pin(Pin::Message(message))))}
            </li>
        }
    };
    let repair = view.on(|| {
        Action::change(Kind::Routing, false, |scenario| {
            edit::routing::choose(scenario, Preset::UD_ITB, None);
        })
    });
    html! {
        <section class="card deadlock" aria-label={t.deadlock_detail}>
            {heading(t.deadlock_detail)}
            <ol>{for found.holders().into_iter().map(row)}</ol>
            <div class="row">
                {button(t.back_many, view.on_command(Command::BackMany))}
                {button(t.break_it, repair)}
            </div>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::Deadlock;
    use hopscope_core::lessons::Quantity;
    use hopscope_core::simulation::Simulation;

    #[test]
    fn a_worm_that_holds_several_channels_is_one_of_the_messages() {
        let (channels, messages) = (vec![0, 2, 4, 6, 8], vec![26, 25, 25, 30, 26]);
        let found = Deadlock { cycle: 7, channels, messages };
        assert_eq!(found.holders(), [(26, vec![0, 8]), (25, vec![2, 4]), (30, vec![6])]);
    }

    #[test]
    fn there_are_as_many_messages_as_lessons_count() {
        let item = hopscope_core::gallery::all().iter().find(|item| item.id == "deadlock-ring");
        let mut run = Simulation::new(&item.unwrap().scenario().unwrap()).unwrap();
        run.run_to_end();
        let core = run.deadlock().expect("the ring deadlocks").clone();
        let (channels, messages) = (core.channels.clone(), core.messages.clone());
        let found = Deadlock { cycle: core.cycle, channels, messages };
        let holders = found.holders();
        assert_eq!(Quantity::DeadlockMessages.of(&run), Some(holders.len() as f64));
        assert!(holders.len() < core.channels.len(), "a worm holds several: {core:?}");
        let held = holders.iter().map(|(_, channels)| channels.len()).sum::<usize>();
        assert_eq!(held, core.channels.len());
    }
}
