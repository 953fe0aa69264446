//! The solver's parts on the fixed floors: `cargo bench`.

use std::path::Path;

use mota::game::{Game, ItemMode};
use mota::solver::Values;
use mota::solver::exact::{Request, solve};
use mota::solver::published::{self, Options, Version};
use mota::solver::search::Watch;

fn main() {
    divan::main();
}

fn game(name: &str) -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors").join(format!("{name}.toml"));
    Game::new(mota::format::read_tower(&path).expect("a floor"), ItemMode::Auto).expect("a valid floor")
}

#[divan::bench(args = ["simple", "hand03", "complex"])]
fn exact(bencher: divan::Bencher, name: &str) {
    let game = game(name);
    let mut tell = |_: &_| {};
    bencher.bench_local(|| {
        let mut watch = Watch { stop: &|| false, tell: &mut tell };
        solve(&game, &Request::default(), &mut watch)
    });
}

#[divan::bench(args = ["simple", "hand03", "complex"])]
fn all_values(bencher: divan::Bencher, name: &str) {
    let game = game(name);
    bencher.bench_local(|| Values::new(&game, 1 << 30));
}

#[divan::bench(args = ["simple", "hand03", "complex"])]
fn one_value(bencher: divan::Bencher, name: &str) {
    let game = game(name);
    let values = Values::new(&game, 1 << 30).expect("values");
    let start = game.start().expect("a start");
    bencher.bench_local(|| values.of(&start));
}

#[divan::bench(args = ["simple", "hand03"])]
fn corrected(bencher: divan::Bencher, name: &str) {
    let game = game(name);
    bencher.bench_local(|| published::search(game.tower(), &Options::new(Version::Corrected)));
}
