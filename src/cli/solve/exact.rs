//! The exact search as `mota solve` runs it: what was asked for, what is told meanwhile, how it ends.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use super::super::interrupt::Interrupt;
use super::super::output::RouteStep;
use super::super::{Exit, Failure};
use super::answer::{RouteOutput, SolveOutput};
use super::{Part, SolveArgs};
use crate::game::Game;
use crate::solver::exact::{self, Request, Solution};
use crate::solver::search::{Settings, Standing, Watch, Without};

/// Terminals are told where a search stands once it has run so long.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between two lines on where a search stands.
const PAUSE: Duration = Duration::from_millis(250);

impl SolveArgs {
    /// Runs the exact search.
    pub(super) fn exact(&self, game: &Game, interrupt: &Interrupt) -> Result<(SolveOutput, Exit), Failure> {
        let begun = Instant::now();
        let mut told = Standing::default();
        let mut told_at = None;
        let terminal = std::io::stderr().is_terminal();
        let mut tell = |standing: &Standing| {
            let news = (standing.best, standing.upper_bound) != (told.best, told.upper_bound);
            let now = begun.elapsed();
            let wanted = self.anytime || (terminal && now >= PATIENCE);
            if news && wanted && told_at.is_none_or(|before| now >= before + PAUSE) {
                (told, told_at) = (*standing, Some(now));
                eprintln!("{}", line(standing, now));
            }
        };
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

/// Where a search stands, in a line: `12.3 s  best 159  at most 179  gap 20  106,047 states`.
fn line(standing: &Standing, elapsed: Duration) -> String {
    let best = standing.best.map_or("none yet".into(), |best| best.to_string());
    let bound = standing.upper_bound.map_or("not known".into(), |bound| bound.to_string());
    let gap = (standing.upper_bound.zip(standing.best))
        .map_or(String::new(), |(bound, best)| format!("  gap {}", bound.saturating_sub(best)));
    format!("{:7.1} s  best {best}  at most {bound}{gap}  {} states", elapsed.as_secs_f64(), standing.states)
}
