//! The journals of a run copied into its folder as they come, so that the folder is what a local run would have written.
//! What both hold already is compared, not written again. Knows nothing of the server.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::cluster::error::ClusterError;
use crate::cluster::journal::{Line, Mark};
use crate::cluster::lines::Joint;
use crate::eval::plan::Entry;
use crate::eval::store::{RETRIED, aside_path, free_place, trace_path};

/// The copies of a run's journals.
pub struct Mirror {
    folder: PathBuf,
    copies: Vec<Copy>,
    /// By id, the episode's place in the plan.
    by_id: HashMap<String, usize>,
}

/// The copy of one journal.
#[derive(Default)]
struct Copy {
    /// Number of its last line.
    last: u64,
    /// Bytes of whole lines in the file.
    whole: u64,
    /// Bytes of them that the journal has confirmed.
    seen: u64,
    /// What the journal says since the file says something else: all of it, from the beginning.
    instead: Option<Vec<u8>>,
    joint: Joint,
    /// Whether the file is of a later try than the journal, which has that of an earlier one.
    ahead: bool,
}

/// What a line of a journal told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A record was written.
    Record(Bytes),
    /// Somebody has taken the episode.
    Taken,
    /// The episode was left open: why, as it was written.
    Left(Bytes),
    /// What was there has been put aside.
    Aside,
}

/// What a folder holds of an episode beyond what its journal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surplus {
    /// The episode's id.
    pub id: String,
    /// Number of the last line of its journal.
    pub last: u64,
    /// Whether what the journal holds is to be put aside first: the folder has done so.
    pub anew: bool,
    /// The records, in order.
    pub records: Vec<Vec<u8>>,
}

impl Mirror {
    /// Opens the copies in a run's folder. A torn last line is cut off.
    ///
    /// # Errors
    /// [`ClusterError::Io`].
    pub fn open(folder: &Path, entries: &[Entry]) -> Result<Self, ClusterError> {
        let mut mirror = Mirror { folder: folder.to_owned(), copies: Vec::new(), by_id: HashMap::new() };
        for (index, entry) in entries.iter().enumerate() {
            let path = trace_path(folder, &entry.id);
            let whole = whole_lines(&path).map_err(|source| ClusterError::Io { path, source })?;
            mirror.copies.push(Copy { whole, ..Copy::default() });
            mirror.by_id.insert(entry.id.clone(), index);
        }
        Ok(mirror)
    }

    /// Takes the next line of any journal: gives the episode's place in the plan and what it told, if it is one of the
    /// plan's.
    ///
    /// # Errors
    /// [`ClusterError::Io`] if the copy cannot be written.
    pub fn take(&mut self, line: &Line) -> Result<Option<(usize, Told)>, ClusterError> {
        let Some(&index) = self.by_id.get(&line.item) else { return Ok(None) };
        let path = trace_path(&self.folder, &line.item);
        let copy = &mut self.copies[index];
        copy.last = line.sequence;
        let record = copy.joint.push(line);
        let told = match (line.mark, record) {
            (None, Some(record)) => {
                let io = |source| ClusterError::Io { path: path.clone(), source };
                copy.take(&path, &record).map_err(io)?;
                Told::Record(record)
            }
            (Some(Mark::Aside), _) => {
                self.put_aside(index, &line.item).map_err(|source| ClusterError::Io { path, source })?;
                Told::Aside
            }
            (Some(Mark::Taken), _) => Told::Taken,
            (Some(Mark::Left), _) => Told::Left(line.payload.clone()),
            (Some(Mark::Part | Mark::Back) | None, _) => return Ok(None),
        };
        Ok(Some((index, told)))
    }

    /// The number of the last line of an episode's journal that was taken; 0 if there was none.
    pub fn last(&self, id: &str) -> u64 {
        self.by_id.get(id).map_or(0, |index| self.copies[*index].last)
    }

    /// Where file and journal of an episode have come to say different things, the journal is right: the file is put
    /// aside. Says whether that was so.
    ///
    /// # Errors
    /// [`ClusterError::Io`].
    pub fn settle(&mut self, index: usize, entry: &Entry) -> Result<bool, ClusterError> {
        let copy = &mut self.copies[index];
        let Some(instead) = copy.instead.take() else { return Ok(false) };
        let path = trace_path(&self.folder, &entry.id);
        if known_asides(&self.folder, &entry.id).any(|aside| fs::read(aside).is_ok_and(|there| there == instead)) {
            (copy.seen, copy.ahead) = (0, true);
            return Ok(false);
        }
        let replaced = move_aside(&self.folder, &entry.id).and_then(|()| fs::write(&path, &instead));
        replaced.map_err(|source| ClusterError::Io { path, source })?;
        (copy.whole, copy.seen) = (instead.len() as u64, instead.len() as u64);
        Ok(true)
    }

    /// What the folder holds beyond the journals, an episode at a time.
    ///
    /// # Errors
    /// [`ClusterError::Io`].
    pub fn surplus(&self, index: usize, entry: &Entry) -> Result<Option<Surplus>, ClusterError> {
        let copy = &self.copies[index];
        if copy.instead.is_some() || copy.seen >= copy.whole {
            return Ok(None);
        }
        let path = trace_path(&self.folder, &entry.id);
        let bytes =
            read_at(&path, copy.seen, copy.whole - copy.seen).map_err(|source| ClusterError::Io { path, source })?;
        let records = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect();
        Ok(Some(Surplus { id: entry.id.clone(), last: copy.last, anew: copy.ahead, records }))
    }

    /// Follows a journal that puts aside what was there: so does the folder, unless it has done so before.
    fn put_aside(&mut self, index: usize, id: &str) -> io::Result<()> {
        let copy = &mut self.copies[index];
        if let Some(instead) = copy.instead.take() {
            // The file is of what came after.
            copy.seen = 0;
            return keep_aside(&self.folder, id, &instead);
        }
        if copy.seen == 0 {
            copy.ahead = false;
            return Ok(());
        }
        (copy.seen, copy.whole) = (0, 0);
        let path = trace_path(&self.folder, id);
        keep_aside(&self.folder, id, &fs::read(&path)?)?;
        fs::remove_file(&path)
    }
}

impl Copy {
    fn take(&mut self, path: &Path, record: &[u8]) -> io::Result<()> {
        let mut line = record.to_vec();
        line.push(b'\n');
        if let Some(instead) = &mut self.instead {
            instead.extend_from_slice(&line);
            return Ok(());
        }
        if self.seen == self.whole {
            OpenOptions::new().create(true).append(true).open(path)?.write_all(&line)?;
            self.whole += line.len() as u64;
            self.seen = self.whole;
            return Ok(());
        }
        let there = read_at(path, self.seen, (line.len() as u64).min(self.whole - self.seen))?;
        if there == line {
            self.seen += line.len() as u64;
        } else {
            let mut instead = read_at(path, 0, self.seen)?;
            instead.extend_from_slice(&line);
            self.instead = Some(instead);
        }
        Ok(())
    }
}

/// Bytes of whole lines in a file, which is cut off after them; 0 if there is no file.
fn whole_lines(path: &Path) -> io::Result<u64> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
    if whole < bytes.len() {
        tracing::warn!("{}: a torn last line of {} bytes was cut off", path.display(), bytes.len() - whole);
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(whole as u64)
}

fn read_at(path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Moves an episode's file to those that were put aside, under a number that is free.
fn move_aside(folder: &Path, id: &str) -> io::Result<()> {
    fs::create_dir_all(folder.join(RETRIED))?;
    fs::rename(trace_path(folder, id), free_place(folder, id))
}

/// Keeps a text with those that were put aside, unless one of them is the same.
fn keep_aside(folder: &Path, id: &str, text: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder.join(RETRIED))?;
    if known_asides(folder, id).any(|path| fs::read(path).is_ok_and(|there| there == text)) {
        return Ok(());
    }
    fs::write(free_place(folder, id), text)
}

/// The files of an episode that were put aside.
fn known_asides<'f>(folder: &'f Path, id: &'f str) -> impl Iterator<Item = PathBuf> + 'f {
    (1..).map(move |number| aside_path(folder, id, number)).take_while(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::EpisodeKey;

    const ID: &str = "a.b.none.0.abcdef00";

    fn entries() -> Vec<Entry> {
        let key = EpisodeKey { agent: "a".into(), floor: "b".into(), prompt: "none".into(), repeat: 0 };
        vec![Entry { id: ID.into(), key, floor: 0, prompt: None, agent: 0 }]
    }

    fn line(sequence: u64, mark: Option<Mark>, text: &str) -> Line {
        Line { sequence, item: ID.into(), mark, payload: text.to_owned().into() }
    }

    fn mirrored(folder: &Path, lines: &[Line]) -> Mirror {
        fs::create_dir_all(folder.join("episodes")).expect("a folder");
        let mut mirror = Mirror::open(folder, &entries()).expect("copies");
        for line in lines {
            mirror.take(line).expect("written");
        }
        mirror
    }

    fn text(folder: &Path) -> String {
        fs::read_to_string(trace_path(folder, ID)).unwrap_or_default()
    }

    fn asides(folder: &Path) -> Vec<String> {
        let known = (1..9).map(|number| aside_path(folder, ID, number));
        known.map_while(|path| fs::read_to_string(path).ok()).collect()
    }

    /// However often it is begun again, and wherever it was cut off, the folder comes to hold the same.
    #[test]
    fn a_copy_that_is_begun_again_comes_to_hold_the_same() {
        let lines = [
            line(1, Some(Mark::Taken), "w"),
            line(2, None, "head"),
            line(3, None, "one"),
            line(5, Some(Mark::Aside), ""),
            line(6, Some(Mark::Taken), "w"),
            line(7, None, "head"),
            line(9, Some(Mark::Part), "tw"),
            line(10, None, "o"),
        ];
        for cut in 0..=lines.len() {
            for second in 0..=lines.len() {
                let folder = tempfile::tempdir().expect("a folder");
                mirrored(folder.path(), &lines[..cut]);
                mirrored(folder.path(), &lines[..second.max(cut)]);
                let mut whole = mirrored(folder.path(), &lines);
                assert!(!whole.settle(0, &entries()[0]).expect("settled"), "{cut}, {second}");
                assert_eq!(text(folder.path()), "head\ntwo\n", "{cut}, {second}");
                assert_eq!(asides(folder.path()), ["head\none\n"], "{cut}, {second}");
                assert_eq!(whole.surplus(0, &entries()[0]).expect("read"), None);
            }
        }
    }

    #[test]
    fn what_the_folder_has_beyond_the_journal_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        mirrored(folder.path(), &[line(1, None, "head"), line(2, None, "one"), line(3, None, "two")]);
        fs::write(trace_path(folder.path(), ID), text(folder.path()) + "to").expect("written");
        let short = mirrored(folder.path(), &[line(7, None, "head")]);
        let surplus = short.surplus(0, &entries()[0]).expect("read");
        let records = vec![b"one".to_vec(), b"two".to_vec()];
        assert_eq!(surplus, Some(Surplus { id: ID.into(), last: 7, anew: false, records }));
    }

    /// A folder that was played on by itself while the server's workers went on: the server's is kept, the other put aside.
    #[test]
    fn where_both_say_different_things_the_journal_is_right() {
        let folder = tempfile::tempdir().expect("a folder");
        mirrored(folder.path(), &[line(1, None, "head"), line(2, None, "mine")]);
        let mut mirror = mirrored(folder.path(), &[line(1, None, "head"), line(2, None, "theirs")]);
        assert!(mirror.settle(0, &entries()[0]).expect("settled"));
        mirror.take(&line(3, None, "more")).expect("written");
        assert_eq!(text(folder.path()), "head\ntheirs\nmore\n");
        assert_eq!(asides(folder.path()), ["head\nmine\n"]);
    }

    /// An aborted episode that was played again by this folder itself: the journal is to follow it.
    #[test]
    fn what_the_folder_has_put_aside_the_journal_is_to_put_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = [line(1, None, "head"), line(2, None, "aborted")];
        mirrored(folder.path(), &old);
        move_aside(folder.path(), ID).expect("moved");
        fs::write(trace_path(folder.path(), ID), "head\nwon\n").expect("written");
        let mut mirror = mirrored(folder.path(), &old);
        assert!(!mirror.settle(0, &entries()[0]).expect("settled"));
        let surplus = mirror.surplus(0, &entries()[0]).expect("read").expect("something");
        assert_eq!((surplus.anew, surplus.records), (true, vec![b"head".to_vec(), b"won".to_vec()]));
        for line in [line(3, Some(Mark::Aside), ""), line(4, None, "head"), line(5, None, "won")] {
            mirror.take(&line).expect("written");
        }
        assert_eq!((text(folder.path()).as_str(), asides(folder.path()).len()), ("head\nwon\n", 1));
        assert_eq!(mirror.surplus(0, &entries()[0]).expect("read"), None);
    }
}
