/**
 * The systems that this port implements, and the readings of each; the first is the default.
 */
import { OPERATIONS as CONFIG_MERGE } from './config-merge/operations.js';

export const SYSTEMS = [
  { name: 'config-merge', readings: ['document', 'libsession'], operations: CONFIG_MERGE },
];
