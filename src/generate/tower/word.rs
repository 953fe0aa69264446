//! Texts as rows of words, so that neither case nor punctuation matters. Knows nothing of what words mean.

/// The words of a text in small letters: runs of letters and digits; an apostrophe within one is left out.
pub fn words_of(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in text.chars() {
        match (c, words.last_mut()) {
            ('\'' | '’', _) => {}
            (c, Some(word)) if c.is_alphanumeric() => word.extend(c.to_lowercase()),
            (_, Some(word)) if word.is_empty() => {}
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether words stand side by side in a text, in their order.
pub fn has_phrase(text: &[String], phrase: &[String]) -> bool {
    !phrase.is_empty() && text.windows(phrase.len()).any(|window| window == phrase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_case_nor_punctuation_matters() {
        assert_eq!(
            words_of("  The SMITH'S two-storey, 3×4 «Tür»! "),
            ["the", "smiths", "two", "storey", "3", "4", "tür"]
        );
        assert!(words_of(" ,.- ").is_empty());
        let has = |text: &str, phrase: &str| has_phrase(&words_of(text), &words_of(phrase));
        assert!(has("a guard-room", "guard room") && has("vaults", "vaults"));
        assert!(!has("vaults", "vault") && !has("room guard", "guard room") && !has("", "") && !has("a", ""));
    }
}
