//! What a batch may spend, counted over all its agents. A call sets aside what it may use and gives back what it did not.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::spending::{Budget, Spending};

/// What a call may use, as far as is known when it is asked; infinite where nobody knows.
pub type Most<'a> = dyn Fn() -> Spending + Send + Sync + 'a;

/// US dollars that nothing can be had for: what is left when sums are not quite exact.
const NOTHING: f64 = 1e-9;

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
    /// Calls that have set something aside.
    calls: usize,
}

/// The budget does not allow a further call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the batch's budget ([limits.run]), {0}")]
pub struct Spent(pub String);

/// What is set aside for a call that may use `most`, where so much has been spent and so much is reserved by calls on their
/// way: all that is left, where nobody knows what the call may cost. Nothing if it has to wait for their return.
///
/// # Errors
/// [`Spent`] if it may not be made, whatever they use.
pub fn set_aside(
    budget: &Budget,
    spent: Spending,
    reserved: Spending,
    most: Spending,
) -> Result<Option<Spending>, Spent> {
    let most = match (most.cost_usd.is_finite(), budget.cost_usd) {
        (true, _) => most,
        (false, None) => Spending { cost_usd: 0.0, ..most },
        (false, Some(limit)) if spent.cost_usd < limit - NOTHING => {
            Spending { cost_usd: limit - spent.cost_usd, ..most }
        }
        (false, Some(limit)) => {
            return Err(Spent(format!("the limit of {limit} USD: {:.4} spent", spent.cost_usd)));
        }
    };
    if let Some(why) = budget.forbids(spent, most) {
        return Err(Spent(why));
    }
    Ok(budget.forbids(spent + reserved, most).is_none().then_some(most))
}

impl Purse {
    /// A budget of which so much has been spent already.
    pub fn new(budget: Budget, spent: Spending) -> Self {
        let counted = Counted { spent, ..Counted::default() };
        Purse { budget, counted: Mutex::new(counted), returned: Notify::new() }
    }

    /// Sets aside what a call may use, and waits while only the return of other calls can tell whether it may be made;
    /// `told` is told when it begins to wait. Gives what was set aside: all that is left, where nobody knows what the
    /// call may cost, so that such calls are made one at a time. What it may use is asked for again after each wait,
    /// since more may be known by then.
    ///
    /// # Errors
    /// [`Spent`] if it may not be made.
    pub async fn reserve(&self, most: &Most<'_>, told: &mut (dyn FnMut() + Send)) -> Result<Spending, Spent> {
        let mut waited = false;
        loop {
            // Registered before the look, so that no return between the two is missed.
            let returned = self.returned.notified();
            if let Some(reserved) = self.try_reserve(most())? {
                return Ok(reserved);
            }
            if !std::mem::replace(&mut waited, true) {
                told();
            }
            returned.await;
        }
    }

    /// What has been set aside for a call; nothing if it has to wait.
    fn try_reserve(&self, most: Spending) -> Result<Option<Spending>, Spent> {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let Counted { spent, reserved, .. } = *counted;
        let Some(most) = set_aside(&self.budget, spent, reserved, most)? else { return Ok(None) };
        counted.reserved += most;
        counted.calls += 1;
        Ok(Some(most))
    }

    /// A call has come back that had set aside `most` and used `used`.
    pub fn settle(&self, most: Spending, used: Spending) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.calls = counted.calls.saturating_sub(1);
        // Sums are not quite exact; what is left of one must not keep the last call waiting for nobody.
        counted.reserved = if counted.calls == 0 { Spending::default() } else { counted.reserved - most };
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
        assert_eq!(purse.reserve(&|| tokens(50), &mut || {}).await, Ok(tokens(50)));
        // 20 spent and 50 set aside: 40 more fit only if the call on its way uses less.
        let waiting = tokio::spawn({
            let purse = purse.clone();
            async move {
                let mut waits = 0;
                (purse.reserve(&|| tokens(40), &mut || waits += 1).await, waits)
            }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!waiting.is_finished());
        purse.settle(tokens(50), tokens(40));
        assert_eq!(waiting.await.expect("no panic"), (Ok(tokens(40)), 1));
        purse.settle(tokens(40), tokens(39));
        assert_eq!(purse.reserve(&|| tokens(1), &mut || {}).await, Ok(tokens(1)));
        let refused = purse.reserve(&|| tokens(2), &mut || {}).await;
        insta::assert_snapshot!(refused.unwrap_err(), @"the batch's budget ([limits.run]), the limit of 100 tokens: 99 used, the next call may use 2");
    }

    /// As long as nobody knows what calls cost, one is made at a time: together they could pass any limit.
    #[tokio::test]
    async fn a_call_of_unknown_cost_sets_all_aside() {
        let dollars = |cost_usd| Spending { tokens: 0, cost_usd };
        let purse = Purse::new(Budget { tokens: None, cost_usd: Some(2.0) }, dollars(0.5));
        let unknown = dollars(f64::INFINITY);
        assert_eq!(purse.try_reserve(unknown), Ok(Some(dollars(1.5))));
        assert_eq!((purse.try_reserve(unknown), purse.try_reserve(dollars(0.1))), (Ok(None), Ok(None)));
        purse.settle(dollars(1.5), dollars(0.25));
        assert_eq!(purse.try_reserve(unknown), Ok(Some(dollars(1.25))));
        purse.settle(dollars(1.25), dollars(1.25));
        assert!(purse.try_reserve(unknown).is_err());
        let free = Purse::new(Budget::default(), dollars(0.0));
        assert_eq!(
            (free.try_reserve(unknown), free.try_reserve(unknown)),
            (Ok(Some(dollars(0.0))), Ok(Some(dollars(0.0))))
        );
    }

    /// Who waited while nobody knew the cost goes by what is known when it comes to its turn.
    #[tokio::test]
    async fn what_is_learnt_while_a_call_waits_counts() {
        let dollars = |cost_usd| Spending { tokens: 0, cost_usd };
        let purse = Arc::new(Purse::new(Budget { tokens: None, cost_usd: Some(1.0) }, dollars(0.0)));
        let known = Arc::new(Mutex::new(f64::INFINITY));
        assert_eq!(purse.reserve(&|| dollars(f64::INFINITY), &mut || {}).await, Ok(dollars(1.0)));
        let waiting = tokio::spawn({
            let (purse, known) = (purse.clone(), known.clone());
            async move { purse.reserve(&|| dollars(*known.lock().expect("a lock")), &mut || {}).await }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        *known.lock().expect("a lock") = 0.25;
        purse.settle(dollars(1.0), dollars(0.25));
        assert_eq!(waiting.await.expect("no panic"), Ok(dollars(0.25)));
        let spent = Purse::new(Budget { tokens: None, cost_usd: Some(0.3) }, dollars(0.1 + 0.1 + 0.1 - 1e-12));
        assert!(spent.try_reserve(dollars(f64::INFINITY)).is_err(), "what is left is nothing");
    }
}
