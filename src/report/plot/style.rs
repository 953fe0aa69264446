//! How plots look: colours, lines and fonts of their own. The colours are Okabe and Ito's, which colour-blind readers can tell apart;
//! no meaning hangs on colour alone.

use crate::report::svg::{Font, Stroke};

/// Episodes that were won.
pub const WON: &str = "#009e73";
/// Episodes after whose last drawn decision the boss can no longer be defeated.
pub const LOST: &str = "#d55e00";
/// Episodes that ended otherwise.
pub const OPEN: &str = "#0072b2";
/// Ground of a panel, and of the rail of losing decisions.
pub const GROUND: &str = "#f7f7f7";

/// A line at a tick.
pub const GRID: Stroke = Stroke::solid("#e4e4e4", 1.0);
/// The line at 0.
pub const BASE: Stroke = Stroke::solid("#999", 1.0);
/// An interval.
pub const BAND: Stroke = Stroke::solid("#0072b2", 2.0);
/// The line at the optimum.
pub const OPTIMUM: Stroke = Stroke { colour: "#444", width: 1.0, opacity: 1.0, dash: Some((5.0, 4.0)) };

/// What stands beside the heading of a panel.
pub const ASIDE: Font = Font { size: 11.0, bold: false, fill: "#555", halo: false };
/// Ticks.
pub const TICK: Font = Font { size: 10.0, bold: false, fill: "#555", halo: false };
/// Numbers at the ends of curves.
pub const LABEL: Font = Font { size: 10.0, bold: false, fill: "#111", halo: true };
