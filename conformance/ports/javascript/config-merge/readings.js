/**
 * The two readings of config merge: one field for each choice that the errata name.
 *
 * @typedef {object} Reading
 * @property {boolean} replayCutoff              CM-E02
 * @property {boolean} missingSetTargetErases    CM-E04
 * @property {boolean} missingDictTargetErases   CM-E05
 * @property {boolean} pruneAfterEachEntry       CM-E07
 * @property {boolean} setDiffOverlapAllowed     CM-E10
 * @property {boolean} mergeKeepsUnknownKeys     CM-E11
 * @property {boolean} requireDiffFields         CM-E12
 * @property {boolean} enforceLimits             CM-E13
 * @property {boolean} strictEncoding            CM-E14
 * @property {boolean} checkExpiredRows          CM-E15
 * @property {boolean} negativeRowSeqnosAllowed  CM-E66
 * @property {boolean} checkLoneElements         CM-E67
 * @property {boolean} signatureKeyPaddingSigned CM-E68
 * @property {boolean} headFormByPlace           CM-E69
 * @property {boolean} unpushedMergeAdded        CM-E72
 * @property {boolean} nonceDomainSeparated      CM-E19
 * @property {boolean} removalReplacesOtherKind  CM-E21
 * @property {boolean} firstMessageLagsZero      CM-E37
 * @property {boolean} emptyNestedDiffsAllowed   CM-E39
 */

/** @type {Record<string, Reading>} */
export const READINGS = Object.freeze({
  document: Object.freeze({
    replayCutoff: true,
    missingSetTargetErases: false,
    missingDictTargetErases: false,
    pruneAfterEachEntry: true,
    setDiffOverlapAllowed: false,
    mergeKeepsUnknownKeys: true,
    requireDiffFields: true,
    enforceLimits: true,
    strictEncoding: true,
    checkExpiredRows: true,
    negativeRowSeqnosAllowed: false,
    checkLoneElements: true,
    signatureKeyPaddingSigned: false,
    headFormByPlace: false,
    unpushedMergeAdded: false,
    nonceDomainSeparated: false,
    removalReplacesOtherKind: false,
    firstMessageLagsZero: false,
    emptyNestedDiffsAllowed: false,
  }),
  libsession: Object.freeze({
    replayCutoff: false,
    missingSetTargetErases: true,
    missingDictTargetErases: true,
    pruneAfterEachEntry: false,
    setDiffOverlapAllowed: true,
    mergeKeepsUnknownKeys: false,
    requireDiffFields: false,
    enforceLimits: false,
    strictEncoding: false,
    checkExpiredRows: false,
    negativeRowSeqnosAllowed: true,
    checkLoneElements: false,
    signatureKeyPaddingSigned: true,
    headFormByPlace: true,
    unpushedMergeAdded: true,
    nonceDomainSeparated: true,
    removalReplacesOtherKind: true,
    firstMessageLagsZero: true,
    emptyNestedDiffsAllowed: true,
  }),
});
