/**
 * The systems that this port implements, and the readings of each; the first is the default.
 */
import { OPERATIONS as CONFIG_MERGE } from './config-merge/operations.js';
import { OPERATIONS as CONFLICT_DETECTION } from './conflict-detection/operations.js';
import { OPERATIONS as HISTORY_MERGE } from './history-merge/operations.js';

export const SYSTEMS = [
  { name: 'config-merge', readings: ['document', 'libsession'], operations: CONFIG_MERGE },
  {
    name: 'history-merge',
    readings: ['document', 'additions-cancel', 'removals-cancel', 'symmetric-difference'],
    operations: HISTORY_MERGE,
  },
  { name: 'conflict-detection', readings: ['repaired', 'literal'], operations: CONFLICT_DETECTION },
];
