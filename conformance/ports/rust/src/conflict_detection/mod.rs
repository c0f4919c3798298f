//! Conflict detection: whether a downloaded file version overwrites ours or conflicts with it.

mod action_steps;
mod conflict_files;
mod definitions;
mod deletion;
mod folder;
mod local_cache;
mod local_changes;
mod local_file;
mod old_design;
pub mod operations;
mod overwrite_and_conflict;
mod polling;
mod reading;
mod scenario;
mod snapshots;
mod version_dag;
mod version_maps;
