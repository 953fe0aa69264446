//! Best play, decision by decision: where it can be left, and what the tempting actions would cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::player::Player;
use crate::agent::ChosenBy;
use crate::analysis::decision::{ActionValue, DecisionValue};
use crate::analysis::judge;
use crate::game::{Position, State, Step, Tile};
use crate::solver::{SolveError, Values};

/// Best play and its neighbourhood. `analysis::decision` defines critical and forced decisions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BestPlay {
    /// How many decisions it takes.
    pub decisions: u32,
    /// At how many of them a losing action that is not lethal stands beside a saving one.
    pub critical: u32,
    /// At how many of them exactly one action keeps the boss defeatable.
    pub forced: u32,
    /// At how many of them some action that is not lethal costs value, losing ones among them.
    pub costly: u32,
    /// At how many of them some fight in reach would be lethal.
    pub lethal: u32,
    /// At how many of them opening some door would lose.
    pub wrong_doors: u32,
    /// The first losing action beside it that is not lethal; null if there is none.
    pub first_losing: Option<Alternative>,
    /// What the actions that simple rules would choose along best play cost.
    pub temptations: Vec<Temptation>,
    /// The decisions with the values of all actions.
    pub steps: Vec<DecisionValue>,
}

/// An action beside best play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alternative {
    /// Number of the decision, from 1.
    pub turn: u32,
    /// The action's tile.
    pub target: Position,
    /// What it does.
    pub text: String,
    /// Final HP under best play if it is not chosen.
    pub value_before: i64,
    /// Final HP under best play after it; null if the boss cannot be defeated any more.
    pub value_after: Option<i64>,
}

/// What a rule's choices along best play would cost, if each were followed by best play again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Temptation {
    /// Whose rule.
    pub agent: Player,
    /// At how many decisions its choice costs value.
    pub costly: u32,
    /// At how many of them it loses.
    pub losing: u32,
    /// HP of value that its choices cost together; a losing one costs all of the value.
    pub value_lost: i64,
    /// The first that loses; null if none does.
    pub first_losing: Option<Alternative>,
}

/// Whose rules tempt.
const TEMPTERS: [Player; 2] = [Player::Greedy, Player::Heuristic];

impl BestPlay {
    /// Looks around the route from `start`.
    ///
    /// # Errors
    /// [`SolveError`] if a value is not known.
    pub fn of(values: &Values, start: &State, route: &[Step]) -> Result<Self, SolveError> {
        let mut steps = Vec::new();
        let mut tempted: Vec<Vec<u32>> = vec![Vec::new(); TEMPTERS.len()];
        let mut state = start;
        for step in route {
            let actions = values.game().actions(state)?;
            let number = actions.iter().position(|action| *action == step.action).map_or(1, |index| index as u32 + 1);
            steps.push(judge::decision(values, state, number, ChosenBy::Agent)?);
            for (tempter, choices) in TEMPTERS.iter().zip(&mut tempted) {
                choices.push(tempter.choose(values.game(), state, &actions, 0)?);
            }
            state = &step.state;
        }
        let game = values.game();
        let is_door = |action: &ActionValue| matches!(game.tower().tile(action.target), Some(Tile::Door(_)));
        let count = |of: &dyn Fn(&DecisionValue) -> bool| steps.iter().filter(|step| of(step)).count() as u32;
        // All values of best play are known.
        let is = |of: fn(&DecisionValue) -> Option<bool>| move |step: &DecisionValue| of(step) == Some(true);
        Ok(BestPlay {
            decisions: steps.len() as u32,
            critical: count(&is(DecisionValue::is_critical)),
            forced: count(&is(DecisionValue::is_forced)),
            costly: count(&|step| {
                step.actions.iter().any(|action| !action.lethal && action.worth.most < step.before.least)
            }),
            lethal: count(&|step| step.actions.iter().any(|action| action.lethal)),
            wrong_doors: count(&|step| {
                step.before.is_saved() && step.actions.iter().any(|action| action.worth.is_lost() && is_door(action))
            }),
            first_losing: first_losing(&steps),
            temptations: (TEMPTERS.iter().zip(&tempted))
                .map(|(agent, choices)| tempt(*agent, &steps, choices))
                .collect(),
            steps,
        })
    }
}

fn first_losing(steps: &[DecisionValue]) -> Option<Alternative> {
    let step = steps.iter().find(|step| step.is_critical() == Some(true))?;
    let losing = step.actions.iter().find(|action| action.worth.is_lost() && !action.lethal)?;
    alternative(step, losing)
}

fn alternative(step: &DecisionValue, action: &ActionValue) -> Option<Alternative> {
    Some(Alternative {
        turn: step.turn,
        target: action.target,
        text: action.text.clone(),
        value_before: step.before.hp()?,
        value_after: action.worth.hp(),
    })
}

fn tempt(agent: Player, steps: &[DecisionValue], choices: &[u32]) -> Temptation {
    let mut temptation = Temptation { agent, costly: 0, losing: 0, value_lost: 0, first_losing: None };
    for (step, choice) in steps.iter().zip(choices) {
        let (Some(action), Some(before)) = (step.actions.get((*choice as usize).saturating_sub(1)), step.before.hp())
        else {
            continue;
        };
        let lost = before - action.worth.hp().unwrap_or(0);
        temptation.costly += u32::from(lost > 0);
        temptation.value_lost = temptation.value_lost.saturating_add(lost);
        if action.worth.is_lost() {
            temptation.losing += 1;
            if temptation.first_losing.is_none() {
                temptation.first_losing = alternative(step, action);
            }
        }
    }
    temptation
}
