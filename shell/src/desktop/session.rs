//! Runs the shell on a compositor: connects, starts what works beside the loop (records, file watching, commands, the portal), carries
//! their news into it, and ends it in order when the session ends.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use calloop::generic::{Generic, NoIoDrop};
use calloop::{Interest, Mode, PostAction, Readiness, channel};
use ede_engine::files;
use ede_engine::records::{Store, StoreOptions};

use super::feed::Records;
use super::library::{self, Library};
use super::preview::{Preview, PreviewOptions, Subject};
use super::reads::Reads;
use super::setup::{self, Look};
use super::shell::{News, Shell, Tell};
use super::snapshot::SnapshotFile;
use super::window_sizes::WindowSizes;
use crate::clock::SystemClock;
use crate::paths::Paths;
use crate::themes::Themes;
use crate::wayland::{PlatformError, Runtime, Session};
use crate::{installs, ipc, portal, signals, watch};

/// Why the shell did not start, or ended: one line for the person.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("{0}")]
    Setup(String),
    #[error(transparent)]
    Platform(#[from] PlatformError),
}

/// Run until the compositor goes, which is an error, or the shell is told to end.
pub fn run(paths: &Paths, mut library: Library) -> Result<(), SessionError> {
    let runtime = paths
        .runtime()
        .map_err(|e| SessionError::Setup(e.to_string()))?;
    let (sender, inbox) = channel::channel::<Message>();
    let tell: Tell = {
        let sender = sender.clone();
        Arc::new(move |news| drop(sender.send(Message::News(news))))
    };
    let store = Store::start(StoreOptions::new(paths.records(), Arc::new(SystemClock)).watched())
        .map_err(|e| {
        SessionError::Setup(format!("the records cannot be opened, {e}, try again"))
    })?;
    {
        let tell = tell.clone();
        store.listen(move |event| tell(News::Records(event.clone())));
    }
    store.tidy();
    let deliver = {
        let tell = tell.clone();
        Arc::new(move |arrived| tell(News::Arrived(arrived)))
    };
    let mut desk = setup::desk(
        &Look {
            themes: Themes::new(paths.themes()),
            ..Look::default()
        },
        Default::default(),
        Records::Live(store, deliver),
    )
    .map_err(SessionError::Setup)?;
    {
        let tell = tell.clone();
        let deliver = Arc::new(move |read| tell(News::Read(read)));
        desk.feed.reads = Some(Reads::new(paths.upstreams(), deliver));
    }
    {
        let tell = tell.clone();
        desk.res
            .text
            .set_waker(Arc::new(move || tell(News::Resources)));
    }
    {
        let tell = tell.clone();
        desk.load_pictures(paths.ui(), Arc::new(move || tell(News::Resources)));
    }
    library.look(&mut desk.docs, &mut desk.shelf);
    // In case an install was cut short.
    if let Some(store) = desk.feed.store() {
        library.packages().for_each(|app| store.move_all(app));
        finish_installs(paths, store, tell.clone());
    }
    desk.read_session();
    library.theme_read(desk.theme_mistake());
    let mut folders: Vec<PathBuf> = library.folders().map(Path::to_path_buf).to_vec();
    // The list of servers lies in it.
    folders.push(paths.config().to_path_buf());
    // Made so that a theme put there later is seen. Where nothing can be written, nothing will be.
    if std::fs::create_dir_all(paths.themes()).is_ok() {
        folders.push(paths.themes());
    }
    let sizes = WindowSizes::open(paths.data().join("windows.json"));
    let kept = runtime.join("instances.json");
    let file = SnapshotFile::new(kept.clone());
    let shell = Shell::new(desk, library, sizes, tell.clone()).resuming(file);
    let _socket = ipc::listen(runtime, move |asked| {
        drop(sender.send(Message::Asked(asked)))
    })
    .map_err(SessionError::Setup)?;
    let mut session = Session::from_env(shell)?;
    take_in(&mut session, inbox)?;
    end_on_signals(&mut session);
    // After the first frame: nothing of this is needed for it.
    library::list_in_launchers(paths);
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let files = tell.clone();
    if let Err(error) = watch::watch(&folders, move || files(News::Files)) {
        tracing::warn!("changed files are not seen: {error}");
    }
    portal::follow(move |scheme| tell(News::Scheme(scheme)));
    let ended = session.run();
    // The session ends with its compositor: the next one begins afresh.
    if matches!(ended, Err(PlatformError::Disconnected))
        && let Err(error) = files::remove(&kept)
    {
        tracing::warn!("{error}");
    }
    Ok(ended?)
}

/// Finish the installs that were cut short, beside the loop. Its folder is looked at again then.
fn finish_installs(paths: &Paths, store: &Store, tell: Tell) {
    let (paths, store) = (paths.clone(), store.clone());
    let finish = move || match installs::resume(&paths, &store) {
        Ok(resumed) if resumed.is_empty() => {}
        Ok(resumed) => {
            for one in &resumed {
                tracing::warn!("{one}");
            }
            tell(News::Files);
        }
        Err(error) => tracing::warn!("an install that was cut short is not finished: {error}"),
    };
    let begun = thread::Builder::new()
        .name("ede-installs".into())
        .spawn(finish);
    if let Err(error) = begun {
        tracing::warn!("installs that were cut short are not finished: {error}");
    }
}

/// Show a preview until its window closes.
pub fn preview(subject: Subject, options: PreviewOptions) -> Result<(), SessionError> {
    let (sender, inbox) = channel::channel::<Message>();
    let tell: Tell = Arc::new(move |news| drop(sender.send(Message::News(news))));
    let look = Look {
        dark: options.dark,
        ..Look::default()
    };
    let mut desk =
        setup::desk(&look, Default::default(), Records::Empty).map_err(SessionError::Setup)?;
    if let Some(who) = &options.who {
        desk.feed.who = who.clone();
    }
    let fonts = tell.clone();
    desk.res
        .text
        .set_waker(Arc::new(move || fonts(News::Resources)));
    let folder = match &subject {
        Subject::Gallery => None,
        Subject::File(path) => Some(
            path.parent()
                .filter(|p| !p.as_os_str().is_empty())
                .unwrap_or(Path::new("."))
                .to_path_buf(),
        ),
    };
    let preview = Preview::new(subject, options, desk.style.clone());
    let shell =
        Shell::new(desk, Library::empty(), WindowSizes::default(), tell.clone()).preview(preview);
    let mut session = Session::from_env(shell)?;
    take_in(&mut session, inbox)?;
    if let Some(folder) = folder
        && let Err(error) = watch::watch(&[&folder], move || tell(News::Files))
    {
        tracing::warn!("changes of the file are not seen: {error}");
    }
    Ok(session.run()?)
}

/// End in order when the session does.
fn end_on_signals(session: &mut Session) {
    let caught = signals::ending().map_err(|e| e.to_string());
    let watched = caught.and_then(|told| {
        let mut inserted = Ok(());
        session.with(|_: &mut Shell, platform| {
            let source = Generic::new(told, Interest::READ, Mode::Edge);
            let end = |_: Readiness, _: &mut NoIoDrop<UnixStream>, runtime: &mut Runtime| {
                runtime.with(|_: &mut Shell, platform| platform.quit());
                Ok(PostAction::Remove)
            };
            let added = platform.handle().insert_source(source, end);
            inserted = added.map(drop).map_err(|e| e.to_string());
        });
        inserted
    });
    if let Err(error) = watched {
        tracing::warn!("the end of the session is not seen: {error}");
    }
}

/// Carry what comes over the channel into the loop.
fn take_in(session: &mut Session, inbox: channel::Channel<Message>) -> Result<(), SessionError> {
    let mut handle = None;
    session.with(|_: &mut Shell, platform| handle = Some(platform.handle()));
    let Some(handle) = handle else { return Ok(()) };
    let inserted = handle.insert_source(inbox, |event, (), runtime| {
        let channel::Event::Msg(message) = event else {
            return;
        };
        runtime.with(|shell: &mut Shell, platform| match message {
            Message::News(news) => shell.news(platform, news),
            Message::Asked(asked) => shell.asked(platform, asked.command, asked.answer),
        });
    });
    inserted
        .map(drop)
        .map_err(|e| SessionError::Setup(format!("the loop takes no news, {e}, try again")))
}

enum Message {
    News(News),
    Asked(ipc::Asked),
}
