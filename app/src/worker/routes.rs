//! Routes for the session and answers about them. Computing them may take seconds; it tells how far it has come, and
//! whoever wants it stopped ends the worker.

use super::{now_ms, post};
use crate::protocol::{Aftermath, FromWorker};
use hopscope_core::network::Network;
use hopscope_core::problem::Problems;
use hopscope_core::routing::{self, Failure, Progress, Routing};
use hopscope_core::scenario::{NetworkSpec, RoutingSpec, Scenario};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Work shorter than this is not talked about; longer work is, this often.
const TELL_MS: f64 = 100.0;

/// Computes routes; those of last time are kept, since most changes of a scenario leave them as they are.
#[derive(Default)]
pub struct Router {
    last: Option<Kept>,
}

struct Kept {
    of: (NetworkSpec, RoutingSpec),
    network: Arc<Network>,
    routing: Arc<Routing>,
}

impl Router {
    /// The network and routes of a scenario. `number` is the document or question they are for.
    pub fn route(
        &mut self,
        number: u32,
        scenario: &Scenario,
    ) -> Result<(Arc<Network>, Arc<Routing>), Problems> {
        let of = (scenario.network.clone(), scenario.routing.clone());
        if self.last.as_ref().is_none_or(|last| last.of != of) {
            let network = Arc::new(scenario.network.build()?);
            let routing = routing::compute_with(&network, &scenario.routing, &mut teller(number))?;
            let routing = Arc::new(routing.expect("the teller never stops it"));
            self.last = Some(Kept { of, network, routing });
        }
        let last = self.last.as_ref().expect("just kept");
        Ok((Arc::clone(&last.network), Arc::clone(&last.routing)))
    }

    /// What failures would change in a scenario.
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
            &mut teller(question),
        )?;
        Ok(Aftermath::of(&network, &before, &found.expect("the teller never stops it")))
    }
}

/// Tells the page how far the work has come.
fn teller(number: u32) -> impl FnMut(Progress) -> ControlFlow<()> {
    let mut told = now_ms();
    move |progress| {
        let now = now_ms();
        if now - told >= TELL_MS {
            told = now;
            post(&FromWorker::Routing { number, progress });
        }
        ControlFlow::Continue(())
    }
}
