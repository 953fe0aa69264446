//! The exact search as `mota solve` runs it: what was asked for, how it ends.

use std::time::Instant;

use super::super::interrupt::Interrupt;
use super::super::output::RouteStep;
use super::super::{Exit, Failure};
use super::answer::{RouteOutput, SolveOutput};
use super::told::Told;
use super::{Part, SolveArgs};
use crate::game::Game;
use crate::solver::exact::{self, Request, Solution};
use crate::solver::search::{Settings, Standing, Watch, Without};

impl SolveArgs {
    /// Runs the exact search.
    pub(super) fn exact(&self, game: &Game, interrupt: &Interrupt) -> Result<(SolveOutput, Exit), Failure> {
        let begun = Instant::now();
        let mut told = Told::new(self.anytime);
        let mut tell = |standing: &Standing| told.tell(standing, begun);
        let mut watch = Watch { stop: &|| interrupt.stops(), tell: &mut tell };
        let solution = exact::solve(game, &self.request(), &mut watch)?;
        let exit = match solution.proven {
            true => Exit::Done,
            false if interrupt.was_pressed() => Exit::Interrupted,
            false if self.anytime => Exit::Done,
            false => Exit::Failed,
        };
        Ok((self.answer(game, solution), exit))
    }

    fn request(&self) -> Request {
        let left_out = |part| self.without.contains(&part);
        let defaults = Settings::default();
        let settings = Settings {
            goal: self.goal,
            top: self.top as usize,
            memory: self.memory,
            threads: self.threads.map_or(defaults.threads, usize::from),
            without: Without {
                bound: left_out(Part::Bound),
                forced: left_out(Part::Forced),
                order: left_out(Part::Order),
                gifts: left_out(Part::Gifts),
                spent: left_out(Part::Spent),
            },
            ..defaults
        };
        Request { merge: self.merge, settings }
    }

    fn answer(&self, game: &Game, solution: Solution) -> SolveOutput {
        let mut routes = solution.routes.iter().map(|route| RouteOutput {
            value: route.value,
            r#final: route.steps.last().map(|step| step.state.hero),
            route: route.steps.iter().map(|step| RouteStep::new(game, step)).collect(),
        });
        let best = routes.next();
        let others: Vec<RouteOutput> = routes.collect();
        let mut answer = SolveOutput::new(&game.tower().name, self.algorithm, &self.goal);
        answer.value = best.as_ref().map(|best| best.value);
        answer.r#final = best.as_ref().and_then(|best| best.r#final);
        answer.route = best.map(|best| best.route).unwrap_or_default();
        answer.top = self.top as usize;
        answer.others = (self.top > 1).then_some(others);
        answer.proven = solution.proven;
        answer.upper_bound = solution.upper_bound;
        answer.gap = answer.upper_bound.zip(answer.value).map(|(bound, value)| bound.saturating_sub(value));
        answer.states = solution.states;
        answer.wins = solution.wins;
        answer.passes = Some(solution.passes);
        answer.order_matters = solution.exceptions.iter().map(ToString::to_string).collect();
        answer
    }
}
