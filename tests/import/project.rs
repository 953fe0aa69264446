//! A copy of a fixture that a test may change.

use std::fs;
use std::path::{Path, PathBuf};

use mota::format::h5mota::{Import, ImportError, Options, import};

/// Where a fixture lies.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// What is imported of a fixture.
pub fn imported(name: &str, options: &Options) -> Import {
    import(&fixture(name), options).expect("the fixture is imported")
}

/// The files of a fixture, by their path within it.
pub fn files(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let root = fixture(name);
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.strip_prefix(&root).unwrap().to_owned(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Imports a fixture after its files were changed.
pub fn changed(name: &str, change: impl Fn(&Path, Vec<u8>) -> Vec<u8>) -> Result<Import, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files(name) {
        let to = folder.path().join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, change(&path, bytes)).unwrap();
    }
    let done = import(folder.path(), &Options::default());
    folder.close().unwrap();
    done
}

/// Imports a fixture after a text in one of its files was replaced; the text must be there.
pub fn replaced(name: &str, file: &str, from: &str, to: &str) -> Result<Import, ImportError> {
    let (_, bytes) = files(name).into_iter().find(|(path, _)| path.ends_with(file)).unwrap();
    let mut text = String::from_utf8(bytes).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    text = text.replace(from, to);
    changed(name, |path, bytes| if path.ends_with(file) { text.clone().into_bytes() } else { bytes })
}
