/**
 * The two readings of conflict detection: one field for each choice that the errata name.
 *
 * @typedef {object} Reading
 * @property {boolean} everyEntryLarger          CD-E01: to follow, all entries are larger
 * @property {boolean} staleIsConflict           CD-E02, CD-E04
 * @property {boolean} equalMapIsConflict        CD-E39: an equal map does not strictly follow
 * @property {boolean} resolutionCopiesOwnEntry  CD-E03: of the other client, not its whole map
 * @property {boolean} missingEntryIsZero        CD-E05
 * @property {boolean} ownEntryOfZero            CD-E05: one is made up after an overwrite
 * @property {boolean} mapConflictsStay          CD-E06: until the user removes them
 * @property {boolean} conflictFilePerVersion    CD-E08: in the design of snapshots
 */

/** @type {Record<string, Reading>} */
export const READINGS = Object.freeze({
  repaired: Object.freeze({
    everyEntryLarger: false,
    staleIsConflict: false,
    equalMapIsConflict: false,
    resolutionCopiesOwnEntry: false,
    missingEntryIsZero: true,
    ownEntryOfZero: false,
    mapConflictsStay: false,
    conflictFilePerVersion: false,
  }),
  literal: Object.freeze({
    everyEntryLarger: true,
    staleIsConflict: true,
    equalMapIsConflict: true,
    resolutionCopiesOwnEntry: true,
    missingEntryIsZero: false,
    ownEntryOfZero: true,
    mapConflictsStay: true,
    conflictFilePerVersion: true,
  }),
});
