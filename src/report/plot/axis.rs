//! An axis from 0: where a value stands, and which values get a tick. Knows nothing of what is measured.

/// An axis from 0 to `end`, laid out between two pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The value at the far end.
    pub end: f64,
    /// Pixel of 0.
    pub from: f64,
    /// Pixel of `end`.
    pub to: f64,
}

impl Axis {
    /// The pixel of a value.
    pub fn at(&self, value: f64) -> f64 {
        self.from + (self.to - self.from) * value / self.end
    }
}

/// Multiples of 1, 2 or 5 times a power of ten from 0 to at most `end`: about `wanted` of them, and whole.
pub fn ticks(end: f64, wanted: usize) -> Vec<f64> {
    let rough = (end / wanted.max(1) as f64).max(1.0);
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(rough).max(1.0);
    (0..=wanted.max(1) * 2).map(|index| index as f64 * step).take_while(|tick| *tick <= end).collect()
}

/// A tick in words: whole up to 9999, then with k, M, G.
pub fn label(value: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(unit, _)| value >= *unit && value >= 1e4) {
        Some((unit, name)) => format!("{}{name}", value / unit),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(73.0, 4), [0.0, 20.0, 40.0, 60.0]);
        assert_eq!(ticks(1.0, 4), [0.0, 1.0]);
        assert_eq!(ticks(250_000_000.0, 4), [0.0, 1e8, 2e8]);
        for end in 1..3000 {
            let ticks = ticks(f64::from(end), 5);
            assert!((2..=6).contains(&ticks.len()), "{end}: {ticks:?}");
        }
    }

    #[test]
    fn labels_are_short() {
        assert_eq!([0.0, 250.0, 5000.0, 20_000.0, 2.5e6, 1e9].map(label), ["0", "250", "5000", "20k", "2.5M", "1G"]);
    }

    #[test]
    fn values_stand_in_proportion() {
        let axis = Axis { end: 50.0, from: 200.0, to: 100.0 };
        assert_eq!([0.0, 25.0, 50.0].map(|value| axis.at(value)), [200.0, 150.0, 100.0]);
    }
}
