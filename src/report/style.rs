//! Fonts that all our pictures share.

use super::svg::Font;

/// Heading of a picture.
pub const TITLE: Font = Font { size: 17.0, bold: true, fill: "#111", halo: false };
/// Lines below the heading or below the picture.
pub const SUBTITLE: Font = Font { size: 12.0, bold: false, fill: "#444", halo: false };
/// Heading of a panel.
pub const PANEL: Font = Font { size: 12.0, bold: true, fill: "#111", halo: false };

/// Distance of the baselines of lines of text, in pixels.
pub const LINE: f64 = 17.0;
