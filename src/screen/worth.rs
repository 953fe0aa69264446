//! What the decisions of a trace are worth, found beside the screen: a large floor takes seconds.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::analysis::EpisodeAnalysis;
use crate::analysis::judge::{JudgeError, judge};
use crate::eval::replay::replay;
use crate::eval::trace::Trace;
use crate::game::Game;
use crate::solver::values::DEFAULT_MEMORY;
use crate::solver::{self, Effort, SolveError, Worths};

/// What is known of the values.
#[derive(Clone, Debug)]
pub enum Worth {
    /// They are not shown unless somebody asks for them.
    Hidden,
    /// They are being found.
    Solving,
    /// They are not known, and why.
    Unknown(String),
    /// They are known, or bounds of some of them.
    Known(Box<Judged>),
}

/// The values of a trace.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The decisions with their values.
    pub analysis: EpisodeAnalysis,
    /// What the state is worth that the trace has come to.
    pub value: solver::Worth,
    /// What each action that is legal there leads to.
    pub actions: Vec<solver::Worth>,
}

impl Worth {
    /// The values, if they are known.
    pub fn known(&self) -> Option<&Judged> {
        if let Worth::Known(judged) = self { Some(judged) } else { None }
    }

    /// The values of a trace.
    pub fn of(trace: &Trace, worths: &Worths) -> Self {
        match judged(trace, worths) {
            Ok(judged) => match (worths.why_unknown(), judged.analysis.is_unknown() && judged.value.is_unknown()) {
                (Some(why), true) => Worth::Unknown(why.to_owned()),
                _ => Worth::Known(Box::new(judged)),
            },
            Err(error) => Worth::Unknown(error.to_string()),
        }
    }
}

fn judged(trace: &Trace, worths: &Worths) -> Result<Judged, JudgeError> {
    let analysis = judge(trace, worths)?;
    let state = replay(worths.game(), trace)?.state;
    let mut value = worths.of_state(&state)?;
    if let Some(last) = analysis.decisions.last() {
        value = value.and(last.after());
    }
    let legal = worths.game().actions(&state).map_err(SolveError::from)?;
    let mut actions = legal.iter().map(|action| worths.after(&state, action)).collect::<Result<Vec<_>, _>>()?;
    value.tighten(&mut actions);
    Ok(Judged { analysis, value, actions })
}

/// A question: the values of a trace of a game.
struct Question {
    number: u64,
    game: Game,
    trace: Arc<Trace>,
}

/// Finds values in a thread of its own, those of one floor held at a time. Only the last question is answered.
pub struct Solver {
    questions: Sender<Question>,
    answers: Receiver<(u64, Worth)>,
    asked: u64,
}

/// The thread has ended, which only a mistake in this program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solver has broken off")]
pub struct BrokenOff;

impl Default for Solver {
    fn default() -> Self {
        Solver::new(Effort::default())
    }
}

impl Solver {
    /// A solver that waits to be asked, with this effort for each value that is not held.
    pub fn new(effort: Effort) -> Self {
        let (questions, asked) = channel();
        let (answered, answers) = channel();
        thread::spawn(move || work(effort, &asked, &answered));
        Solver { questions, answers, asked: 0 }
    }

    /// Asks; an answer to an earlier question will not come any more.
    pub fn ask(&mut self, game: &Game, trace: &Arc<Trace>) {
        self.asked += 1;
        // A thread that has ended is noticed when its answer is awaited.
        let _ = self.questions.send(Question { number: self.asked, game: game.clone(), trace: trace.clone() });
    }

    /// The answer to the last question, once, if it is there within a time.
    ///
    /// # Errors
    /// [`BrokenOff`].
    pub fn answer(&mut self, within: Duration) -> Result<Option<Worth>, BrokenOff> {
        loop {
            match self.answers.recv_timeout(within) {
                Ok((number, worth)) if number == self.asked => return Ok(Some(worth)),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(BrokenOff),
            }
        }
    }
}

/// Answers until nobody asks any more.
fn work(effort: Effort, questions: &Receiver<Question>, answers: &Sender<(u64, Worth)>) {
    let mut held: Option<(String, Worths)> = None;
    while let Ok(mut question) = questions.recv() {
        while let Ok(later) = questions.try_recv() {
            question = later;
        }
        let Question { number, game, trace } = question;
        let floor = format!("{} {:?}", trace.header.floor_hash, game.items());
        let known = held.take().filter(|(held, _)| *held == floor);
        let worths = known.map_or_else(|| Worths::new(&game, DEFAULT_MEMORY, effort), |(_, worths)| Ok(worths));
        let (worth, kept) = match worths {
            Ok(worths) => (Worth::of(&trace, &worths), Some((floor, worths))),
            Err(error) => (Worth::Unknown(error.to_string()), None),
        };
        if answers.send((number, worth)).is_err() {
            return;
        }
        held = kept;
    }
}
