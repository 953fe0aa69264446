//! The calls that wait before they are made: how many of each agent, what for and for how long. Knows no calls.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Calls that wait.
#[derive(Debug, Default)]
pub struct Waits {
    agents: BTreeMap<String, Waiting>,
}

/// Those of one agent.
#[derive(Debug)]
struct Waiting {
    calls: usize,
    why: String,
    /// Until when, as far as is known.
    until: Instant,
}

/// Calls of an agent that wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// How many.
    pub calls: usize,
    /// What the first of them waits for, in words.
    pub why: String,
    /// For how many seconds from now; 0 where nobody knows.
    pub seconds: f64,
}

impl Waits {
    /// A call begins to wait, as far as is known for so many seconds.
    pub fn begin(&mut self, agent: &str, why: &str, seconds: f64, now: Instant) {
        let until = now + Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let waiting = self.agents.entry(agent.to_owned()).or_insert(Waiting { calls: 0, why: String::new(), until });
        waiting.calls += 1;
        // Whoever queues behind another call does not know for how long: what that one waits for stands.
        if until >= waiting.until {
            (waiting.why, waiting.until) = (why.to_owned(), until);
        }
    }

    /// A call of an agent waits no longer.
    pub fn end(&mut self, agent: &str) {
        if let Some(waiting) = self.agents.get_mut(agent) {
            waiting.calls = waiting.calls.saturating_sub(1);
            if waiting.calls == 0 {
                self.agents.remove(agent);
            }
        }
    }

    /// How many wait.
    pub fn calls(&self) -> usize {
        self.agents.values().map(|waiting| waiting.calls).sum()
    }

    /// Those of each agent.
    pub fn by_agent(&self, now: Instant) -> BTreeMap<String, Wait> {
        self.agents.iter().map(|(agent, waiting)| (agent.clone(), waiting.tell(now))).collect()
    }

    /// Those that go next: the soonest of which it is known, or any.
    pub fn next(&self, now: Instant) -> Option<Wait> {
        let next = self.agents.values().min_by_key(|waiting| (waiting.until <= now, waiting.until));
        next.map(|waiting| waiting.tell(now))
    }
}

impl Waiting {
    fn tell(&self, now: Instant) -> Wait {
        let seconds = self.until.saturating_duration_since(now).as_secs_f64();
        Wait { calls: self.calls, why: self.why.clone(), seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_queue_behind_a_call_do_not_hide_how_long_it_waits() {
        let (mut waits, now) = (Waits::default(), Instant::now());
        waits.begin("a", "its minute", 40.0, now);
        waits.begin("a", "its own limits", 1.0, now);
        let wait = |calls, why: &str, seconds| Some(Wait { calls, why: why.into(), seconds });
        assert_eq!(waits.next(now + Duration::from_secs(10)), wait(2, "its minute", 30.0));
        // The soonest is told, and nothing that is over while something else is known.
        waits.begin("b", "it is busy", 20.0, now);
        assert_eq!(waits.next(now + Duration::from_secs(10)), wait(1, "it is busy", 10.0));
        assert_eq!(waits.next(now + Duration::from_secs(30)), wait(2, "its minute", 10.0));
        waits.end("a");
        waits.begin("a", "its minute", 60.0, now);
        assert_eq!(waits.by_agent(now)["a"], Wait { calls: 2, why: "its minute".into(), seconds: 60.0 });
        for agent in ["a", "a", "a", "b"] {
            waits.end(agent);
        }
        assert_eq!((waits.next(now), waits.calls()), (None, 0));
        waits.begin("a", "nobody knows", f64::INFINITY, now);
        assert_eq!(waits.next(now), wait(1, "nobody knows", 0.0));
    }
}
