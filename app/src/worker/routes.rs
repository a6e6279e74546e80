//! Routes of scenarios, and what failures change about them.
//!
//! Computing routes may take seconds. Meanwhile the router reports its progress; the page stops it
//! by ending the worker.

use crate::protocol::Aftermath;
use crate::state::without_appearance;
use hopscope_core::network::Network;
use hopscope_core::problem::Problems;
use hopscope_core::routing::{self, Failure, Progress, Routing};
use hopscope_core::scenario::{NetworkSpec, RoutingSpec, Scenario};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Progress is reported this often; shorter work is not reported.
const REPORT_MS: f64 = 100.0;

/// Computes routes. It keeps the last routes, because most edits of a scenario do not change them;
/// names and positions never do.
pub struct Router {
    last: Option<Computed>,
    /// The clock, milliseconds.
    now_ms: fn() -> f64,
    /// Takes the number of the document or question, and the progress.
    report: fn(u32, Progress),
}

struct Computed {
    of: (NetworkSpec, RoutingSpec),
    routing: Arc<Routing>,
}

impl Router {
    /// A router with this clock, which reports its progress to `report`.
    pub fn new(now_ms: fn() -> f64, report: fn(u32, Progress)) -> Router {
        Router { last: None, now_ms, report }
    }

    /// The routes of a scenario in its network. `number` is that of the document or question.
    ///
    /// # Errors
    ///
    /// Why the network has no routes.
    pub fn route(
        &mut self,
        number: u32,
        scenario: &Scenario,
        network: &Network,
    ) -> Result<Arc<Routing>, Problems> {
        let Scenario { network: spec, routing, .. } = without_appearance(scenario);
        let of = (spec, routing);
        if let Some(last) = self.last.as_ref().filter(|last| last.of == of) {
            return Ok(Arc::clone(&last.routing));
        }
        let found = routing::compute_with(network, &of.1, &mut self.reporter(number))?;
        let routing = Arc::new(found.expect("progress never stops it"));
        self.last = Some(Computed { of, routing: Arc::clone(&routing) });
        Ok(routing)
    }

    /// What failures would change in a scenario.
    ///
    /// # Errors
    ///
    /// Why the scenario, or the network that the failures leave, has no routes.
    pub fn what_if(
        &mut self,
        question: u32,
        scenario_json: &str,
        failures: &[Failure],
    ) -> Result<Aftermath, Problems> {
        let scenario = Scenario::read(scenario_json)?;
        let network = scenario.check()?;
        let before = self.route(question, &scenario, &network)?;
        let found = routing::what_if(
            &network,
            &before,
            &scenario.routing,
            failures,
            &mut self.reporter(question),
        )?;
        Ok(Aftermath::of(&network, &before, &found.expect("progress never stops it")))
    }

    /// Reports the progress of the work for a document or question.
    fn reporter(&self, number: u32) -> impl FnMut(Progress) -> ControlFlow<()> + use<> {
        let (now_ms, report) = (self.now_ms, self.report);
        let mut last_ms = now_ms();
        move |progress| {
            let now = now_ms();
            if now - last_ms >= REPORT_MS {
                last_ms = now;
                report(number, progress);
            }
            ControlFlow::Continue(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_positions_change_no_routes() {
        let routed = |router: &mut Router, name: &str, x: i32, preset: &str| {
            let text = format!(
                r#"{{ "hopscope": 1, "network": {{
                    "switches": [{{ "name": "{name}", "ports": 4, "x": {x}, "y": 0 }}],
                    "hosts": [{{ "switch": 0 }}, {{ "switch": 0 }}] }},
                    "routing": {{ "preset": "{preset}" }} }}"#
            );
            let scenario = Scenario::read(&text).expect("right");
            let network = scenario.check().expect("right");
            router.route(1, &scenario, &network).expect("it has routes")
        };
        let mut router = Router::new(|| 0.0, |_, _| {});
        let first = routed(&mut router, "A", 0, "UD");
        assert!(Arc::ptr_eq(&first, &routed(&mut router, "B", 70, "UD")));
        assert!(!Arc::ptr_eq(&first, &routed(&mut router, "B", 70, "DFS")));
    }
}
