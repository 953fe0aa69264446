//! Ledgers under whatever workers may do: no minute and no budget has more than its limits.

use proptest::prelude::*;

use super::*;
use crate::model::departures::MINUTE;

const LEASE: f64 = 30.0;
const NAMES: [&str; 3] = ["one", "two", "three"];

/// A worker, and what it has away.
#[derive(Clone, Default)]
struct Worker {
    number: u64,
    away: Vec<Given>,
    heard: f64,
}

impl Worker {
    fn reserved(&self) -> Spending {
        let reserved = |given: &Given| if let Given::Reservation(most) = given { *most } else { Spending::default() };
        self.away.iter().map(reserved).sum()
    }

    /// Writes as a worker does: what gives nothing and says nothing is not written.
    fn write(&mut self, name: &str, ledger: &mut Ledger, now: f64, returned: &[Returned], want: &Want) -> Given {
        let text = serde_json::to_string(ledger).expect("numbers");
        let mut next: Ledger = serde_json::from_str(&text).expect("its own text");
        next.tidy(now, now);
        let (calls, reserved) = (self.away.len() as u32, self.reserved());
        let number = self.number + 1;
        next.enter(&Entry { holder: name, number, returned, calls, reserved, until: now + LEASE });
        let given = next.give(now, name, want);
        if given.is_something() || !returned.is_empty() || *want == Want::Nothing {
            (self.number, self.heard, *ledger) = (number, now, next);
        }
        if given.is_something() {
            self.away.push(given.clone());
        }
        given
    }
}

/// Lets workers that have something away be heard of.
fn renew(workers: &mut [Worker], ledger: &mut Ledger, now: f64) {
    for (worker, name) in workers.iter_mut().zip(NAMES) {
        if !worker.away.is_empty() && worker.heard + 8.0 < now {
            worker.write(name, ledger, now, &[], &Want::Nothing);
        }
    }
}

fn tokens(tokens: u64) -> Spending {
    Spending { tokens, cost_usd: 0.0 }
}

proptest! {
    /// Whoever leaves when, and whoever dies, no minute has more than its limits and no more calls are away at once.
    #[test]
    fn no_minute_has_more_than_its_limits(
        requests in 1u32..6, most_tokens in 1u64..50, at_once in 1u32..4,
        steps in proptest::collection::vec((0.0..8.0f64, 0..3usize, 0..8u8, 1u64..30, 0.0..=1.0f64, 0.0..3.0f64), 1..100),
    ) {
        let rates = Rates {
            requests_per_minute: Some(requests),
            tokens_per_minute: Some(most_tokens),
            concurrent_calls: Some(at_once),
        };
        let (mut ledger, mut workers) = (Ledger::default(), vec![Worker::default(); 3]);
        // When calls really left, and what they used, with the moment at which they are counted.
        let mut gone: Vec<(f64, u64, f64)> = Vec::new();
        let mut now = 1e9;
        for (pause, index, action, wanted, delay, slack) in steps {
            now += pause;
            renew(&mut workers, &mut ledger, now);
            let (worker, name) = (&mut workers[index], NAMES[index]);
            match action {
                // Killed, and started again under its name: nobody says what came of its calls.
                0 => *worker = Worker { number: worker.number, ..Worker::default() },
                1..4 if !worker.away.is_empty() => {
                    let Given::Departure(at) = worker.away.remove(0) else { unreachable!("only departures are wanted") };
                    // Of the departures counted at one moment it does not matter which returns.
                    let departure = gone.iter_mut().find(|departure| departure.2 == at).expect("it left");
                    let guessed = departure.1;
                    let used = 1 + (guessed as f64 * delay) as u64 % guessed;
                    departure.1 = used;
                    let returned = [Returned::Departure { at, guessed, used }];
                    worker.write(name, &mut ledger, now, &returned, &Want::Nothing);
                }
                _ => {
                    let want = Want::Departure { rates, tokens: wanted, slack, instead_of: None };
                    match worker.write(name, &mut ledger, now, &[], &want) {
                        Given::Departure(at) => {
                            prop_assert!(at >= now + slack && at < now + slack + GRAIN);
                            gone.push((now + delay * (at - now), wanted, at));
                        }
                        Given::Hold(Hold::Return) => prop_assert!(ledger.calls() >= at_once),
                        Given::Hold(Hold::Seconds(seconds)) => {
                            prop_assert!(seconds > 0.0 && seconds <= MINUTE + GRAIN + 3.0, "{seconds}");
                            let mut later = (worker.clone(), ledger.clone());
                            let given = later.0.write(name, &mut later.1, now + seconds + 1e-6, &[], &want);
                            prop_assert!(given.is_something(), "{given:?}");
                        }
                        other => prop_assert!(false, "{other:?}"),
                    }
                }
            }
            let away: usize = workers.iter().map(|worker| worker.away.len()).sum();
            prop_assert!(away <= at_once as usize);
            prop_assert!(ledger.left.len() <= 65);
        }
        for (from, _, _) in &gone {
            let minute: Vec<u64> =
                gone.iter().filter(|(at, ..)| at >= from && *at < from + MINUTE).map(|(_, tokens, _)| *tokens).collect();
            prop_assert!(minute.len() <= requests as usize);
            let sum: u64 = minute.iter().sum();
            prop_assert!(sum <= most_tokens || minute.len() == 1, "{sum} tokens in a minute");
        }
    }

    /// What is spent and what living workers may spend never pass the budget, and what the dead had set aside is had again.
    #[test]
    fn no_budget_is_passed(
        most_tokens in 1u64..200, cost in 0.0..2.0f64,
        steps in proptest::collection::vec((0.0..8.0f64, 0..3usize, 0..8u8, 1u64..60, 0.0..1.5f64, any::<bool>()), 1..100),
    ) {
        let budget = Budget { tokens: Some(most_tokens), cost_usd: Some(cost) };
        let (mut ledger, mut workers) = (Ledger::default(), vec![Worker::default(); 3]);
        let (mut now, mut spent) = (1e9, Spending::default());
        for (pause, index, action, wanted, dollars, known) in steps {
            now += pause;
            renew(&mut workers, &mut ledger, now);
            let (worker, name) = (&mut workers[index], NAMES[index]);
            match action {
                0 => *worker = Worker { number: worker.number, ..Worker::default() },
                1..4 if !worker.away.is_empty() => {
                    let Given::Reservation(most) = worker.away.remove(0) else { unreachable!("nothing else is wanted") };
                    let used = Spending { tokens: most.tokens / 2, cost_usd: most.cost_usd * dollars / 1.5 };
                    spent += used;
                    worker.write(name, &mut ledger, now, &[Returned::Reservation { most, used }], &Want::Nothing);
                }
                _ => {
                    let most = Spending { tokens: wanted, cost_usd: if known { dollars } else { f64::INFINITY } };
                    let given = worker.write(name, &mut ledger, now, &[], &Want::Reservation { budget, most });
                    let given = (given, workers.iter().all(|worker| worker.away.is_empty()));
                    if let (Given::Hold(hold), true) = given {
                        prop_assert_eq!(hold, Hold::Return);
                        // Only the dead are in the way.
                        let mut later = ledger.clone();
                        later.tidy(now + LEASE, now + LEASE);
                        prop_assert_eq!((later.calls(), later.reserved()), (0, Spending::default()));
                    }
                }
            }
            let away: Spending = workers.iter().map(Worker::reserved).sum();
            prop_assert_eq!(ledger.spent(), spent);
            let sum = spent + away;
            prop_assert!(sum.tokens <= most_tokens && sum.cost_usd <= cost + 1e-9, "{sum:?} of {budget:?}");
        }
    }
}

#[test]
fn a_refusal_is_worded_as_where_one_process_counts() {
    let mut ledger = Ledger::default();
    assert!(ledger.raise(tokens(90), 0.0) && !ledger.raise(tokens(80), 0.0));
    let mut worker = Worker::default();
    let want = |most| Want::Reservation { budget: Budget { tokens: Some(100), cost_usd: None }, most };
    assert_eq!(worker.write("one", &mut ledger, 0.0, &[], &want(tokens(10))), Given::Reservation(tokens(10)));
    let mut other = Worker::default();
    assert_eq!(other.write("two", &mut ledger, 1.0, &[], &want(tokens(5))), Given::Hold(Hold::Return));
    let Given::Refused(why) = other.write("two", &mut ledger, 1.0, &[], &want(tokens(11))) else {
        panic!("it is spent")
    };
    insta::assert_snapshot!(why, @"the batch's budget ([limits.run]), the limit of 100 tokens: 90 used, the next call may use 11");
}

/// A worker that dies after it has recorded a call never counts it: the record does. What is recorded and will still be
/// counted by a living one is not counted twice.
#[test]
fn what_is_recorded_is_spent_whether_its_worker_lives_or_not() {
    let (mut ledger, mut living, mut dead) = (Ledger::default(), Worker::default(), Worker::default());
    let want = Want::Reservation { budget: Budget { tokens: Some(1_000), cost_usd: None }, most: tokens(100) };
    for (worker, name) in [(&mut living, "living"), (&mut dead, "dead")] {
        assert_eq!(worker.write(name, &mut ledger, 0.0, &[], &want), Given::Reservation(tokens(100)));
    }
    // Both have recorded 60 tokens; one is not heard of again.
    assert!(!ledger.raise(tokens(120), 0.5));
    living.away.clear();
    let returned = [Returned::Reservation { most: tokens(100), used: tokens(60) }];
    living.write("living", &mut ledger, 1.0, &returned, &Want::Nothing);
    assert!(!ledger.raise(tokens(120), 1.5));
    assert_eq!((ledger.spent(), ledger.reserved()), (tokens(60), tokens(100)));
    assert!(ledger.raise(tokens(120), LEASE + 1.0));
    living.write("living", &mut ledger, 100.0, &[], &Want::Nothing);
    assert_eq!((ledger.spent(), ledger.reserved()), (tokens(120), tokens(0)));
}

#[test]
fn whoever_was_taken_for_dead_is_counted_again_when_heard_of() {
    let (mut ledger, mut one, mut two) = (Ledger::default(), Worker::default(), Worker::default());
    let rates = Rates { concurrent_calls: Some(1), ..Rates::default() };
    let want = Want::Departure { rates, tokens: 5, slack: 0.0, instead_of: None };
    assert_eq!(one.write("one", &mut ledger, 0.25, &[], &want), Given::Departure(1.0));
    assert_eq!(two.write("two", &mut ledger, 29.0, &[], &want), Given::Hold(Hold::Return));
    assert_eq!(two.write("two", &mut ledger, 31.0, &[], &want), Given::Departure(31.0));
    one.write("one", &mut ledger, 32.0, &[], &Want::Nothing);
    assert_eq!(ledger.calls(), 2);
    // Nothing is kept of departures where no minute has a limit.
    let text = serde_json::to_string(&ledger).expect("numbers");
    insta::assert_snapshot!(text, @r#"{"holders":{"one":{"calls":1,"until":62.0,"entry":2},"two":{"calls":1,"until":61.0,"entry":1}}}"#);
    assert!(ledger.has("one", 2) && !ledger.has("one", 3) && !ledger.has("three", 1));
    ledger.tidy(62.0 + KEPT, 62.0 + KEPT);
    assert_eq!(ledger, Ledger::default());
}

#[test]
fn what_did_not_leave_in_time_is_counted_anew_and_once() {
    let (mut ledger, mut worker) = (Ledger::default(), Worker::default());
    let rates = Rates { requests_per_minute: Some(2), concurrent_calls: Some(1), ..Rates::default() };
    let want = |slack, instead_of| Want::Departure { rates, tokens: 5, slack, instead_of };
    assert_eq!(worker.write("one", &mut ledger, 10.5, &[], &want(0.0, None)), Given::Departure(11.0));
    worker.away.clear();
    let returned = [Returned::Departure { at: 11.0, guessed: 5, used: 0 }];
    let mut other = Worker::default();
    assert_eq!(other.write("two", &mut ledger, 12.0, &[], &want(0.0, None)), Given::Hold(Hold::Return));
    worker.write("one", &mut ledger, 12.5, &returned, &Want::Nothing);
    assert_eq!(other.write("two", &mut ledger, 12.5, &[], &want(0.0, None)), Given::Departure(13.0));
    // Held while another is away; what was counted stays counted.
    let held = worker.write(
        "one",
        &mut ledger,
        13.0,
        &[Returned::Departure { at: 0.0, guessed: 0, used: 0 }],
        &want(4.0, Some(11.0)),
    );
    assert_eq!((held, ledger.left.len()), (Given::Hold(Hold::Return), 2));
    other.away.clear();
    other.write("two", &mut ledger, 14.0, &[], &Want::Nothing);
    assert_eq!(worker.write("one", &mut ledger, 14.0, &[], &want(4.0, Some(11.0))), Given::Departure(18.0));
    assert_eq!(ledger.left.len(), 2);
}
