//! A question put to a ledger until it answers, when it is put again, and what was given. Knows nothing of what is counted.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use super::LimitsError;
use super::ledger::{Given, Returned, Want};
use super::page::Page;
use crate::model::gate::Told;
use crate::model::rate::Hold;
use crate::model::{Refusal, Spending};

/// After how long without an answer it is said that there is none.
const SLOW: Duration = Duration::from_secs(5);
/// How long a server that did not answer is left alone.
const REST: Duration = Duration::from_secs(1);
/// The shortest and the longest time between two looks, while only a return elsewhere can help.
const LOOKS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(250));
/// The longest time between two looks while a minute has to pass: returns elsewhere may show that fewer tokens were used.
const LONGEST: Duration = Duration::from_secs(10);
/// How long a call that waits for another one's return is said to wait, in seconds: nobody knows.
pub(super) const UNKNOWN: f64 = 1.0;

/// What the ledger has given for a call; comes back by itself if it is dropped.
pub(super) struct Held {
    page: Arc<Page>,
    returned: Option<Returned>,
}

impl Held {
    /// What was given, if it was.
    fn of(page: &Arc<Page>, want: &Want, given: &Given) -> Option<Self> {
        let used = Spending::default();
        let returned = match (given, want) {
            (Given::Departure(at), Want::Departure { tokens, .. }) => {
                Returned::Departure { at: *at, guessed: *tokens, used: 0 }
            }
            (Given::Reservation(most), _) => Returned::Reservation { most: *most, used },
            _ => return None,
        };
        Some(Held { page: page.clone(), returned: Some(returned) })
    }

    pub(super) fn come_back(mut self, spent: Spending) {
        match &mut self.returned {
            Some(Returned::Departure { used, .. }) => *used = spent.tokens,
            Some(Returned::Reservation { used, .. }) => *used = spent,
            None => {}
        }
    }

    pub(super) fn forget(&mut self) {
        self.returned = None;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(returned) = self.returned.take() {
            self.page.come_back(returned);
        }
    }
}

/// What a ledger said.
pub(super) struct Asked {
    pub(super) given: Given,
    pub(super) held: Option<Held>,
    /// When it was known, by the server's time.
    pub(super) answered: f64,
}

/// Asks a ledger until it answers. The question is asked to its end even if nobody waits for the answer any more.
///
/// # Errors
/// [`Refusal::Unreachable`] if there is no ledger, or no answer for long.
pub(super) async fn ask(page: &Arc<Page>, want: Want, told: &mut Told<'_>) -> Result<Asked, Refusal> {
    let (began, patience) = (Instant::now(), page.patience());
    let mut last = "no answer".to_owned();
    while began.elapsed() < patience {
        let asking = page.clone();
        let mut asked = tokio::spawn(async move {
            let given = asking.write(&want).await?;
            let held = Held::of(&asking, &want, &given);
            Ok(Asked { given, held, answered: asking.now() })
        });
        let answer = loop {
            match tokio::time::timeout(SLOW, &mut asked).await {
                Ok(answer) => break answer,
                Err(_) if began.elapsed() >= patience => return Err(Refusal::Unreachable(no_answer(patience, &last))),
                Err(_) => told("the limits' server does not answer", SLOW.as_secs_f64()),
            }
        };
        match answer {
            Ok(Ok(asked)) => return Ok(asked),
            Ok(Err(LimitsError::NoAnswer(why))) => {
                last = why;
                told("the limits' server does not answer", REST.as_secs_f64());
                tokio::time::sleep(REST).await;
            }
            Ok(Err(error)) => return Err(Refusal::Unreachable(error.to_string())),
            Err(error) => return Err(Refusal::Unreachable(error.to_string())),
        }
    }
    Err(Refusal::Unreachable(no_answer(patience, &last)))
}

fn no_answer(patience: Duration, last: &str) -> String {
    format!("the server does not answer for {} s: {last}", patience.as_secs())
}

/// When to look again, and what has been told of it.
#[derive(Default)]
pub(super) struct Looks {
    told: Option<Hold>,
    last: Duration,
}

impl Looks {
    /// Waits until it is time to look again: sooner if something comes back to this worker.
    pub(super) async fn wait(
        &mut self,
        page: &Page,
        hold: Hold,
        why: &'static str,
        told: &mut Told<'_>,
        came_back: impl Future<Output = ()>,
    ) {
        let (seconds, wait) = match hold {
            Hold::Seconds(seconds) => (seconds, Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST)),
            Hold::Return => (UNKNOWN, (2 * self.last).clamp(LOOKS.0, LOOKS.1)),
        };
        if self.told != Some(hold) {
            told(why, seconds);
        }
        (self.told, self.last) = (Some(hold), wait);
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = came_back => {
                // Others do not hear of it: without a pause they would never have what comes back here.
                if hold == Hold::Return && page.is_shared() {
                    tokio::time::sleep(some_of(LOOKS.1)).await;
                }
            }
        }
    }
}

/// Some part of a time, another one each time.
pub(super) fn some_of(most: Duration) -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    most * (now.subsec_micros() % 1_000) / 1_000
}
