//! Routes of scenarios, and what failures change about them.
//!
//! Computing routes may take seconds. Meanwhile the router reports its progress; the page stops it
//! by ending the worker.

use crate::protocol::Aftermath;
use hopscope_core::network::Network;
use hopscope_core::problem::Problems;
use hopscope_core::routing::{self, Failure, Progress, Routing};
use hopscope_core::scenario::{NetworkSpec, RoutingSpec, Scenario};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Progress is reported this often; shorter work is not reported.
const REPORT_MS: f64 = 100.0;

/// Computes routes. It keeps the last routes, because most edits of a scenario do not change them.
pub struct Router {
    last: Option<Computed>,
    /// The clock, milliseconds.
    now_ms: fn() -> f64,
    /// Takes the number of the document or question, and the progress.
    report: fn(u32, Progress),
}

struct Computed {
    of: (NetworkSpec, RoutingSpec),
    network: Arc<Network>,
    routing: Arc<Routing>,
}

impl Router {
    /// A router with this clock, which reports its progress to `report`.
    pub fn new(now_ms: fn() -> f64, report: fn(u32, Progress)) -> Router {
        Router { last: None, now_ms, report }
    }

    /// The network and routes of a scenario. `number` is that of the document or question.
    ///
    /// # Errors
    ///
    /// Why the network cannot be built or has no routes.
    pub fn route(
        &mut self,
        number: u32,
        scenario: &Scenario,
    ) -> Result<(Arc<Network>, Arc<Routing>), Problems> {
        let of = (scenario.network.clone(), scenario.routing.clone());
        if self.last.as_ref().is_none_or(|last| last.of != of) {
            let network = Arc::new(scenario.network.build()?);
            let routing =
                routing::compute_with(&network, &scenario.routing, &mut self.reporter(number))?;
            let routing = Arc::new(routing.expect("progress never stops it"));
            self.last = Some(Computed { of, network, routing });
        }
        let last = self.last.as_ref().expect("stored above");
        Ok((Arc::clone(&last.network), Arc::clone(&last.routing)))
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
        scenario.check()?;
        let (network, before) = self.route(question, &scenario)?;
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
