//! Reasoning that a model writes into the text of its answer, between marks of its family's own. Knows nothing of what the
//! rest of the text says.

/// What begins and ends reasoning in a text.
const MARKS: [(&str, &str); 8] = [
    // DeepSeek, Qwen and most others
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    // Seed
    ("<seed:think>", "</seed:think>"),
    // Magistral
    ("[THINK]", "[/THINK]"),
    // Kimi
    ("◁think▷", "◁/think▷"),
    // gpt-oss, where a server does not take its channels apart
    ("<|channel|>analysis", "<|channel|>final<|message|>"),
];

/// The text without its reasoning: what follows the last end of one. Nothing if a reasoning never ends.
///
/// A template may have put the beginning into the prompt, so an end alone ends a reasoning, too.
pub fn visible(text: &str) -> Option<&str> {
    let mut from = 0;
    for (begin, end) in MARKS {
        let ended = text.rfind(end);
        if text.rfind(begin).is_some_and(|begun| ended.is_none_or(|ended| begun > ended)) {
            return None;
        }
        from = from.max(ended.map_or(0, |ended| ended + end.len()));
    }
    text.get(from..)
}

/// Whether there is reasoning in a text, ended or not.
pub fn is_in(text: &str) -> bool {
    visible(text).is_none_or(|visible| visible.len() < text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_is_left_out_whatever_its_marks() {
        for (begin, end) in MARKS {
            let closed = format!("{begin} is it 1? {end}2");
            assert_eq!((visible(&closed), is_in(&closed)), (Some("2"), true), "{begin}");
            assert_eq!(visible(&format!("is it 1? {end}2")), Some("2"), "{end}");
            assert_eq!(visible(&format!("{begin} is it 1?")), None, "{begin}");
            assert_eq!(visible(&format!("{closed} {begin} or")), None, "{begin}");
        }
        assert_eq!((visible("2"), is_in("2")), (Some("2"), false));
        let channels =
            "<|channel|>analysis<|message|>1?<|end|><|start|>assistant<|channel|>final<|message|>{\"action\": 2}";
        assert_eq!(visible(channels), Some("{\"action\": 2}"));
    }
}
