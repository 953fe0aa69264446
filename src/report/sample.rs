//! Made-up analyses for tests: an episode told by the value after each of its decisions.

use std::collections::BTreeMap;

use crate::agent::{ChosenBy, Verdict};
use crate::analysis::losing::{losing, losing_between};
use crate::analysis::{ActionValue, DecisionValue, EpisodeAnalysis, LosingDecision};
use crate::eval::config::Config;
use crate::eval::manifest::Manifest;
use crate::eval::{Ending, EpisodeKey};
use crate::game::{Hero, Position};
use crate::solver::Worth;

/// An unfinished episode without decisions, on a floor with an optimum of 68.
pub fn episode(agent: &str, prompt: &str, floor: &str) -> Sample {
    Sample(EpisodeAnalysis {
        id: format!("{agent}-{floor}-{prompt}-0"),
        key: EpisodeKey { agent: agent.into(), floor: floor.into(), prompt: prompt.into(), repeat: 0 },
        floor_title: format!("The {floor} floor"),
        floor_note: None,
        optimum: Worth::exactly(Some(68)),
        values_unknown: None,
        ending: None,
        reason: None,
        hero: Hero { hp: 1000, ..Hero::default() },
        decisions: Vec::new(),
        losing: None,
        losing_between: None,
        verdicts: BTreeMap::new(),
        prompt_tokens: 0,
        completion_tokens: 0,
        reasoning_tokens: 0,
        cost_usd: None,
        time: None,
        taken_back: 0,
        hinted: 0,
    })
}

/// The manifest of a run that holds nothing.
pub fn manifest() -> Manifest {
    let config = Config { name: "sample".into(), ..Config::default() };
    Manifest { format: 1, mota: "0".into(), config, floors: Vec::new(), prompts: Vec::new(), episodes: 0 }
}

/// An episode in the making.
pub struct Sample(EpisodeAnalysis);

impl Sample {
    /// Another repeat of the same.
    pub fn repeat(mut self, repeat: u32) -> Self {
        self.0.key.repeat = repeat;
        self.0.id = format!("{}-{}-{}-{repeat}", self.0.key.agent, self.0.key.floor, self.0.key.prompt);
        self
    }

    /// An episode on a floor whose values are not known; to be said last.
    pub fn unknown(mut self) -> Self {
        self.0.values_unknown = Some("too many states".into());
        (self.0.optimum, self.0.losing) = (Worth::UNKNOWN, None);
        for decision in &mut self.0.decisions {
            decision.before = Worth::UNKNOWN;
            decision.actions.iter_mut().for_each(|action| action.worth = Worth::UNKNOWN);
        }
        self
    }

    /// An episode whose states are worth this, the first one first, as far as is known; decisions and all.
    pub fn worths(mut self, path: &[Worth]) -> Self {
        self.0.values_unknown = Some("the value is not proven within the limits".into());
        self.0.optimum = path[0];
        for (index, after) in path[1..].iter().enumerate() {
            self.decide(*after, ChosenBy::Agent, "open the blue door", (4, index as u16));
            if let Some(decision) = self.0.decisions.last_mut() {
                decision.before = path[index];
                decision.actions.push(ActionValue { number: 2, worth: Worth::UNKNOWN, ..decision.actions[0].clone() });
            }
        }
        self.0.losing = losing(&self.0.decisions);
        self.0.losing_between = losing_between(&self.0.decisions, path[0]);
        self
    }

    /// A remark on the floor.
    pub fn note(mut self, note: &str) -> Self {
        self.0.floor_note = Some(note.into());
        self
    }

    /// Another optimum than 68; to be said before any decision.
    pub fn optimum(mut self, optimum: Option<i64>) -> Self {
        self.0.optimum = Worth::exactly(optimum);
        self
    }

    /// Decisions of the agent, with the value of the state after each.
    pub fn values(mut self, after: &[i64]) -> Self {
        for value in after {
            self.decide(Worth::exactly(Some(*value)), ChosenBy::Agent, "open the yellow door", (1, 1));
        }
        self
    }

    /// One decision of someone else's, with the value after it.
    pub fn chosen_by(mut self, by: ChosenBy, after: i64) -> Self {
        self.decide(Worth::exactly(Some(after)), by, "fight the Bat", (2, 2));
        self
    }

    /// The decision that loses the episode.
    pub fn loses(mut self, by: ChosenBy, text: &str, at: (u16, u16)) -> Self {
        let before = self.0.decisions.last().map_or(self.0.optimum, DecisionValue::after);
        let earlier = self.0.decisions.iter().filter(|decision| decision.value_lost() > Some(0)).count();
        self.decide(Worth::LOST, by, text, at);
        self.0.losing = Some(LosingDecision {
            turn: self.0.decisions.len() as u32,
            target: Position::new(0, at.0, at.1),
            text: text.into(),
            by,
            before,
            earlier_losses: earlier as u32,
            earlier_not_known: 0,
        });
        self
    }

    /// Decisions after which the boss cannot be defeated, as before them.
    pub fn lost_turns(mut self, count: usize) -> Self {
        for _ in 0..count {
            self.decide(Worth::LOST, ChosenBy::Agent, "fight the Bat", (3, 3));
        }
        self
    }

    /// How it ended, with the hero's HP.
    pub fn ended(mut self, ending: Ending, hp: i64) -> Self {
        self.0.ending = Some(ending);
        self.0.hero.hp = hp;
        self
    }

    /// Completed calls of one verdict.
    pub fn verdict(mut self, verdict: Verdict, count: u32) -> Self {
        self.0.verdicts.insert(verdict, count);
        self
    }

    /// What the calls used.
    pub fn used(mut self, prompt_tokens: u64, completion_tokens: u64, cost_usd: Option<f64>) -> Self {
        (self.0.prompt_tokens, self.0.completion_tokens, self.0.cost_usd) =
            (prompt_tokens, completion_tokens, cost_usd);
        self
    }

    /// The analysis.
    pub fn done(self) -> EpisodeAnalysis {
        self.0
    }

    /// One action only: what stands beside it is of no account to reports.
    fn decide(&mut self, after: Worth, by: ChosenBy, text: &str, at: (u16, u16)) {
        let before = self.0.decisions.last().map_or(self.0.optimum, DecisionValue::after);
        let target = Position::new(0, at.0, at.1);
        self.0.decisions.push(DecisionValue {
            turn: self.0.decisions.len() as u32 + 1,
            hero: self.0.hero,
            before,
            actions: vec![ActionValue { number: 1, target, text: text.into(), lethal: false, worth: after }],
            chosen: 1,
            executed: 1,
            by,
        });
    }
}

/// Two floors, two configurations, every ending: what the tables' tests count by hand.
pub fn batch() -> Vec<EpisodeAnalysis> {
    use ChosenBy::{Agent, OnInvalid, Override};
    let model = |floor| episode("smollm2", "single_floor", floor);
    vec![
        episode("optimal", "none", "complex").values(&[68, 68, 68]).ended(Ending::Won, 68).done(),
        model("complex")
            .values(&[68, 42])
            .loses(Agent, "fight the Red Slime", (11, 8))
            .lost_turns(2)
            .ended(Ending::Stuck, 310)
            .verdict(Verdict::Ok, 4)
            .verdict(Verdict::Unparsable, 2)
            .verdict(Verdict::Illegal, 1)
            .used(1000, 50, Some(0.25))
            .done(),
        model("complex")
            .repeat(1)
            .values(&[42])
            .chosen_by(OnInvalid, 22)
            .chosen_by(Agent, 22)
            .loses(Agent, "fight the Red Slime", (11, 8))
            .ended(Ending::TurnLimit, 120)
            .verdict(Verdict::Empty, 3)
            .verdict(Verdict::Truncated, 4)
            .used(2000, 70, Some(0.5))
            .done(),
        model("complex").repeat(2).loses(Override, "open the blue door", (12, 2)).ended(Ending::Dead, 0).done(),
        model("complex").repeat(3).values(&[68, 42, 22, 22]).ended(Ending::Won, 22).done(),
        model("complex")
            .repeat(4)
            .values(&[68])
            .ended(Ending::Aborted, 1000)
            .verdict(Verdict::Refused, 5)
            .verdict(Verdict::TransportError, 6)
            .done(),
        model("complex").repeat(5).values(&[68, 68]).used(10, 1, None).done(),
        model("hand01").optimum(Some(9)).note("monster table reconstructed").values(&[9]).ended(Ending::Won, 9).done(),
    ]
}
