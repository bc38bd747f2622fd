import { cellsSeen, writeCells } from '../envs/perturb/sight.ts';
import type { Plan } from './plan.ts';

/** Cells of an observation, by which two of them are compared. */
export const cellsOf = ({ env, sight, level, firstLevelSeed }: Plan): number =>
  cellsSeen(sight, env.features(level(firstLevelSeed)));

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
