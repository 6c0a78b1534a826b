//! A batch tried write by write: what the records that are there have against each. Nothing of it stays.

use rusqlite::TransactionBehavior;

use super::apply::{Stop, apply, begin, refers_whole};
use super::model::Batch;
use super::store::{Pending, Store};

impl Store {
    /// The writes of `batch` that would be refused, by their places in it, each with why. One that refers to another one finds it where that
    /// comes before. Makes no database where there is none: then nothing is held against anything.
    pub fn rehearse(&self, batch: Batch) -> Pending<Vec<(usize, String)>> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(Vec::new());
            }
            let zone = database.zone();
            database.write(|connection, now, ids| {
                let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let action = begin(&tx, &batch, now)?;
                let mut refused = Vec::new();
                for (position, write) in batch.writes.iter().enumerate() {
                    // What is refused has written nothing.
                    let at = (action, position);
                    match apply(&tx, &batch, write, (now, &zone), ids, at) {
                        Ok((id, before)) => {
                            if let Err(stop) = refers_whole(&tx, &batch, write, &id, before) {
                                refused.push((position, refusal(stop)?));
                            }
                        }
                        Err(stop) => refused.push((position, refusal(stop)?)),
                    }
                }
                Ok(refused)
            })
        })
    }
}

/// Why a write was refused; anything else ends the rehearsal.
fn refusal(stop: Stop) -> Result<String, Stop> {
    match stop {
        Stop::Refused(why) => Ok(why),
        other => Err(other),
    }
}
