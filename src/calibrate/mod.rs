//! Looks for a monster table, and for HP at the start, with which a floor meets targets. Knows how floors are inspected
//! and solved; knows nothing of files or of how targets are typed.

pub mod candidate;
pub mod parameter;
pub mod probe;
pub mod search;
pub mod target;

pub use candidate::Candidate;
pub use parameter::{Parameter, ParameterError, Quantity, Subject};
pub use search::{Calibration, Limits, Standing, search};
pub use target::{Measure, Measured, Target, TargetError, Wanted};
