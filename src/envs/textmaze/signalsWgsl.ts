import mapTableWgsl from '../mapTable.wgsl?raw';
import stateTableWgsl from '../stateTable.wgsl?raw';
import own from './signals.wgsl?raw';

/** The functions of signals.ts in WGSL. */
export const signalsWgsl = `${stateTableWgsl}\n${mapTableWgsl}\n${own}`;
