//! Shops: what they sell and at what price. Knows nothing of where they stand.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hero::Hero;

/// What every shop of a tower sells. The price rises with each purchase, whatever was bought and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shop {
    /// Gold for the first purchase, at least 0.
    pub first_price: i64,
    /// Gold added to the price by each purchase, at least 0.
    pub price_step: i64,
    /// HP sold at once; 0 if HP is not for sale.
    pub hp: i64,
    /// ATK sold at once; 0 if ATK is not for sale.
    pub atk: i64,
    /// DEF sold at once; 0 if DEF is not for sale.
    pub def: i64,
    /// MDEF sold at once; 0 if MDEF is not for sale.
    pub mdef: i64,
}

/// What one purchase raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Purchase {
    /// HP.
    Hp,
    /// ATK.
    Atk,
    /// DEF.
    Def,
    /// MDEF.
    Mdef,
}

impl Purchase {
    /// All purchases, in the order in which they are numbered.
    pub const ALL: [Purchase; 4] = [Purchase::Hp, Purchase::Atk, Purchase::Def, Purchase::Mdef];
}

impl fmt::Display for Purchase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purchase::Hp => "HP",
            Purchase::Atk => "ATK",
            Purchase::Def => "DEF",
            Purchase::Mdef => "MDEF",
        })
    }
}

impl Shop {
    /// Gold asked for after `purchases` earlier ones; `None` beyond `i64`.
    pub fn price(&self, purchases: u32) -> Option<i64> {
        self.price_step.checked_mul(i64::from(purchases))?.checked_add(self.first_price)
    }

    /// How many purchases an amount of gold pays for, from the first; `None` beyond 65,535.
    pub fn affordable(&self, gold: i64) -> Option<u16> {
        let mut left = gold;
        let mut made: u16 = 0;
        while let Some(price) = self.price(made.into()).filter(|price| *price <= left) {
            left -= price;
            made = made.checked_add(1)?;
        }
        Some(made)
    }

    /// Points that one purchase gives; 0 if it is not for sale.
    pub fn amount(&self, purchase: Purchase) -> i64 {
        match purchase {
            Purchase::Hp => self.hp,
            Purchase::Atk => self.atk,
            Purchase::Def => self.def,
            Purchase::Mdef => self.mdef,
        }
    }

    /// The hero after a purchase at `price`; `None` beyond `i64`. The caller has checked that he can pay.
    pub fn sell(&self, hero: &Hero, purchase: Purchase, price: i64) -> Option<Hero> {
        let mut after = *hero;
        after.gold = hero.gold.checked_sub(price)?;
        let raised = match purchase {
            Purchase::Hp => &mut after.hp,
            Purchase::Atk => &mut after.atk,
            Purchase::Def => &mut after.def,
            Purchase::Mdef => &mut after.mdef,
        };
        *raised = raised.checked_add(self.amount(purchase))?;
        Some(after)
    }
}
