//! What a search tells while it runs: its best route's value, the proven bound, the gap between them.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::solver::search::Standing;

/// Terminals are told where a search stands once it has run so long.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between two lines on where a search stands.
const PAUSE: Duration = Duration::from_millis(250);

/// Tells news of a search on standard error, not too often.
pub(super) struct Told {
    standing: Standing,
    at: Option<Duration>,
    /// Whether news are wanted from the start.
    anytime: bool,
    terminal: bool,
}

impl Told {
    pub(super) fn new(anytime: bool) -> Self {
        Told { standing: Standing::default(), at: None, anytime, terminal: std::io::stderr().is_terminal() }
    }

    /// Tells where a search stands that began then, if that is news.
    pub(super) fn tell(&mut self, standing: &Standing, begun: Instant) {
        let news = (standing.best, standing.upper_bound) != (self.standing.best, self.standing.upper_bound);
        let now = begun.elapsed();
        let wanted = self.anytime || (self.terminal && now >= PATIENCE);
        if news && wanted && self.at.is_none_or(|before| now >= before + PAUSE) {
            (self.standing, self.at) = (*standing, Some(now));
            eprintln!("{}", line(standing, now));
        }
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
