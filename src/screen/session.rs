//! A terminal taken over for a screen, and given back on every way out: the end, an error, a panic, a signal.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;

/// What is drawn and what keys do to it.
pub trait Screen {
    /// Draws all of it.
    fn draw(&mut self, area: Rect, buffer: &mut Buffer);

    /// Does what a key says.
    ///
    /// # Errors
    /// Why the screen must be closed.
    fn press(&mut self, key: KeyEvent) -> Result<Then, Box<dyn std::error::Error>>;

    /// Looks for what is done beside the screen; says whether it must be drawn again.
    ///
    /// # Errors
    /// Why the screen must be closed.
    fn look(&mut self) -> Result<bool, Box<dyn std::error::Error>> {
        Ok(false)
    }
}

/// Whether a screen stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It stays.
    Stay,
    /// It is closed.
    Quit,
}

/// How a screen was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// By its own key.
    Quit,
    /// By Ctrl-C or a signal.
    Interrupted,
}

/// How often it is looked for signals and for what is done beside the screen.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long a screen may take to close after a signal before the program ends in any case; what was decided is on the disk.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(2);
/// The exit code of a program that was interrupted.
#[cfg(unix)]
const INTERRUPTED: i32 = 130;

/// Shows a screen until it is closed.
///
/// # Errors
/// What the terminal or the screen says.
pub fn run(screen: &mut dyn Screen) -> Result<Closed, Box<dyn std::error::Error>> {
    let signalled = signals();
    let mut session = Session::open()?;
    let mut stale = true;
    loop {
        stale |= screen.look()?;
        if stale {
            session.terminal.draw(|frame| {
                let area = frame.area();
                screen.draw(area, frame.buffer_mut());
            })?;
        }
        stale = false;
        // Everything that was typed meanwhile is done before it is drawn again.
        let mut patience = LOOK_EVERY;
        while event::poll(patience)? {
            patience = Duration::ZERO;
            stale = true;
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Release => {}
                Event::Key(key) if is_ctrl_c(key) => return Ok(Closed::Interrupted),
                Event::Key(key) if screen.press(key)? == Then::Quit => return Ok(Closed::Quit),
                _ => {}
            }
        }
        if signalled.load(Ordering::Relaxed) {
            return Ok(Closed::Interrupted);
        }
    }
}

fn is_ctrl_c(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// The terminal while it is taken over.
struct Session {
    terminal: DefaultTerminal,
}

impl Session {
    fn open() -> io::Result<Self> {
        // A panic gives the terminal back by a hook that this installs, before its message is printed.
        let terminal = ratatui::try_init().inspect_err(|_| give_back())?;
        Ok(Session { terminal })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A terminal that has gone away wants nothing back.
        let _ = self.terminal.show_cursor();
        give_back();
    }
}

fn give_back() {
    let _ = ratatui::try_restore();
}

/// Turns true when the program is asked to end from outside.
fn signals() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let told = flag.clone();
    // Without a runtime a signal ends the program, as it does by itself.
    if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
        std::thread::spawn(move || runtime.block_on(told_of_signals(&told)));
    }
    flag
}

#[cfg(unix)]
async fn told_of_signals(told: &AtomicBool) {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) else { return };
    tokio::select! {
        _ = interrupt.recv() => {},
        _ = terminate.recv() => {},
        _ = hangup.recv() => {},
        () = terminal_gone() => {},
    }
    told.store(true, Ordering::Relaxed);
    // Where the terminal has gone away, whoever reads from it may never look up again.
    tokio::time::sleep(PATIENCE).await;
    give_back();
    std::process::exit(INTERRUPTED);
}

/// Waits until there is no terminal any more to read from: its window is closed, the connection is lost.
#[cfg(unix)]
async fn terminal_gone() {
    use std::io::IsTerminal;
    while io::stdin().is_terminal() {
        tokio::time::sleep(10 * LOOK_EVERY).await;
    }
}

#[cfg(not(unix))]
async fn told_of_signals(told: &AtomicBool) {
    while tokio::signal::ctrl_c().await.is_ok() {
        told.store(true, Ordering::Relaxed);
    }
}
