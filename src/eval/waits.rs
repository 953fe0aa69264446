//! The calls that wait before they are made: how many of each agent, what for and for how long. Knows no calls.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Calls that wait.
#[derive(Debug, Default)]
pub struct Waits {
    /// Those of each agent, by when they are known to wait until: what for.
    agents: BTreeMap<String, Vec<(Instant, String)>>,
}

/// Calls of an agent that wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// How many.
    pub calls: usize,
    /// What the next of them waits for, in words.
    pub why: String,
    /// For how many seconds from now; 0 where nobody knows.
    pub seconds: f64,
}

impl Waits {
    /// A call begins to wait, as far as is known for so many seconds.
    pub fn begin(&mut self, agent: &str, why: &str, seconds: f64, now: Instant) {
        let wait = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let until = now.checked_add(wait).unwrap_or(now);
        let calls = self.agents.entry(agent.to_owned()).or_default();
        let place = calls.partition_point(|(other, _)| *other <= until);
        calls.insert(place, (until, why.to_owned()));
    }

    /// A call of an agent waits no longer: most likely the one whose time has come first.
    pub fn end(&mut self, agent: &str) {
        if let Some(calls) = self.agents.get_mut(agent) {
            if calls.len() > 1 {
                calls.remove(0);
            } else {
                self.agents.remove(agent);
            }
        }
    }

    /// How many wait.
    pub fn calls(&self) -> usize {
        self.agents.values().map(Vec::len).sum()
    }

    /// Those of each agent.
    pub fn by_agent(&self, now: Instant) -> BTreeMap<String, Wait> {
        let tell = |(agent, calls): (&String, &Vec<_>)| Some((agent.clone(), tell(calls, now)?));
        self.agents.iter().filter_map(tell).collect()
    }

    /// Those of the agent that goes next: the soonest of which it is known, or any.
    pub fn next(&self, now: Instant) -> Option<Wait> {
        let waits = self.agents.values().filter_map(|calls| tell(calls, now));
        waits.min_by(|one, other| order(one).partial_cmp(&order(other)).unwrap_or(Ordering::Equal))
    }
}

fn order(wait: &Wait) -> (bool, f64) {
    (wait.seconds <= 0.0, wait.seconds)
}

/// What is told of an agent's calls. Whoever queues behind another call soon does not know any more for how long: the first
/// whose time is still to come is the next.
fn tell(calls: &[(Instant, String)], now: Instant) -> Option<Wait> {
    let next = calls.iter().find(|(until, _)| *until > now).or(calls.last());
    next.map(|(until, why)| {
        let seconds = until.saturating_duration_since(now).as_secs_f64();
        Wait { calls: calls.len(), why: why.clone(), seconds }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_queue_behind_a_call_do_not_hide_how_long_it_waits() {
        let (mut waits, now) = (Waits::default(), Instant::now());
        let after = |seconds| now + Duration::from_secs(seconds);
        let wait = |calls, why: &str, seconds| Some(Wait { calls, why: why.into(), seconds });
        waits.begin("a", "its minute", 40.0, now);
        waits.begin("a", "its own limits", 1.0, now);
        assert_eq!(waits.next(after(10)), wait(2, "its minute", 30.0));
        // The soonest is told, and nothing that is over while something else is known.
        waits.begin("b", "it is busy", 20.0, now);
        assert_eq!(waits.next(after(10)), wait(1, "it is busy", 10.0));
        assert_eq!(waits.next(after(30)), wait(2, "its minute", 10.0));
        waits.begin("a", "it is busy, too", 12.0, now);
        assert_eq!(waits.next(after(10)), wait(3, "it is busy, too", 2.0));
        waits.end("a");
        waits.end("a");
        assert_eq!(waits.by_agent(now)["a"], Wait { calls: 1, why: "its minute".into(), seconds: 40.0 });
        for agent in ["a", "a", "b"] {
            waits.end(agent);
        }
        assert_eq!((waits.next(now), waits.calls()), (None, 0));
        for seconds in [f64::INFINITY, f64::NAN, -1.0, 1.0e19] {
            waits.begin("a", "nobody knows", seconds, now);
        }
        assert_eq!(waits.next(now), wait(4, "nobody knows", 0.0));
    }
}
