import { signalSteps, TOLD, TOLD_WORDS, type SignalRule, type ToldRows } from '../../../../contract/signalSteps.ts';
import { signalNames, type SignalName, type Signals } from '../../../../contract/signals.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { signalDims, signalLength } from '../../../signalDims.ts';
import { kernels } from '../../kernels.ts';

/** What a world could have told: few keys, so that states come again; flags of any kind. */
function toldRows(seed: number, rows: number, T: number, actions: number): ToldRows {
  const entries = rows * (T + 1);
  const told = new Uint32Array(entries * TOLD_WORDS);
  const floats = new Float32Array(told.buffer);
  const reached = wholes(seed, entries, 4);
  const real = numbers(seed + 1, 3 * entries);
  const keys = wholes(seed + 2, entries, 5);
  const flags = wholes(seed + 3, entries, 512);
  for (let k = 0; k < entries; k++) {
    const at = k * TOLD_WORDS;
    told[at + TOLD.reached] = reached[k]!;
    for (let w = 0; w < 3; w++) floats[at + TOLD.completion + w] = real[3 * k + w]!;
    told[at + TOLD.lost] = keys[k] === 4 ? 1 : 0;
    told.set([keys[k]! & 1, keys[k]! >> 1], at + TOLD.high);
    told[at + TOLD.flags] = (3 << 24) | flags[k]!;
  }
  return {
    ...{ T, told, length: wholes(seed + 4, rows, T).map((n) => n + 1), success: wholes(seed + 5, rows, 2) },
    ...{ action: wholes(seed + 6, rows * T, actions), stateKey: wholes(seed + 7, 2 * rows * T, 2) },
  };
}

const RULES: readonly SignalRule[] = [
  { of: 'distance', milestone: 'progress', wastes: 'none', effort: 'refusals', own: 0 },
  { of: 'milestone', milestone: 'completion', wastes: 'push', effort: 'pushes', own: 2 },
  { of: 'milestone', milestone: 'progress', wastes: 'idle', effort: 'steps', own: 0 },
  { of: 'value', milestone: 'completion', wastes: 'idle', effort: 'steps', own: 1 },
];

function caseOf(seed: number, rows: number, T: number, wanted: readonly SignalName[]): Case {
  const rule = RULES[seed % RULES.length]!;
  const given = toldRows(10 * seed, rows, T, Math.max(2, 6 * rule.own));
  const places: Partial<Record<SignalName, number>> = {};
  let size = 0;
  for (const name of wanted) {
    places[name] = size;
    size += signalLength(name, rows, T);
  }
  const out = new Float32Array(size);
  const into: Record<string, Float32Array> = {};
  for (const name of wanted) into[name] = out.subarray(places[name], places[name]! + signalLength(name, rows, T));
  signalSteps(given, rule, into as Signals);
  const ending = Uint32Array.from({ length: 4 * rows }, (_, k) => (k % 4 === 0 ? given.success[k / 4]! : 7));
  return {
    name: `signals of ${rows}×${T}, ${rule.of}, ${wanted.length} wanted`,
    kernel: kernels.signalSteps,
    dims: signalDims(rows, T, rule, places),
    groups: [Math.ceil((rows * (T + 1)) / 64)],
    buffers: {
      ...{ told: given.told, key: given.stateKey, action: given.action, length: given.length },
      ...{ ending, out: untouched(size) },
    },
    expected: { out },
    // a division may be off by 2.5 units in the last place of a share, which is at most 1; its half again
    tolerance: { abs: 3e-7, rel: 0 },
  };
}

export const cases: readonly Case[] = [
  caseOf(0, 1, 1, signalNames),
  caseOf(1, 5, 12, signalNames),
  caseOf(2, 64, 1, signalNames),
  caseOf(3, 9, 7, ['phi', 'novel', 'outcomeScore']),
  caseOf(4, 33, 3, ['repeat', 'milestoneStep']),
];
