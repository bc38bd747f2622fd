import { wholes, type Case } from '../../../conformance.ts';
import type { Tree } from '../../../../contract/units.ts';
import { bound, free, grammarWords, pathOf } from '../../commandWorld.ts';
import { commandKernels } from '../../commandKernels.ts';

/** Decisions of every trajectory. */
export function commandUnits(g: Tree, T: number, length: Uint32Array, commands: Uint32Array): Uint32Array {
  return length.map((n, row) => {
    let count = 0;
    for (let t = 0; t < n; t++) count += pathOf(g, commands[row * T + t]!).length;
    return count;
  });
}

export const cases: readonly Case[] = (
  [
    [bound, 1, 1],
    [bound, 64, 3],
    [free, 65, 2],
  ] as const
).map(([g, rows, T], seed): Case => {
  const length = wholes(seed, rows, T + 1);
  const picks = wholes(seed + 1, rows * T, 99);
  // written commands; without the mask also words that are none
  const commands = picks.map((k, at) =>
    !g.masked && k % 3 === 0 ? 2 : at % T < length[Math.floor(at / T)]! ? g.commands[k % g.commands.length]! : 777,
  );
  return {
    name: `commandUnits of ${rows}×${T}`,
    kernel: commandKernels.commandUnits,
    dims: { rows, T, J: g.prefixes.length, masked: g.masked ? 1 : 0, decisions: g.decisions },
    groups: [Math.ceil(rows / 64)],
    buffers: { grammar: grammarWords(g), length, commands, units: new Uint32Array(rows).fill(777) },
    expected: { units: commandUnits(g, T, length, commands) },
  };
});
