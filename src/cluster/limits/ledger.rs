//! What is counted of limits that several workers share: what has left, who has calls away, what has been spent. Knows no
//! clock, no server and no worker but by name, so that what it allows is a function of what it is told.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::departures::{Departures, end_of_slot};
use crate::model::purse::{self, Spent};
use crate::model::rate::Hold;
use crate::model::{Budget, Rates, Spending};

/// Length of the slots of time at whose ends departures are counted, in seconds: a minute is at most 61 numbers.
pub const GRAIN: f64 = 1.0;

/// Seconds for which the number of a holder's last entry is kept after its lease is over. A holder that does not know
/// whether an entry of its own was taken can find out for so long.
const KEPT: f64 = 600.0;

/// The counts of one agent, or of a batch's budget.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    #[serde(default, skip_serializing_if = "is_nothing")]
    spent: Spending,
    #[serde(default, skip_serializing_if = "Departures::is_empty")]
    left: Departures,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    holders: BTreeMap<String, Holder>,
}

/// What one worker has away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Holder {
    calls: u32,
    #[serde(default, skip_serializing_if = "is_nothing")]
    reserved: Spending,
    /// Until when it counts, in seconds.
    until: f64,
    /// The number of its last entry.
    entry: u64,
}

/// What a worker writes of itself whenever it writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<'a> {
    /// Who writes.
    pub holder: &'a str,
    /// The number of the entry, each greater than the last.
    pub number: u64,
    /// What has come back since the last.
    pub returned: &'a [Returned],
    /// Its calls that are still away.
    pub calls: u32,
    /// What they have set aside.
    pub reserved: Spending,
    /// Until when that counts if nothing more is heard, in seconds.
    pub until: f64,
}

/// What is known of a call that has come back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Returned {
    /// Of its departure.
    Departure {
        /// When it is counted to have left, in seconds.
        at: f64,
        /// Tokens that were guessed.
        guessed: u64,
        /// Tokens that it used; 0 where nobody knows, which leaves the guess.
        used: u64,
    },
    /// Of what it had set aside.
    Reservation {
        /// What it had set aside.
        most: Spending,
        /// What it used.
        used: Spending,
    },
}

/// What a worker asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Want {
    /// Nothing but to be heard of.
    Nothing,
    /// That a call may leave.
    Departure {
        /// The limits of its agent.
        rates: Rates,
        /// Tokens that it will use, about.
        tokens: u64,
        /// Seconds that may pass until the worker knows that it may leave.
        slack: f64,
        /// When it was counted to have left and did not, because the answer came too late.
        instead_of: Option<f64>,
    },
    /// That something is set aside for a call.
    Reservation {
        /// The budget of the batch.
        budget: Budget,
        /// What the call may use; an infinite cost where nobody knows.
        most: Spending,
    },
}

/// What it is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// Nothing: nothing was wanted.
    Nothing,
    /// The call may leave until that moment, in seconds, at which it is counted.
    Departure(f64),
    /// So much is set aside.
    Reservation(Spending),
    /// It has to wait.
    Hold(Hold),
    /// It is refused for good.
    Refused(Spent),
}

impl Given {
    /// Whether something was given, so that the ledger says more than before.
    pub fn is_something(&self) -> bool {
        matches!(self, Given::Departure(_) | Given::Reservation(_))
    }
}

impl Ledger {
    /// What has been spent.
    pub fn spent(&self) -> Spending {
        self.spent
    }

    /// What calls on their way have set aside.
    pub fn reserved(&self) -> Spending {
        self.holders.values().map(|holder| holder.reserved).sum()
    }

    /// Calls on their way.
    pub fn calls(&self) -> u32 {
        self.holders.values().fold(0, |sum, holder| sum.saturating_add(holder.calls))
    }

    /// Has at least so much spent as is recorded, but for what living workers have set aside: their calls may be recorded,
    /// and they still have to count them. Whether that changes anything.
    pub fn raise(&mut self, recorded: Spending, now: f64) -> bool {
        let Spending { tokens, cost_usd } = self.spent;
        let living = self.holders.values().filter(|holder| holder.until > now);
        let least = recorded - living.map(|holder| holder.reserved).sum();
        self.spent = Spending { tokens: tokens.max(least.tokens), cost_usd: cost_usd.max(least.cost_usd) };
        self.spent != Spending { tokens, cost_usd }
    }

    /// Whether a holder's entry of that number, or a later one, has been made.
    pub fn has(&self, holder: &str, number: u64) -> bool {
        self.holders.get(holder).is_some_and(|holder| holder.entry >= number)
    }

    /// Whether anybody else has been heard of and may be heard of again.
    pub fn has_others(&self, holder: &str, now: f64) -> bool {
        self.holders.iter().any(|(name, other)| name != holder && other.until > now)
    }

    /// Lets go of what is over: departures, and what is held by workers whose lease has run out by `dead`.
    pub fn tidy(&mut self, now: f64, dead: f64) {
        self.left.forget(now);
        self.holders.retain(|_, holder| holder.until + KEPT > dead);
        for holder in self.holders.values_mut().filter(|holder| holder.until <= dead) {
            (holder.calls, holder.reserved) = (0, Spending::default());
        }
    }

    /// Makes a worker's entry. What it says of itself replaces what stood there, so that nothing is lost for good if others
    /// took it for dead.
    pub fn enter(&mut self, entry: &Entry<'_>) {
        for returned in entry.returned {
            match *returned {
                Returned::Departure { used: 0, .. } => {}
                Returned::Departure { at, guessed, used } => self.left.correct(at, guessed, used),
                Returned::Reservation { used, .. } => self.spent += used,
            }
        }
        let Entry { number, calls, reserved, until, .. } = *entry;
        self.holders.insert(entry.holder.to_owned(), Holder { calls, reserved, until, entry: number });
    }

    /// Gives a worker what it wants, if that may be; it has to have made an entry before.
    pub fn give(&mut self, now: f64, holder: &str, want: &Want) -> Given {
        match *want {
            Want::Nothing => Given::Nothing,
            Want::Departure { rates, tokens, slack, instead_of } => {
                let counted = instead_of.filter(|at| self.left.take_back(*at, tokens));
                match self.depart(now, &rates, tokens, slack) {
                    Ok(at) => self.given(holder, Spending::default(), Given::Departure(at)),
                    Err(hold) => {
                        // It is taken back when the call leaves, and only once.
                        counted.into_iter().for_each(|at| self.left.add(at, tokens));
                        Given::Hold(hold)
                    }
                }
            }
            Want::Reservation { budget, most } => match purse::set_aside(&budget, self.spent, self.reserved(), most) {
                Ok(Some(most)) => self.given(holder, most, Given::Reservation(most)),
                Ok(None) => Given::Hold(Hold::Return),
                Err(spent) => Given::Refused(spent),
            },
        }
    }

    fn depart(&mut self, now: f64, rates: &Rates, tokens: u64, slack: f64) -> Result<f64, Hold> {
        if rates.concurrent_calls.is_some_and(|most| self.calls() >= most.max(1)) {
            return Err(Hold::Return);
        }
        if let Some(seconds) = self.left.seconds_to_wait(rates, now, tokens) {
            return Err(Hold::Seconds(seconds));
        }
        let at = end_of_slot(now + slack, GRAIN);
        if rates.requests_per_minute.is_some() || rates.tokens_per_minute.is_some() {
            self.left.add(at, tokens);
        }
        Ok(at)
    }

    fn given(&mut self, holder: &str, reserved: Spending, given: Given) -> Given {
        if let Some(holder) = self.holders.get_mut(holder) {
            holder.calls = holder.calls.saturating_add(1);
            holder.reserved += reserved;
        }
        given
    }
}

fn is_nothing(spending: &Spending) -> bool {
    *spending == Spending::default()
}

#[cfg(test)]
mod tests;
