//! Which instructions only show something, and how many of the others there are. Knows kinds, not contents.

use super::super::code::{self, Code, Statement};
use super::super::literal::{Kind, Value};

/// Kinds of instructions that change nothing that the rules know of.
const SHOWS: [&str; 93] = [
    "text",
    "moveTextBox",
    "clearTextBox",
    "autoText",
    "scrollText",
    "comment",
    "_label",
    "setText",
    "tip",
    "tip2",
    "setBlockOpacity",
    "setBlockFilter",
    "turnBlock",
    "showFloorImg",
    "hideFloorImg",
    "showBgFgMap",
    "hideBgFgMap",
    "setBgFgBlock",
    "follow",
    "unfollow",
    "animate",
    "stopAnimate",
    "setViewport",
    "lockViewport",
    "moveViewport",
    "showImage",
    "showTextImage",
    "hideImage",
    "showGif",
    "hideGif",
    "moveImage",
    "rotateImage",
    "scaleImage",
    "animateImage",
    "setCurtain",
    "setFg",
    "screenFlash",
    "setWeather",
    "playBgm",
    "pauseBgm",
    "resumeBgm",
    "loadBgm",
    "freeBgm",
    "playSound",
    "stopSound",
    "setVolume",
    "setBgmSpeed",
    "setGlobalAttribute",
    "setNameMap",
    "setHeroIcon",
    "update",
    "updateEnemys",
    "showStatusBar",
    "hideStatusBar",
    "showHero",
    "hideHero",
    "setHeroOpacity",
    "vibrate",
    "sleep",
    "waitAsync",
    "stopAsync",
    "callBook",
    "callSave",
    "autoSave",
    "forbidSave",
    "callLoad",
    "previewUI",
    "clearMap",
    "fillText",
    "fillBoldText",
    "fillRect",
    "fillPolygon",
    "strokeRect",
    "strokePolygon",
    "fillEllipse",
    "strokeEllipse",
    "fillArc",
    "strokeArc",
    "drawLine",
    "drawArrow",
    "setAttribute",
    "setFilter",
    "drawImage",
    "drawIcon",
    "drawSelector",
    "drawBackground",
    "drawTextContent",
    "disableShop",
    "label",
    "viewMap",
    "showTextBox",
    "drawAnimate",
    "setToneTo",
];

/// Global values that only set a pace or a look.
const PACES: [&str; 6] =
    ["animateSpeed", "moveSpeed", "floorChangeTime", "statusCanvasRowsOnMobile", "statusCanvasRows", "lavaDamageShow"];

/// Whether an instruction, that holds no others, changes nothing that the rules know of.
pub fn only_shows(raw: &Value) -> bool {
    match raw.text_of("type") {
        None => true,
        Some("setGlobalValue") => raw.text_of("name").is_some_and(|name| PACES.contains(&name)),
        // Turning without a place to stand.
        Some("changePos") => raw.get("loc").is_none(),
        Some("wait") => raw.get("data").is_none_or(|data| data.items().is_empty()),
        Some("function") => raw.text_of("function").and_then(code::function_body).is_some_and(shows),
        Some(kind) => SHOWS.contains(&kind),
    }
}

/// Whether something in an event may change the state, or is not known.
pub fn acts(value: &Value) -> bool {
    changes(value) > 0 || holds_unknown(value)
}

fn holds_unknown(value: &Value) -> bool {
    match value.text_of("type") {
        Some("function") => is_unknown_function(value) && !only_shows(value),
        _ => value.items().iter().any(holds_unknown) || value.members().iter().any(|(_, member)| holds_unknown(member)),
    }
}

fn is_unknown_function(value: &Value) -> bool {
    value.text_of("function").and_then(code::function_body).is_some_and(is_unknown)
}

/// How many instructions in an event may change the state; what it inserts counts once.
pub fn changes(value: &Value) -> usize {
    if let Kind::List(items) = &value.kind {
        return items.iter().map(changes).sum();
    }
    if value.is_true("_disabled") {
        return 0;
    }
    let of = |keys: &[&str]| -> usize { keys.iter().filter_map(|key| value.get(key)).map(changes).sum() };
    match value.text_of("type") {
        None => of(&["data"]),
        Some("if") => of(&["true", "false"]),
        Some("confirm") => of(&["yes", "no"]),
        Some("while" | "dowhile" | "for" | "forEach") => of(&["data"]),
        Some("choices") => value.get("choices").map_or(0, |all| all.items().iter().map(in_action).sum()),
        Some("switch") => value.get("caseList").map_or(0, |all| all.items().iter().map(in_action).sum()),
        Some("break" | "continue") => 0,
        Some("function") if is_unknown_function(value) => 0,
        Some("openShop") => usize::from(value.get("open").is_none_or(Value::counts_as_true)),
        Some(_) => usize::from(!only_shows(value)),
    }
}

fn in_action(one: &Value) -> usize {
    one.get("action").map_or(0, changes)
}

/// Whether the code of a function only shows something, as far as its names say: see [`is_shown`].
pub fn shows(body: &str) -> bool {
    code::statements(body).is_ok_and(|statements| statements.iter().all(shows_statement))
}

fn shows_statement(statement: &Statement) -> bool {
    match statement {
        Statement::Do(Code::Call(function, _)) => function.path().is_some_and(|path| is_shown(&path)),
        Statement::Do(Code::Assign(target, ..)) => target.path().is_some_and(|path| is_about_flying(&path)),
        Statement::If(_, then, otherwise) => then.iter().chain(otherwise).all(shows_statement),
        Statement::Return => true,
        _ => false,
    }
}

/// Whether the code of a function consists of calls of the project's own code alone, beside what only shows something:
/// no file that is read says what they do.
pub fn is_unknown(body: &str) -> bool {
    code::statements(body).is_ok_and(|statements| statements.iter().all(is_unknown_statement))
}

fn is_unknown_statement(statement: &Statement) -> bool {
    match statement {
        Statement::Do(Code::Call(function, _)) => {
            function.path().is_some_and(|path| is_shown(&path) || !is_of_engine(&path))
        }
        Statement::Do(Code::Assign(target, ..)) => target.path().is_some_and(|path| is_about_flying(&path)),
        Statement::If(_, then, otherwise) => then.iter().chain(otherwise).all(is_unknown_statement),
        Statement::Return => true,
        _ => false,
    }
}

/// Whether a call is one of those of the engine that change the game's state, by its name.
fn is_of_engine(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    const NAMES: [&str; 36] = [
        "insertAction",
        "insertCommonEvent",
        "changeFloor",
        "battle",
        "closeDoor",
        "moveBlock",
        "jumpBlock",
        "win",
        "lose",
        "restart",
        "triggerDebuff",
        "loadEquip",
        "unloadEquip",
        "useItem",
        "getNextItem",
        "autoGetItem",
        "resetMap",
        "removeMaps",
        "deleteFloors",
        "resumeMaps",
        "turnHero",
        "moveHero",
        "moveAction",
        "jumpHero",
        "eventMoveHero",
        "openShop",
        "trigger",
        "doAction",
        "startGame",
        "loadData",
        "doSystemEvent",
        "moveDirectly",
        "openDoor",
        "startEvents",
        "moveEnemyOnPoint",
        "eval",
    ];
    let starts = ["set", "add", "remove", "get", "hide", "show", "reset"];
    let ends = ["Flag", "Item", "Status", "Block", "Loc", "Buff", "Enemy", "EnemyOnPoint", "Equip", "Global", "Floor"];
    NAMES.contains(&name)
        || name.contains("Block")
        || (starts.iter().any(|start| name.starts_with(start)) && ends.iter().any(|end| name.ends_with(end)))
}

/// Parts of the engine that calls may name beside its core.
const PARTS_OF_ENGINE: [&str; 11] =
    ["ui", "control", "maps", "events", "items", "enemys", "loader", "icons", "utils", "canvas", "dymCanvas"];

/// Whether a function is the engine's own, by its path: `core.drawTip`, `core.ui.drawTip`, `core.canvas.ui.fillRect`.
fn is_in_engine(path: &str) -> bool {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["core", _] => true,
        ["core", part, _] => PARTS_OF_ENGINE.contains(part),
        ["core", "canvas" | "dymCanvas", _, _] => true,
        _ => path == "console.log",
    }
}

/// Whether a function only shows something, by its name, and is the engine's own: what draws, fills, strokes, plays, pauses, clears or shows;
/// what saves; what keeps records beyond the game.
pub fn is_shown(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    const CHANGES: [&str; 4] = ["showBlock", "hideBlock", "showBlocks", "clearFlag"];
    const STARTS: [&str; 23] = [
        "draw",
        "fill",
        "stroke",
        "play",
        "pause",
        "resume",
        "clear",
        "show",
        "hide",
        "setAlpha",
        "setFont",
        "setOpacity",
        "setWeather",
        "setCurtain",
        "setVolume",
        "setHeroIcon",
        "createCanvas",
        "resizeCanvas",
        "vibrate",
        "screenFlash",
        "autosave",
        "update",
        "redraw",
    ];
    const PARTS: [&str; 5] = ["Achievement", "achievement", "Canvas", "Viewport", "Bgm"];
    is_in_engine(path)
        && !CHANGES.contains(&name)
        && !name.contains("Block")
        && (STARTS.iter().any(|start| name.starts_with(start))
            || PARTS.iter().any(|part| name.contains(part))
            || matches!(path, "console.log" | "core.stopSound" | "core.moveOneStep" | "core.removeFollowers"))
}

/// Whether a name says where the hero may fly, which the game does not know, or how fast something is shown.
pub fn is_about_flying(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    matches!(name, "canFlyTo" | "canFlyFrom" | "flyPoint" | "animateSpeed" | "moveSpeed")
        && (path.starts_with("core.status.") || path.starts_with("core.values.") || path.starts_with("core.floors."))
}
