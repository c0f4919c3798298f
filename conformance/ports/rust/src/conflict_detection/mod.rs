//! Conflict detection: whether a downloaded file version overwrites ours or conflicts with it.

mod action_steps;
pub mod conflict_files;
pub mod definitions;
mod deletion;
pub mod folder;
mod local_cache;
mod local_changes;
pub mod local_file;
mod old_design;
pub mod operations;
pub mod overwrite_and_conflict;
mod polling;
pub mod reading;
pub mod scenario;
pub mod snapshots;
pub mod version_dag;
mod version_maps;
