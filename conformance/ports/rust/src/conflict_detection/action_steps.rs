//! The steps of polls and uploads, for those who want to see them. Section "The steps of a scenario".

use super::definitions::Classification;
use super::folder::{Folder, Version};
use super::snapshots::Capability;
use crate::json::Text;

/// One step (CD-STEPS-TYPES).
pub enum Step {
    /// A client looks at a path of another one: who, at whom, the path, and what is linked.
    Look(Text, Text, Text, Option<Version>),
    /// The snapshots that were fetched, and the clause that says which.
    Fetch(Vec<Capability>, &'static str),
    /// The classification, and whether the client has no version.
    Classify(Classification, bool),
    /// An overwrite becomes a conflict: because of a local change, or of a blocked name.
    Reclassify(bool),
    Overwrite(Option<Vec<u8>>),
    Hold(Option<Vec<u8>>),
    DropLink,
    Upload(Upload),
}

/// Who uploads a version of which path, what it follows, and its content.
pub struct Upload {
    pub client: Text,
    pub path: Text,
    pub follows: Vec<Version>,
    pub resolves: bool,
    pub content: Option<Vec<u8>>,
}

impl Step {
    /// The name of the step, and the clause that it follows.
    pub fn name(&self) -> (&'static str, &'static str) {
        match self {
            Step::Look(_, _, _, None) => ("look", "CD-POLL-NOTHING"),
            Step::Look(..) => ("look", "CD-POLL-SUBSCRIBED"),
            Step::Fetch(_, clause) => ("fetch", clause),
            Step::Classify(_, true) => ("classify", "CD-CLASSIFY-FIRST"),
            Step::Classify(Classification::Overwrite, _) => ("classify", "CD-CLASSIFY-OVERWRITE"),
            Step::Classify(Classification::Conflict, _) => ("classify", "CD-CLASSIFY-CONFLICT"),
            Step::Classify(Classification::Stale, _) => ("classify", "CD-CLASSIFY-STALE"),
            Step::Classify(Classification::Same, _) => ("classify", "CD-CLASSIFY-SAME"),
            Step::Reclassify(true) => ("reclassify", "CD-OVERWRITE-UNSAVED"),
            Step::Reclassify(false) => ("reclassify", "CD-PATH-BLOCKED"),
            Step::Overwrite(_) => ("overwrite", "CD-OVERWRITE-APPLY"),
            Step::Hold(_) => ("hold", "CD-CONFLICT-APPLY"),
            Step::DropLink => ("drop-link", "CD-DELETE-DROP-LINK"),
            Step::Upload(upload) if upload.resolves => ("upload", "CD-RESOLVE-PARENTS"),
            Step::Upload(upload) => match upload.content {
                None => ("upload", "CD-DELETE-SNAPSHOT"),
                Some(_) => ("upload", "CD-SNAPSHOT-EDIT"),
            },
        }
    }
}

impl Folder {
    /// Note a step, if steps are wanted.
    pub fn note(&mut self, step: impl FnOnce() -> Step) {
        if let Some(steps) = &mut self.steps {
            steps.push(step());
        }
    }
}
