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
use crate::solver::{SolveError, Values};

/// What is known of the values.
#[derive(Clone, Debug)]
pub enum Worth {
    /// They are not shown unless somebody asks for them.
    Hidden,
    /// They are being found.
    Solving,
    /// They are not known, and why.
    Unknown(String),
    /// They are known.
    Known(Box<Judged>),
}

/// The values of a trace.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The decisions with their values.
    pub analysis: EpisodeAnalysis,
    /// Value of the state that the trace has come to; none if the boss can no longer be defeated.
    pub value: Option<i64>,
    /// Value after each action that is legal there.
    pub actions: Vec<Option<i64>>,
}

impl Worth {
    /// The values, if they are known.
    pub fn known(&self) -> Option<&Judged> {
        if let Worth::Known(judged) = self { Some(judged) } else { None }
    }

    /// The values of a trace of a game.
    pub fn of(game: &Game, trace: &Trace, values: Result<&Values, &SolveError>) -> Self {
        let judged = match values {
            Ok(values) => judged(game, trace, values),
            Err(error) => return Worth::Unknown(error.to_string()),
        };
        match judged {
            Ok(judged) => Worth::Known(Box::new(judged)),
            Err(error) => Worth::Unknown(error.to_string()),
        }
    }
}

fn judged(game: &Game, trace: &Trace, values: &Values) -> Result<Judged, JudgeError> {
    let analysis = judge(trace, game, Ok(values))?;
    let state = replay(game, trace)?.state;
    let legal = game.actions(&state).map_err(SolveError::from)?;
    let actions = legal.iter().map(|action| values.after(&state, action)).collect::<Result<_, _>>()?;
    Ok(Judged { analysis, value: values.of(&state)?, actions })
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
        Solver::new()
    }
}

impl Solver {
    /// A solver that waits to be asked.
    pub fn new() -> Self {
        let (questions, asked) = channel();
        let (answered, answers) = channel();
        thread::spawn(move || work(&asked, &answered));
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
fn work(questions: &Receiver<Question>, answers: &Sender<(u64, Worth)>) {
    let mut held: Option<(String, Result<Values, SolveError>)> = None;
    while let Ok(mut question) = questions.recv() {
        while let Ok(later) = questions.try_recv() {
            question = later;
        }
        let Question { number, game, trace } = question;
        let floor = format!("{} {:?}", trace.header.floor_hash, game.items());
        let known = held.take().filter(|(held, _)| *held == floor);
        let (floor, values) = known.unwrap_or_else(|| (floor, Values::new(&game, DEFAULT_MEMORY)));
        if answers.send((number, Worth::of(&game, &trace, values.as_ref()))).is_err() {
            return;
        }
        held = Some((floor, values));
    }
}
