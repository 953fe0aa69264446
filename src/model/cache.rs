//! Answers kept on disk, so that the same question is paid for once. Knows nothing of what is asked.
//!
//! The key is the whole request (address, headers, body) and the number of the episode's repeat: repeats are there to differ. What
//! is kept is the answer and its usage as they were read, the key of the endpoint struck out.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::prompt::Answer;

use super::usage::Usage;

/// A folder of answers. Several processes may share it.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    drafts: AtomicU64,
    told: AtomicBool,
}

/// An answer as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The answer.
    pub answer: Answer,
    /// What it used, as the server counted it.
    pub usage: Usage,
}

impl Cache {
    /// A cache in a folder, which need not exist.
    pub fn new(folder: &Path) -> Self {
        Cache { folder: folder.to_owned(), drafts: AtomicU64::new(0), told: AtomicBool::new(false) }
    }

    /// The place of a request's answer. Headers may choose a provider or a version behind the address.
    pub fn place(&self, base_url: &str, headers: &BTreeMap<String, String>, body: &[u8], repeat: u32) -> PathBuf {
        let mut hash = Sha256::new();
        // As JSON, so that no part can be taken for the beginning of the next.
        hash.update(json!([base_url, headers, repeat]).to_string());
        hash.update(body);
        let digits: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(&digits[..2]).join(format!("{digits}.json"))
    }

    /// The answer at a place. One that cannot be read counts as none, and is replaced by the next.
    pub fn get(&self, place: &Path) -> Option<Kept> {
        serde_json::from_slice(&fs::read(place).ok()?).ok()
    }

    /// Keeps an answer. That it cannot be kept is told once and changes nothing else.
    pub fn put(&self, place: &Path, kept: &Kept) {
        if let Err(error) = self.try_put(place, kept)
            && !self.told.swap(true, Ordering::Relaxed)
        {
            tracing::warn!("{}: answers are not kept: {error}", self.folder.display());
        }
    }

    /// Writes beside and renames, so that whoever reads finds a whole answer or none.
    fn try_put(&self, place: &Path, kept: &Kept) -> io::Result<()> {
        let draft = self.drafts.fetch_add(1, Ordering::Relaxed);
        let draft = place.with_extension(format!("{}.{draft}.tmp", std::process::id()));
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&draft, serde_json::to_vec(kept)?)?;
        fs::rename(&draft, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_again_under_all_that_was_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::new(&folder.path().join("kept"));
        let none = BTreeMap::new();
        let place = cache.place("http://a/v1", &none, b"{}", 0);
        assert_eq!(cache.get(&place), None);
        let answer = Answer { content: Some("1".into()), finish_reason: Some("stop".into()), ..Answer::default() };
        let kept = Kept { answer, usage: Usage { prompt_tokens: 3, ..Usage::default() } };
        cache.put(&place, &kept);
        assert_eq!(cache.get(&place), Some(kept.clone()));
        for other in [("http://b/v1", &b"{}"[..], 0), ("http://a/v1", b"{ }", 0), ("http://a/v1", b"{}", 1)] {
            assert_ne!(cache.place(other.0, &none, other.1, other.2), place);
        }
        let headers = BTreeMap::from([("x-variant".to_owned(), "b".to_owned())]);
        assert_ne!(cache.place("http://a/v1", &headers, b"{}", 0), place);
        // What is torn is no answer, and is replaced.
        fs::write(&place, b"{\"answer\":").expect("a file");
        assert_eq!(cache.get(&place), None);
        cache.put(&place, &kept);
        assert_eq!(cache.get(&place), Some(kept));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_failure() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let cache = Cache::new(file.path());
        let place = cache.place("http://a/v1", &BTreeMap::new(), b"{}", 0);
        cache.put(&place, &Kept { answer: Answer::default(), usage: Usage::default() });
        assert_eq!(cache.get(&place), None);
    }
}
