import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { bound, grammarWords, pathOf } from '../../commandWorld.ts';
import { kernels } from '../../kernels.ts';

/** Of the trajectories whose last step falls into the turn, row i of x becomes row i of y. */
export function turnLast(
  { S, B, maxRows, n }: { S: number; B: number; maxRows: number; n: number },
  turns: Uint32Array,
  length: Uint32Array,
  x: Float32Array,
  before: Float32Array,
): Float32Array {
  const y = before.slice();
  for (let row = 0; row < S * B; row++) {
    const last = length[row]! - 1;
    if (last < turns[2 * row]! || last >= turns[2 * row + 1]!) continue;
    const at = (Math.floor(row / B) * maxRows + (row % B)) * n;
    y.set(x.subarray(at, at + n), row * n);
  }
  return y;
}

/** Units of the steps that were played in the turn, added to those of the version of each replica. Length 0 has not ended. */
export function turnUnits(
  { S, B, T, versions }: { S: number; B: number; T: number; versions: number },
  turns: Uint32Array,
  length: Uint32Array,
  unitsOf: (step: number) => number,
  before: Uint32Array,
): Uint32Array {
  const played = before.slice();
  for (let row = 0; row < S * B; row++) {
    const s = Math.floor(row / B);
    const end = Math.min(turns[2 * row + 1]!, length[row]! || T);
    for (let t = turns[2 * row]!; t < end; t++) played[s * versions + turns[2 * S * B + s]!]! += unitsOf(row * T + t);
  }
  return played;
}

/** Spans of which some are empty, then the place of the version of each replica. */
function spans(seed: number, S: number, B: number, T: number, versions: number): Uint32Array {
  const [a, b] = [wholes(seed, S * B, T + 1), wholes(seed + 1, S * B, T + 1)];
  const rows = Array.from(a, (x, row) => [Math.min(x, b[row]!), Math.max(x, b[row]!)]).flat();
  return Uint32Array.from([...rows, ...wholes(seed + 2, S, versions)]);
}

const shapes = [
  [1, 1, 1, 1],
  [2, 64, 3, 2],
  [3, 65, 5, 4],
] as const;

const keeping = shapes.map(([S, B, T, n], k): Case => {
  const maxRows = B + k;
  const turns = spans(k, S, B, T, 2);
  const length = wholes(k + 3, S * B, T + 1);
  const x = numbers(k + 4, S * maxRows * n);
  const y = untouched(S * B * n);
  return {
    name: `turnLast ${S}×${B}×${n}`,
    kernel: kernels.turnLast,
    dims: { B, maxRows, n },
    groups: [Math.ceil(B / 64), 1, S],
    buffers: { turns, length, x, y },
    expected: { y: turnLast({ S, B, maxRows, n }, turns, length, x, y) },
    tolerance: { abs: 0, rel: 0 },
  };
});

const counting = shapes.flatMap(([S, B, T, versions], k): Case[] => {
  const turns = spans(k, S, B, T, versions);
  const length = wholes(k + 3, S * B, T + 1);
  const commands = wholes(k + 4, S * B * T, 99).map((c) => bound.commands[c % bound.commands.length]!);
  const played = wholes(k + 5, S * versions, 9);
  const common = {
    groups: [1, 1, S] as const,
    dims: { S, B, T, versions, J: bound.prefixes.length, masked: 1, decisions: 2 },
  };
  const of = (unitsOf: (step: number) => number) => ({
    played: turnUnits({ S, B, T, versions }, turns, length, unitsOf, played),
  });
  return [
    {
      name: `turnUnits of steps ${S}×${B}×${T}`,
      kernel: kernels.turnSteps,
      ...common,
      buffers: { turns, length, played },
      expected: of(() => 1),
    },
    {
      name: `turnUnits of words ${S}×${B}×${T}`,
      kernel: kernels.turnWords,
      ...common,
      buffers: { turns, length, grammar: grammarWords(bound), commands, played },
      expected: of((step) => pathOf(bound, commands[step]!).length),
    },
  ];
});

export const cases: readonly Case[] = [...keeping, ...counting];
