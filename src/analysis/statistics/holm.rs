//! Holm's correction (S. Holm, 1979): of many comparisons some differ by chance. Whoever calls different what has a
//! corrected p-value of at most α is wrong in any of them with a probability of at most α.

/// The corrected p-values, in the order given.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, index) in order.into_iter().enumerate() {
        least = least.max((p_values.len() - rank) as f64 * p_values[index]).min(1.0);
        corrected[index] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // 0.01 × 4; 0.02 × 3 = 0.06; 0.03 × 2 = 0.06 at least; 0.04 × 1, but never below the one before it.
        let corrected = holm(&[0.04, 0.01, 0.03, 0.02]);
        for (found, expected) in corrected.iter().zip([0.06, 0.04, 0.06, 0.06]) {
            assert!((found - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_eq!(holm(&[0.9, 0.9]), [1.0, 1.0]);
    }
}
