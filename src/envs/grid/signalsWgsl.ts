import type { SignalsWgsl } from '../../contract/signals.ts';
import mapTableWgsl from '../mapTable.wgsl?raw';
import stateTableWgsl from '../stateTable.wgsl?raw';
import cover from './cover.wgsl?raw';
import own from './signals.wgsl?raw';

/** The functions of signals.ts in WGSL. */
export const signalsWgsl: SignalsWgsl = { tell: `${stateTableWgsl}\n${mapTableWgsl}\n${own}`, cover };
