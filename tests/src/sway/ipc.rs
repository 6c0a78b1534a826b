//! sway's own channel: commands and questions, as `swaymsg` sends them.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use serde_json::Value;

use super::Sway;

const MAGIC: &[u8] = b"i3-ipc";

/// What can be asked.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    Workspaces = 1,
    Outputs = 3,
    Tree = 4,
    Version = 7,
    Inputs = 100,
    Seats = 101,
}

impl Sway {
    /// Run a sway command, such as `workspace 2` or `[app_id="ede"] floating enable`.
    ///
    /// # Panics
    /// When sway refuses it. (sway 1.7 headless says yes to `output … disable` and does nothing.)
    pub fn run(&self, command: &str) {
        let answer = self.message(0, command);
        let done = answer
            .as_array()
            .is_some_and(|steps| steps.iter().all(|step| step["success"] == true));
        assert!(done, "sway refuses {command:?}: {answer}");
    }

    /// Ask sway something; the answer is its JSON.
    ///
    /// # Panics
    /// When sway is gone.
    pub fn ask(&self, question: Question) -> Value {
        self.message(question as u32, "")
    }

    /// The windows of the tree that have this application id.
    pub fn windows(&self, app_id: &str) -> Vec<Value> {
        let (mut found, mut open) = (Vec::new(), vec![self.ask(Question::Tree)]);
        while let Some(node) = open.pop() {
            if node["app_id"] == app_id {
                found.push(node.clone());
            }
            for children in ["nodes", "floating_nodes"] {
                open.extend(node[children].as_array().into_iter().flatten().cloned());
            }
        }
        found
    }

    fn message(&self, kind: u32, payload: &str) -> Value {
        let answer = self.exchange(kind, payload);
        answer.unwrap_or_else(|error| panic!("no answer from sway: {error}\n{}", self.said()))
    }

    fn exchange(&self, kind: u32, payload: &str) -> io::Result<Value> {
        let mut socket = UnixStream::connect(&self.ipc)?;
        let mut message = MAGIC.to_vec();
        message.extend((payload.len() as u32).to_ne_bytes());
        message.extend(kind.to_ne_bytes());
        message.extend(payload.as_bytes());
        socket.write_all(&message)?;
        let mut header = [0; 14];
        socket.read_exact(&mut header)?;
        let mut length = [0; 4];
        length.copy_from_slice(&header[6..10]);
        let mut answer = vec![0; u32::from_ne_bytes(length) as usize];
        socket.read_exact(&mut answer)?;
        Ok(serde_json::from_slice(&answer)?)
    }
}
