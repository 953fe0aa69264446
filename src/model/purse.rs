//! What a batch may spend, counted over all its agents. A call sets aside what it may use and gives back what it did not.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::spending::{Budget, Spending};

/// A budget, what has been spent of it, and what calls on their way may spend.
pub struct Purse {
    budget: Budget,
    counted: Mutex<Counted>,
    returned: Notify,
}

#[derive(Clone, Copy, Default)]
struct Counted {
    spent: Spending,
    reserved: Spending,
}

/// The budget does not allow a further call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the batch's budget ([limits.run]), {0}")]
pub struct Spent(pub String);

impl Purse {
    /// A budget of which so much has been spent already.
    pub fn new(budget: Budget, spent: Spending) -> Self {
        let counted = Counted { spent, reserved: Spending::default() };
        Purse { budget, counted: Mutex::new(counted), returned: Notify::new() }
    }

    /// Sets aside what a call may use, and waits while only the return of other calls can tell whether it may be made;
    /// `told` is told when it begins to wait.
    ///
    /// # Errors
    /// [`Spent`] if it may not.
    pub async fn reserve(&self, most: Spending, told: &mut (dyn FnMut() + Send)) -> Result<(), Spent> {
        let mut waited = false;
        loop {
            // Registered before the look, so that no return between the two is missed.
            let returned = self.returned.notified();
            if self.try_reserve(most)? {
                return Ok(());
            }
            if !std::mem::replace(&mut waited, true) {
                told();
            }
            returned.await;
        }
    }

    /// Whether what a call may use has been set aside.
    fn try_reserve(&self, most: Spending) -> Result<bool, Spent> {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = self.budget.forbids(counted.spent, most) {
            return Err(Spent(why));
        }
        let fits = self.budget.forbids(counted.spent + counted.reserved, most).is_none();
        if fits {
            counted.reserved += most;
        }
        Ok(fits)
    }

    /// A call has come back that had set aside `most` and used `used`.
    pub fn settle(&self, most: Spending, used: Spending) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.reserved = counted.reserved - most;
        counted.spent += used;
        drop(counted);
        self.returned.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    fn tokens(tokens: u64) -> Spending {
        Spending { tokens, cost_usd: 0.0 }
    }

    #[tokio::test]
    async fn what_is_on_its_way_is_waited_for_and_what_is_spent_is_not() {
        let purse = Arc::new(Purse::new(Budget { tokens: Some(100), cost_usd: None }, tokens(20)));
        assert_eq!(purse.reserve(tokens(50), &mut || {}).await, Ok(()));
        // 20 spent and 50 set aside: 40 more fit only if the call on its way uses less.
        let waiting = tokio::spawn({
            let purse = purse.clone();
            async move {
                let mut waits = 0;
                (purse.reserve(tokens(40), &mut || waits += 1).await, waits)
            }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!waiting.is_finished());
        purse.settle(tokens(50), tokens(40));
        assert_eq!(waiting.await.expect("no panic"), (Ok(()), 1));
        purse.settle(tokens(40), tokens(39));
        assert_eq!(purse.reserve(tokens(1), &mut || {}).await, Ok(()));
        let refused = purse.reserve(tokens(2), &mut || {}).await;
        insta::assert_snapshot!(refused.unwrap_err(), @"the batch's budget ([limits.run]), the limit of 100 tokens: 99 used, the next call may use 2");
    }
}
