//! Branch and bound as `mota solve` runs it.

use std::time::Instant;

use super::super::interrupt::Interrupt;
use super::super::output::RouteStep;
use super::super::{Exit, Failure};
use super::answer::SolveOutput;
use super::told::Told;
use super::{Algorithm, Part, SolveArgs};
use crate::game::Game;
use crate::solver::branch::{self, Limits, Request, Without};
use crate::solver::mechanism::Mechanisms;
use crate::solver::search::{Standing, Watch};

impl SolveArgs {
    /// Runs branch and bound.
    pub(super) fn branch(&self, game: &Game, interrupt: &Interrupt) -> Result<(SolveOutput, Exit), Failure> {
        let begun = Instant::now();
        let mut told = Told::new(self.anytime);
        let mut tell = |standing: &Standing| told.tell(standing, begun);
        let mut watch = Watch { stop: &|| interrupt.stops(), tell: &mut tell };
        let left_out = |part| self.without.contains(&part);
        let request = Request {
            limits: Limits { memory: self.memory, ..Limits::default() },
            without: Without {
                combat: left_out(Part::Combat),
                keys: left_out(Part::Keys),
                items: left_out(Part::Items),
                table: left_out(Part::Table),
                forced: left_out(Part::Forced),
            },
            ..Request::default()
        };
        let found = branch::solve(game, &request, &mut watch)?;
        let exit = match found.proven {
            true => Exit::Done,
            false if interrupt.was_pressed() => Exit::Interrupted,
            false if self.anytime => Exit::Done,
            false => Exit::Failed,
        };
        let mut answer = SolveOutput::new(&game.tower().name, Algorithm::Branch, &self.goal);
        answer.value = found.best;
        answer.proven = found.proven;
        answer.upper_bound = found.upper_bound;
        answer.gap = answer.upper_bound.zip(answer.value).map(|(bound, value)| bound.saturating_sub(value));
        answer.states = found.states;
        answer.wins = found.wins;
        answer.passes = Some(found.passes);
        answer.hp_counts = found.hp_counts.iter().map(ToString::to_string).collect();
        answer.failed = (found.failed > 0).then_some(found.failed);
        answer.unbounded = found.unbounded;
        answer.instead = (self.algorithm == Algorithm::Exact).then(|| match Mechanisms::of(game) {
            Ok(_) => "a vampire here takes more than all HP, or adds what it takes to its own".to_owned(),
            Err(what) => format!("it has {}", what.trim_end_matches(',')),
        });
        let steps = found.route.unwrap_or_default();
        answer.r#final = match (steps.last(), found.best) {
            (None, Some(_)) => Some(game.start()?.hero),
            (last, _) => last.map(|step| step.state.hero),
        };
        answer.route = steps.iter().map(|step| RouteStep::new(game, step)).collect();
        Ok((answer, exit))
    }
}
