//! Measures one floor, computing what several measures share once, and only what is asked for.

use std::cell::OnceCell;

use super::target::{Measure, Measured};
use crate::game::{Game, GameError, Hero, ItemMode, Position, State, Tower};
use crate::inspect::{BestPlay, Player, Wishes};
use crate::solver::exact::{self, Request, Solution};
use crate::solver::settings::{Settings, Watch};
use crate::solver::values::Sets;
use crate::solver::{SolveError, Values, route};

/// HP that a hero is given to see how many he lacks.
const PLENTY: i64 = 5_000;

/// Sets of cleared doors and monsters that are told apart; with more of them, what rests on them is not known.
const MOST_SETS: usize = 300_000;

/// A floor under measurement.
pub struct Probe<'a> {
    game: Game,
    start: State,
    limits: &'a super::Limits,
    stop: &'a (dyn Fn() -> bool + Sync),
    values: OnceCell<Option<Values>>,
    best_play: OnceCell<Option<BestPlay>>,
}

impl<'a> Probe<'a> {
    /// A probe of a floor. What it measures after `stop` has said so is worth nothing.
    ///
    /// # Errors
    /// [`SolveError`] if it cannot be played at all.
    pub fn new(
        tower: Tower,
        limits: &'a super::Limits,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, SolveError> {
        let game = Game::new(tower, ItemMode::Auto).map_err(SolveError::Tower)?;
        let start = game.start()?;
        Ok(Probe { game, start, limits, stop, values: OnceCell::new(), best_play: OnceCell::new() })
    }

    /// Final HP under best play.
    pub fn optimum(&self) -> Measured {
        match self.values().map(|values| values.of(&self.start)) {
            Some(Ok(Some(value))) => Measured::Number(value),
            Some(Ok(None)) => Measured::Lost(self.missing()),
            Some(Err(_)) => Measured::Unknown,
            // Where the values do not fit, the optimum alone may still be found.
            None => match self.solve(&self.game) {
                Some(solution) if solution.proven => match solution.routes.first() {
                    Some(route) => Measured::Number(route.value),
                    None => Measured::Lost(self.missing()),
                },
                _ => Measured::Unknown,
            },
        }
    }

    /// Measures something else. `wins` tells whether the floor can be won at all.
    pub fn measure(&self, measure: &Measure, wins: bool) -> Measured {
        let number = |number: u64| Measured::Number(i64::try_from(number).unwrap_or(i64::MAX));
        let of_best =
            |of: fn(&BestPlay) -> Option<u64>| self.best_play().and_then(of).map_or(Measured::Unknown, number);
        match measure {
            Measure::Optimum => self.optimum(),
            Measure::FirstActions => match self.game.actions(&self.start) {
                Ok(actions) => number(actions.len() as u64),
                Err(_) => Measured::Unknown,
            },
            // Where nobody can win, that an agent does not says nothing.
            _ if !wins => Measured::Unknown,
            Measure::Decisions => of_best(|best| Some(best.decisions.into())),
            Measure::Critical => of_best(|best| Some(best.critical.into())),
            Measure::Forced => of_best(|best| Some(best.forced.into())),
            Measure::Costly => of_best(|best| Some(best.costly.into())),
            Measure::Lethal => of_best(|best| Some(best.lethal.into())),
            Measure::WrongDoors => of_best(|best| Some(best.wrong_doors.into())),
            Measure::FirstLosing => match self.best_play().map(|best| &best.first_losing) {
                Some(Some(first)) => number(first.turn.into()),
                Some(None) => Measured::Nothing,
                None => Measured::Unknown,
            },
            Measure::ValueLost(player) => {
                let found = self.best_play().and_then(|best| best.temptations.iter().find(|one| one.agent == *player));
                found.map_or(Measured::Unknown, |temptation| Measured::Number(temptation.value_lost))
            }
            Measure::LostStates => {
                self.sets().map_or(Measured::Unknown, |sets| number((100 * sets.lost / sets.reached.max(1)) as u64))
            }
            Measure::WinningSets => self.sets().map_or(Measured::Unknown, |sets| number(sets.winning)),
            Measure::Agent(player) => self.agent(*player),
            Measure::After(actions) => self.after(actions).unwrap_or(Measured::Unknown),
        }
    }

    fn values(&self) -> Option<&Values> {
        self.values.get_or_init(|| Values::held(&self.game, self.limits.memory).ok()).as_ref()
    }

    fn sets(&self) -> Option<Sets> {
        self.values()?.sets(MOST_SETS).ok().flatten()
    }

    fn best_play(&self) -> Option<&BestPlay> {
        let compute = || {
            let values = self.values()?;
            let route = route::best_route(values, &self.start).ok()?;
            BestPlay::of(values, &self.start, &route).ok()
        };
        self.best_play.get_or_init(compute).as_ref()
    }

    /// About how many HP are missing at the start; none if not even plenty would do.
    fn missing(&self) -> Option<i64> {
        let mut tower = Tower::clone(self.game.tower());
        let hp = tower.hero.hp.checked_add(PLENTY)?;
        tower.hero = Hero { hp, ..tower.hero };
        let game = Game::new(tower, ItemMode::Auto).ok()?;
        let best = self.solve(&game)?.routes.first()?.value;
        Some((PLENTY + 1 - best).max(1))
    }

    fn solve(&self, game: &Game) -> Option<Solution> {
        let settings = Settings { threads: 1, most_steps: self.limits.most_steps, ..Settings::default() };
        let mut watch = Watch { stop: self.stop, tell: &mut |_| {} };
        exact::solve(game, &Request { merge: false, settings }, &mut watch).ok()
    }

    fn agent(&self, player: Player) -> Measured {
        let wishes = Wishes { random_episodes: 1, ..Wishes::default() };
        match player.fate(&self.game, None, &wishes) {
            Ok(fate) if fate.episodes == 0 => Measured::Unknown,
            Ok(fate) => fate.best_hp.map_or(Measured::Lost(None), Measured::Number),
            Err(_) => Measured::Unknown,
        }
    }

    fn after(&self, actions: &[Position]) -> Result<Measured, GameError> {
        let mut state = self.start.clone();
        for at in actions {
            let action = self.game.action_at(&state, *at)?;
            state = self.game.apply(&state, &action)?.state;
        }
        let value = self.values().map(|values| values.of(&state));
        Ok(match value {
            Some(Ok(Some(value))) => Measured::Number(value),
            Some(Ok(None)) => Measured::Lost(None),
            _ => Measured::Unknown,
        })
    }
}
