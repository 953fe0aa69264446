//! What has left in the last minute, and how long the next one has to wait for rates. Knows no clock and nothing of who
//! counts: one process does, or many do together.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::rate::Rates;

/// The window over which rates are counted, in seconds.
pub const MINUTE: f64 = 60.0;

/// A log of the last minute, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Departures {
    left: VecDeque<Departure>,
}

/// What left at one moment: the moment in seconds, requests, tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Departure(f64, u32, u64);

impl Departures {
    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Moments that are kept.
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Lets go of what is a minute old.
    pub fn forget(&mut self, now: f64) {
        self.left.retain(|departure| departure.0 + MINUTE > now);
    }

    /// Counts a departure at its moment.
    pub fn add(&mut self, at: f64, tokens: u64) {
        // Almost always the last; clocks that differ by little may bring an earlier one.
        let place = self.left.iter().rposition(|departure| departure.0 <= at);
        match place.and_then(|place| self.left.get_mut(place)).filter(|departure| departure.0 == at) {
            Some(Departure(_, requests, sum)) => {
                *requests = requests.saturating_add(1);
                *sum = sum.saturating_add(tokens);
            }
            None => self.left.insert(place.map_or(0, |place| place + 1), Departure(at, 1, tokens)),
        }
    }

    /// Takes back a departure that did not take place. Whether it was still kept.
    pub fn take_back(&mut self, at: f64, tokens: u64) -> bool {
        let Some(Departure(_, requests, sum)) = self.of(at) else { return false };
        *requests = requests.saturating_sub(1);
        *sum = sum.saturating_sub(tokens);
        self.left.retain(|departure| departure.1 > 0);
        true
    }

    /// Corrects what was guessed of a departure by what it used, if it is still kept.
    pub fn correct(&mut self, at: f64, guessed: u64, used: u64) {
        if let Some(Departure(_, _, sum)) = self.of(at) {
            *sum = sum.saturating_sub(guessed).saturating_add(used);
        }
    }

    fn of(&mut self, at: f64) -> Option<&mut Departure> {
        self.left.iter_mut().find(|departure| departure.0 == at)
    }

    /// Seconds from `now` until enough of the last minute is over; none if nothing is in the way.
    pub fn seconds_to_wait(&self, rates: &Rates, now: f64, tokens: u64) -> Option<f64> {
        let requests = rates.requests_per_minute.map(|most| u64::from(most.max(1)));
        let until_requests = requests.and_then(|most| self.last_in_the_way(most, 1, |departure| departure.1.into()));
        let until_tokens =
            rates.tokens_per_minute.and_then(|most| self.last_in_the_way(most, tokens, |departure| departure.2));
        let until = until_requests.into_iter().chain(until_tokens).reduce(f64::max)?;
        Some((until + MINUTE - now).max(0.001))
    }

    /// When the last departure left that must be forgotten before so much more may leave. A call that is by itself
    /// beyond the limit leaves when nothing else has left for a minute.
    fn last_in_the_way(&self, most: u64, more: u64, counted: impl Fn(&Departure) -> u64) -> Option<f64> {
        let mut sum = self.left.iter().map(&counted).fold(0, u64::saturating_add);
        let mut last = None;
        for departure in &self.left {
            if sum.saturating_add(more) <= most {
                break;
            }
            sum -= counted(departure).min(sum);
            last = Some(departure.0);
        }
        last
    }
}

/// The end of the slot of time in which `now` lies, where slots are so many seconds long; `now` itself where they have no
/// length. What is counted at the end of its slot is never forgotten before its own minute is over.
pub fn end_of_slot(now: f64, grain: f64) -> f64 {
    if grain > 0.0 { (now / grain).ceil() * grain } else { now }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_left_in_one_slot_is_one_entry() {
        let mut departures = Departures::default();
        for (at, tokens) in [(1.2, 10), (1.9, 20), (3.0, 5), (1.5, 1)] {
            departures.add(end_of_slot(at, 1.0), tokens);
        }
        let text = serde_json::to_string(&departures).expect("numbers");
        assert_eq!(text, "[[2.0,3,31],[3.0,1,5]]");
        assert_eq!(serde_json::from_str::<Departures>(&text).expect("its own text"), departures);
        departures.correct(2.0, 20, 7);
        assert!(departures.take_back(2.0, 10) && departures.take_back(3.0, 5) && !departures.take_back(9.0, 10));
        assert_eq!(serde_json::to_string(&departures).expect("numbers"), "[[2.0,2,8]]");
        departures.forget(62.0);
        assert!(departures.is_empty());
    }

    #[test]
    fn slots_end_where_they_are_left() {
        assert_eq!((end_of_slot(1.25, 0.0), end_of_slot(1.25, 1.0), end_of_slot(2.0, 1.0)), (1.25, 2.0, 2.0));
        assert_eq!(end_of_slot(1.25, 0.5), 1.5);
    }
}
