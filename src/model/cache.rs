//! Answers kept on disk, so that the same question is paid for once. Knows nothing of what is asked.
//!
//! The key is the whole request (address, body) and the number of the episode's repeat: repeats are there to differ. What
//! is kept is the answer and its usage as they were read, the key of the endpoint struck out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
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

    /// The place of a request's answer.
    pub fn place(&self, base_url: &str, body: &[u8], repeat: u32) -> PathBuf {
        let mut hash = Sha256::new();
        hash.update(base_url.as_bytes());
        hash.update([0]);
        hash.update(repeat.to_le_bytes());
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
        let place = cache.place("http://a/v1", b"{}", 0);
        assert_eq!(cache.get(&place), None);
        let answer = Answer { content: Some("1".into()), finish_reason: Some("stop".into()), ..Answer::default() };
        let kept = Kept { answer, usage: Usage { prompt_tokens: 3, ..Usage::default() } };
        cache.put(&place, &kept);
        assert_eq!(cache.get(&place), Some(kept.clone()));
        for other in [("http://b/v1", &b"{}"[..], 0), ("http://a/v1", b"{ }", 0), ("http://a/v1", b"{}", 1)] {
            assert_ne!(cache.place(other.0, other.1, other.2), place);
        }
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
        let place = cache.place("http://a/v1", b"{}", 0);
        cache.put(&place, &Kept { answer: Answer::default(), usage: Usage::default() });
        assert_eq!(cache.get(&place), None);
    }
}
