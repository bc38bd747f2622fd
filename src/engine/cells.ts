import { cellsSeen, writeCells } from '../envs/perturb/sight.ts';
import { assert } from '../core/assert.ts';
import type { Plan } from './plan.ts';

/** Bits of an observation. */
export const featuresOf = ({ env, level, firstLevelSeed }: Plan): number => env.features(level(firstLevelSeed));

/** Cells of an observation, by which two of them are compared. */
export const cellsOf = (plan: Plan): number => cellsSeen(plan.sight, featuresOf(plan));

/** What kernels are told that count in how many cells two observations differ; `mostOf`: up to how many count as none. */
export function seenDims(plan: Plan, mostOf: (cells: number) => number): Readonly<Record<string, number>> {
  const { parts, bits, stride, step } = plan.sight;
  assert(stride <= 1 || (stride === 8 && bits === 8), 'Parts of an observation are bits of planes, or bytes.');
  return { most: mostOf(cellsOf(plan)), words: plan.obsWords, features: featuresOf(plan), parts, bits, stride, step };
}

/** [B, T, cells] the observations of one replica before each step, cell by cell; 0 on padding. */
export function cellsOfSteps(
  plan: Plan,
  { obs, length }: { readonly obs: Uint32Array; readonly length: Uint32Array },
): Uint32Array {
  const { B, T, sight, obsWords } = plan;
  const cells = cellsOf(plan);
  const all = new Uint32Array(B * T * cells);
  for (let i = 0; i < B; i++)
    for (let t = 0; t < length[i]!; t++)
      writeCells(sight, cells, { obs, obsAt: (i * (T + 1) + t) * obsWords }, all, (i * T + t) * cells);
  return all;
}
