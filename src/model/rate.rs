//! How many calls may be on their way, and when the next one may leave. Knows no clock: it is told what has passed.
//!
//! Three things hold a call back: requests and tokens in any minute, by a log of what left in the last one, and the
//! number of calls on their way at once. That number is halved when the server says that it has too much to do, and
//! grows again by one with every round of answers.

use std::collections::BTreeMap;

use super::departures::Departures;
use super::spending::Spending;

/// Limits of one agent over all its episodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Requests in any minute, at least 1.
    pub requests_per_minute: Option<u32>,
    /// Tokens in any minute, sent and answered, at least 1.
    pub tokens_per_minute: Option<u64>,
    /// Calls on their way at once, at least 1.
    pub concurrent_calls: Option<u32>,
}

/// What one agent's calls have done of late.
#[derive(Clone, Debug)]
pub struct Rate {
    rates: Rates,
    left: Departures,
    /// Of calls on their way, when they are counted to have left, and the tokens that were guessed.
    counted: BTreeMap<u64, (f64, u64)>,
    on_their_way: u32,
    /// Calls that may be on their way at once, as the server has taught us; none as long as it has not.
    width: Option<f64>,
    next: u64,
    /// The first call that left after the width was last lowered.
    lowered_at: u64,
}

/// A call that has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its number among the calls of its agent.
    pub(super) call: u64,
}

/// Why a call may not leave yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// For so many seconds, because of a rate.
    Seconds(f64),
    /// Until another one has come back.
    Return,
}

/// How a call came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Return {
    /// With an answer, having used so much.
    Answered {
        /// As the server counted it; nothing if it did not.
        used: Spending,
    },
    /// The server has too much to do.
    Busy,
    /// Without an answer, for another reason.
    Otherwise,
}

impl Rate {
    /// Nothing has left yet.
    pub fn new(rates: Rates) -> Self {
        let (left, counted) = (Departures::default(), BTreeMap::new());
        Rate { rates, left, counted, on_their_way: 0, width: None, next: 0, lowered_at: 0 }
    }

    /// Whether a call that will use about so many tokens may leave `now`, in seconds since any moment.
    ///
    /// # Errors
    /// [`Hold`], until when it may not.
    pub fn leave(&mut self, now: f64, tokens: u64) -> Result<Ticket, Hold> {
        self.left.forget(now);
        if self.on_their_way >= self.most_at_once() {
            return Err(Hold::Return);
        }
        if let Some(seconds) = self.left.seconds_to_wait(&self.rates, now, tokens) {
            return Err(Hold::Seconds(seconds));
        }
        let call = self.next;
        self.next += 1;
        self.on_their_way += 1;
        if self.counts() {
            self.left.add(now, tokens);
            self.counted.insert(call, (now, tokens));
        }
        Ok(Ticket { call })
    }

    /// A call has come back.
    pub fn come_back(&mut self, ticket: Ticket, how: Return) {
        let busy_with = self.on_their_way;
        self.on_their_way = self.on_their_way.saturating_sub(1);
        let counted = self.counted.remove(&ticket.call);
        match how {
            Return::Answered { used: Spending { tokens, .. } } => {
                // What a call used is known now; until then it was guessed.
                if let Some((at, guessed)) = counted.filter(|_| tokens > 0) {
                    self.left.correct(at, guessed, tokens);
                }
                self.widen();
            }
            // Calls that left together come back busy together: they lower the width once.
            Return::Busy if ticket.call >= self.lowered_at => {
                let at_once = self.width.unwrap_or(f64::from(busy_with)).min(f64::from(busy_with));
                self.width = Some((at_once / 2.0).max(1.0));
                self.lowered_at = self.next;
            }
            Return::Busy | Return::Otherwise => {}
        }
    }

    /// Calls that may be on their way at once.
    pub fn most_at_once(&self) -> u32 {
        let stated = self.rates.concurrent_calls.unwrap_or(u32::MAX);
        self.width.map_or(stated, |width| stated.min(width as u32)).max(1)
    }

    fn widen(&mut self) {
        let Some(width) = &mut self.width else { return };
        *width += 1.0 / width.max(1.0);
        // Nobody is held back any more: what was learnt is forgotten.
        if self.rates.concurrent_calls.is_some_and(|stated| *width >= f64::from(stated)) {
            self.width = None;
        }
    }

    /// Whether departures are counted at all.
    fn counts(&self) -> bool {
        self.rates.requests_per_minute.is_some() || self.rates.tokens_per_minute.is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rate(requests: Option<u32>, tokens: Option<u64>, at_once: Option<u32>) -> Rate {
        Rate::new(Rates { requests_per_minute: requests, tokens_per_minute: tokens, concurrent_calls: at_once })
    }

    fn answered(tokens: u64) -> Return {
        Return::Answered { used: Spending { tokens, cost_usd: 0.0 } }
    }

    #[test]
    fn requests_wait_until_the_first_is_a_minute_old() {
        let mut rate = rate(Some(2), None, None);
        assert!(rate.leave(0.0, 1).is_ok() && rate.leave(10.0, 1).is_ok());
        assert_eq!(rate.leave(20.0, 1), Err(Hold::Seconds(40.0)));
        assert!(rate.leave(60.0, 1).is_ok());
        assert_eq!(rate.leave(60.0, 1), Err(Hold::Seconds(10.0)));
    }

    #[test]
    fn tokens_are_guessed_until_they_are_known() {
        let mut rate = rate(None, Some(1_000), None);
        let first = rate.leave(0.0, 900).unwrap();
        assert_eq!(rate.leave(1.0, 200), Err(Hold::Seconds(59.0)));
        rate.come_back(first, answered(300));
        assert!(rate.leave(1.0, 200).is_ok());
        assert_eq!(rate.leave(2.0, 600), Err(Hold::Seconds(58.0)));
        // A server that counts nothing leaves the guess.
        let third = rate.leave(2.0, 400).unwrap();
        rate.come_back(third, answered(0));
        assert_eq!(rate.leave(2.0, 400), Err(Hold::Seconds(58.0)));
        // More than a minute may have leaves alone.
        assert!(matches!(rate.leave(3.0, 5_000), Err(Hold::Seconds(_))));
        assert!(rate.leave(70.0, 5_000).is_ok());
    }

    #[test]
    fn a_busy_server_halves_what_is_on_its_way_once_and_answers_widen_it() {
        let mut rate = rate(None, None, Some(8));
        let calls: Vec<Ticket> = (0..8).map(|_| rate.leave(0.0, 1).unwrap()).collect();
        assert_eq!(rate.leave(0.0, 1), Err(Hold::Return));
        for call in &calls[..4] {
            rate.come_back(*call, Return::Busy);
        }
        assert_eq!(rate.most_at_once(), 4);
        calls[4..].iter().for_each(|call| rate.come_back(*call, Return::Otherwise));
        // A call that left later may lower it again.
        let later = rate.leave(1.0, 1).unwrap();
        rate.come_back(later, Return::Busy);
        assert_eq!(rate.most_at_once(), 1);
        for answers in 0..200 {
            let call = rate.leave(2.0, 1).unwrap_or_else(|hold| panic!("{hold:?} after {answers} answers"));
            rate.come_back(call, answered(5));
        }
        assert_eq!(rate.most_at_once(), 8);
    }

    #[test]
    fn without_limits_nothing_is_held_or_kept() {
        let mut rate = rate(None, None, None);
        for call in 0..10_000 {
            assert!(rate.leave(f64::from(call), u64::MAX).is_ok());
        }
        assert!(rate.left.is_empty());
    }

    proptest! {
        /// Whatever comes, no minute has more than its limits, and whoever waits as long as told may leave.
        #[test]
        fn no_minute_has_more_than_its_limits(
            requests in 1u32..6, tokens in 1u64..50, at_once in 1u32..4,
            steps in proptest::collection::vec((0.0..20.0f64, 1u64..30, 0..3u8, any::<bool>()), 1..80),
        ) {
            let mut rate = rate(Some(requests), Some(tokens), Some(at_once));
            let (mut now, mut gone, mut away): (f64, Vec<(f64, u64)>, Vec<Ticket>) = (0.0, Vec::new(), Vec::new());
            for (pause, wanted, how, returns) in steps {
                now += pause;
                if returns && !away.is_empty() {
                    let how = [answered(0), Return::Busy, Return::Otherwise][usize::from(how)];
                    rate.come_back(away.remove(0), how);
                }
                match rate.leave(now, wanted) {
                    Ok(ticket) => {
                        away.push(ticket);
                        gone.push((now, wanted));
                    }
                    Err(Hold::Return) => prop_assert!(away.len() as u32 >= rate.most_at_once()),
                    Err(Hold::Seconds(seconds)) => {
                        prop_assert!(seconds > 0.0 && seconds <= 60.0, "{seconds}");
                        let mut later = rate.clone();
                        prop_assert!(later.leave(now + seconds + 1e-9, wanted).is_ok());
                    }
                }
                prop_assert!(away.len() as u32 <= at_once);
                let last: Vec<&(f64, u64)> = gone.iter().filter(|(at, _)| at + 60.0 > now).collect();
                prop_assert!(last.len() <= requests as usize);
                let sum: u64 = last.iter().map(|(_, tokens)| tokens).sum();
                prop_assert!(sum <= tokens || last.len() == 1, "{sum} tokens in a minute");
            }
        }
    }
}
