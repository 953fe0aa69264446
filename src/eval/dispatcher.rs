//! Runs the episodes of a plan, so many at once, and puts what happens in one order. Owns what is known of the run
//! while it goes on; display and log only read its events.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use super::board::CallBoard;
use super::episode::{self, EpisodeError, Outcome};
use super::event::Event;
use super::lineup::{Lineup, LineupError};
use super::plan::Plan;
use super::record::Ending;
use super::seat::seated;
use super::store::{EpisodeStore, StoreError};
use super::surroundings::Surroundings;
use super::trace::Trace;
use crate::agent::Call;
use crate::model::{Limits, Spending};

/// How to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// Play aborted episodes again, beside those that have not ended.
    pub retry_aborted: bool,
}

/// How a run came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Episodes of the plan.
    pub planned: usize,
    /// Episodes that had ended before this run.
    pub ended_before: usize,
    /// Episodes by how they ended, those of earlier runs included.
    pub endings: BTreeMap<Ending, usize>,
    /// Episodes that stay open.
    pub open: usize,
    /// Traces that cannot be gone on with, and why, a line each.
    pub broken: Vec<String>,
    /// Agents that cannot play, and why.
    pub stopped_agents: BTreeMap<String, String>,
    /// Whether the run was stopped from outside.
    pub interrupted: bool,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An episode's trace cannot be stored.
    #[error(transparent)]
    Episode(#[from] EpisodeError),
    /// An agent cannot be made.
    #[error(transparent)]
    Lineup(#[from] LineupError),
    /// What is stored cannot be put aside or counted.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A task of the program broke.
    #[error("the task of an episode broke: {0}")]
    Task(String),
}

/// Somebody who reads the events of a run in their one order.
pub trait Reporter {
    /// Takes an event.
    fn event(&mut self, event: &Event);

    /// Comes about every second, whether anything happens or not; so many calls are being answered by servers.
    fn tick(&mut self, in_flight: usize);
}

/// Runs a plan, its episodes stored in `store` and its calls counted by `limits`, until every one has ended, stays open, or `stop` turns true.
///
/// # Errors
/// [`RunError`] if a trace cannot be stored; what is in flight is finished first.
pub async fn run(
    plan: &Arc<Plan>,
    store: &Arc<dyn EpisodeStore>,
    limits: &Arc<dyn Limits>,
    agenda: &Agenda,
    stop: watch::Receiver<bool>,
    reporter: &mut dyn Reporter,
) -> Result<Summary, RunError> {
    let (sender, events) = mpsc::unbounded_channel();
    let board = Arc::new(CallBoard::new(sender.clone()));
    let lineup = Arc::new(Lineup::new(plan, &board, limits, &agenda.dearest)?);
    let mut summary = Summary { planned: plan.episodes.len(), ..Summary::default() };
    let mut waiting = VecDeque::new();
    for (index, standing) in agenda.standings.iter().enumerate() {
        match standing {
            Standing::Due | Standing::Again => waiting.push_back((index, *standing)),
            Standing::Ended(ending) => {
                summary.ended_before += 1;
                *summary.endings.entry(*ending).or_default() += 1;
            }
        }
    }
    let mut dispatcher = Dispatcher {
        plan: plan.clone(),
        lineup,
        around: Surroundings { events: sender, stop, board, store: store.clone() },
        summary,
        waiting,
        tasks: JoinSet::new(),
        error: None,
    };
    dispatcher.work(events, reporter).await;
    match dispatcher.error {
        Some(error) => Err(error),
        None => Ok(dispatcher.summary),
    }
}

/// What is to be done with an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is played, or gone on with.
    Due,
    /// It was aborted and is played again from the start.
    Again,
    /// It ended before.
    Ended(Ending),
}

/// What is to be done, and what has been spent already.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agenda {
    /// By episode, in the order of the plan.
    pub standings: Vec<Standing>,
    /// What all calls so far have used, those of episodes included that were played again.
    pub spent: Spending,
    /// By agent, the most US dollars that a token has cost, where any was counted.
    pub dearest: BTreeMap<String, f64>,
}

impl Agenda {
    /// How the run stands: what has ended, and what is open.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary { planned: self.standings.len(), ..Summary::default() };
        for standing in &self.standings {
            match standing {
                Standing::Due | Standing::Again => summary.open += 1,
                Standing::Ended(ending) => {
                    summary.ended_before += 1;
                    *summary.endings.entry(*ending).or_default() += 1;
                }
            }
        }
        summary
    }

    /// How the run came out, if there is nothing left to do.
    pub fn all_ended(&self) -> Option<Summary> {
        Some(self.summary()).filter(|summary| summary.open == 0)
    }

    /// Counts what the calls of a trace used.
    fn count(&mut self, trace: &Trace) {
        self.spent += trace.spent();
        for spent in trace.calls.iter().map(Call::spent).filter(|spent| spent.tokens > 0) {
            let dearest = self.dearest.entry(trace.header.key.agent.clone()).or_default();
            *dearest = dearest.max(spent.cost_usd / spent.tokens as f64);
        }
    }
}

/// The agenda of a plan. A trace that cannot be read, or is another's, is due: playing it says what is wrong.
///
/// # Errors
/// [`StoreError`] if what was set aside cannot be counted.
pub async fn agenda(plan: &Plan, store: &dyn EpisodeStore, options: RunOptions) -> Result<Agenda, StoreError> {
    let mut agenda = Agenda { spent: store.spent_aside().await?, ..Agenda::default() };
    for index in 0..plan.episodes.len() {
        let episode = plan.episode(index);
        let trace = store.look(&episode.id).await.ok().flatten();
        let trace = trace.filter(|trace| episode.difference(&trace.header).is_none());
        if let Some(trace) = &trace {
            agenda.count(trace);
        }
        agenda.standings.push(match trace.and_then(|trace| trace.footer).map(|footer| footer.ending) {
            Some(Ending::Aborted) if options.retry_aborted => Standing::Again,
            Some(ending) => Standing::Ended(ending),
            None => Standing::Due,
        });
    }
    Ok(agenda)
}

struct Dispatcher {
    plan: Arc<Plan>,
    lineup: Arc<Lineup>,
    around: Surroundings,
    summary: Summary,
    waiting: VecDeque<(usize, Standing)>,
    tasks: JoinSet<(usize, Result<Outcome, EpisodeError>)>,
    error: Option<RunError>,
}

impl Dispatcher {
    async fn work(&mut self, mut events: mpsc::UnboundedReceiver<Event>, reporter: &mut dyn Reporter) {
        let mut clock = tokio::time::interval(Duration::from_secs(1));
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.fill().await;
        while !self.tasks.is_empty() {
            tokio::select! {
                biased;
                _ = clock.tick() => reporter.tick(self.around.board.in_flight()),
                Some(event) = events.recv() => self.pass_on(&event, reporter),
                Some(joined) = self.tasks.join_next() => {
                    match joined {
                        Ok((index, outcome)) => self.settle(index, outcome),
                        Err(error) => self.error = Some(RunError::Task(error.to_string())),
                    }
                    self.fill().await;
                }
            }
        }
        while let Ok(event) = events.try_recv() {
            self.pass_on(&event, reporter);
        }
        self.summary.open += self.waiting.len();
        self.summary.interrupted = self.around.is_stopping();
    }

    /// Hands an event to the log and the display.
    fn pass_on(&self, event: &Event, reporter: &mut dyn Reporter) {
        event.log(&self.plan);
        reporter.event(event);
    }

    /// Starts episodes while there is room for them.
    async fn fill(&mut self) {
        while self.tasks.len() < self.plan.config.concurrency.episodes {
            if self.around.is_stopping() || self.error.is_some() {
                return;
            }
            let Some((index, standing)) = self.waiting.pop_front() else { return };
            let entry = &self.plan.episodes[index];
            if let Some(why) = self.summary.stopped_agents.get(&entry.key.agent) {
                self.summary.open += 1;
                self.around.tell(Event::Left { episode: index, why: why.clone() });
                continue;
            }
            let episode = self.plan.episode(index);
            // Only now, so that an interruption leaves the traces of those whose turn has not come.
            if standing == Standing::Again
                && let Err(error) = self.around.store.set_aside(&episode.id).await
            {
                self.summary.open += 1;
                self.error.get_or_insert(error.into());
                return;
            }
            let around = self.around.clone();
            let (lineup, plan, entry) = (self.lineup.clone(), self.plan.clone(), entry.clone());
            self.tasks.spawn(async move {
                let mut agent = seated(lineup, plan, entry).await;
                let outcome = episode::play(&episode, agent.as_mut(), &around).await;
                (index, outcome)
            });
        }
    }

    fn settle(&mut self, index: usize, outcome: Result<Outcome, EpisodeError>) {
        match outcome {
            Ok(Outcome::Finished(ending)) => *self.summary.endings.entry(ending).or_default() += 1,
            Ok(Outcome::Interrupted) => self.summary.open += 1,
            Ok(Outcome::AgentStopped(why) | Outcome::BudgetSpent(why)) => {
                self.summary.open += 1;
                let agent = self.plan.episodes[index].key.agent.clone();
                self.around.tell(Event::Left { episode: index, why: why.clone() });
                if !self.summary.stopped_agents.contains_key(&agent) {
                    self.around.tell(Event::AgentStopped { agent: agent.clone(), why: why.clone() });
                    self.summary.stopped_agents.insert(agent, why);
                }
            }
            // What cannot be written for one episode cannot be for the next; what one trace holds is its own affair.
            Err(error) if error.is_of_the_store() => {
                self.summary.open += 1;
                self.error.get_or_insert(error.into());
            }
            // Nothing is wrong with it: it is played elsewhere.
            Err(EpisodeError::Store(StoreError::Moved(why))) => {
                self.summary.open += 1;
                self.around.tell(Event::Left { episode: index, why });
            }
            Err(error) => {
                self.summary.open += 1;
                self.summary.broken.push(error.to_string());
                self.around.tell(Event::Left { episode: index, why: error.to_string() });
            }
        }
    }
}
