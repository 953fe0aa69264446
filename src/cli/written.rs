//! What was written, in a few lines: the files of a folder share one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files by folder, each line indented; paths are shown from `root` on if they lie there.
pub fn lines(files: &[PathBuf], root: &Path) -> String {
    let mut folders: Vec<(&Path, Vec<&PathBuf>)> = Vec::new();
    for file in files {
        let folder = file.parent().unwrap_or(Path::new(""));
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, held)) => held.push(file),
            None => folders.push((folder, vec![file])),
        }
    }
    folders.into_iter().map(|(folder, held)| line(folder.strip_prefix(root).unwrap_or(folder), &held)).collect()
}

/// Files of a folder up to which each has a line of its own.
const MOST_ALONE: usize = 2;

fn line(folder: &Path, files: &[&PathBuf]) -> String {
    if files.len() <= MOST_ALONE {
        let name = |file: &&PathBuf| folder.join(file.file_name().unwrap_or_default()).display().to_string();
        return files.iter().map(|file| format!("  {}\n", name(file))).collect();
    }
    let extensions: BTreeSet<String> =
        files.iter().filter_map(|file| Some(file.extension()?.to_string_lossy().into_owned())).collect();
    let extensions: Vec<String> = extensions.into_iter().collect();
    let extensions = match extensions.as_slice() {
        [one] => one.clone(),
        several => format!("{{{}}}", several.join(",")),
    };
    format!("  {}  ({} files)\n", folder.join(format!("*.{extensions}")).display(), files.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_a_line() {
        let files: Vec<PathBuf> =
            ["r/index.html", "r/tables/a.csv", "r/tables/a.md", "r/tables/b.csv", "r/plots/x.svg", "r/plots/x.png"]
                .map(PathBuf::from)
                .into();
        insta::assert_snapshot!(lines(&files, Path::new("r")), @"
        index.html
        tables/*.{csv,md}  (3 files)
        plots/x.svg
        plots/x.png
        ");
    }
}
