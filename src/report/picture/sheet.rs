//! How the floors of a tower lie side by side on a page. Knows their sizes only.

/// Between panels, in pixels.
const GAP: f64 = 20.0;

/// How much longer the page may be for up to three panels to stand side by side and not one below the other.
const BELOW: f64 = 1.6;

/// Where each panel lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Top left of each panel.
    pub corners: Vec<(f64, f64)>,
    /// Pixels across and down.
    pub size: (f64, f64),
}

impl Sheet {
    /// Rows of equally many panels, so that the whole is as nearly square as can be; up to three stand in one row or column,
    /// so that what joins neighbours does not cross others.
    pub fn of(panels: &[(f64, f64)]) -> Self {
        // More columns than this are never square, whatever the shapes.
        let most = panels.len().min(4 * panels.len().isqrt() + 8).max(1);
        // Side by side is how floors are compared; one below the other only where that is much smaller.
        let longer = |sheet: &Sheet| sheet.size.0.max(if panels.len() > 3 { 1.0 } else { BELOW } * sheet.size.1);
        let straight = |columns: &usize| panels.len() > 3 || *columns == 1 || *columns == panels.len();
        let sheets = (1..=most).filter(straight).map(|columns| Sheet::in_columns(panels, columns));
        sheets
            .min_by(|one, other| longer(one).total_cmp(&longer(other)))
            .unwrap_or_else(|| Sheet::in_columns(panels, 1))
    }

    fn in_columns(panels: &[(f64, f64)], columns: usize) -> Self {
        let mut corners = Vec::with_capacity(panels.len());
        let (mut width, mut top) = (0.0_f64, 0.0);
        for row in panels.chunks(columns) {
            let mut left = 0.0;
            for (across, _) in row {
                corners.push((left, top));
                width = width.max(left + across);
                left += across + GAP;
            }
            top += row.iter().map(|(_, down)| *down).fold(0.0, f64::max) + GAP;
        }
        Sheet { corners, size: (width, (top - GAP).max(0.0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_nearly_square_and_nothing_overlaps() {
        for (count, panel) in
            [(1, (300.0, 300.0)), (2, (300.0, 300.0)), (4, (300.0, 300.0)), (7, (300.0, 320.0)), (50, (400.0, 90.0))]
        {
            let sheet = Sheet::of(&vec![panel; count]);
            let (width, height) = sheet.size;
            assert!(width / height < 2.2 && height / width < 2.2, "{count}: {width} × {height}");
            for (index, corner) in sheet.corners.iter().enumerate() {
                assert!(corner.0 + panel.0 <= width && corner.1 + panel.1 <= height);
                let apart =
                    |other: &(f64, f64)| (corner.0 - other.0).abs() >= panel.0 || (corner.1 - other.1).abs() >= panel.1;
                assert!(sheet.corners[..index].iter().all(apart), "{count}");
            }
        }
    }

    #[test]
    fn three_stand_in_a_line() {
        let corners = |panel| Sheet::of(&[panel; 3]).corners;
        assert_eq!(corners((300.0, 300.0)), [(0.0, 0.0), (320.0, 0.0), (640.0, 0.0)]);
        assert_eq!(corners((600.0, 300.0)), [(0.0, 0.0), (0.0, 320.0), (0.0, 640.0)]);
        assert_eq!(corners((200.0, 300.0)), [(0.0, 0.0), (220.0, 0.0), (440.0, 0.0)]);
    }

    #[test]
    fn panels_of_all_sizes_have_room() {
        let sheet = Sheet::in_columns(&[(100.0, 50.0), (30.0, 200.0), (60.0, 60.0)], 2);
        assert_eq!(sheet.corners, [(0.0, 0.0), (120.0, 0.0), (0.0, 220.0)]);
        assert_eq!(sheet.size, (150.0, 280.0));
    }
}
