import { writeCells } from '../envs/perturb/sight.ts';
import type { Plan } from './plan.ts';

/** [B, T, cells] the observations of one replica before each step, cell by cell; 0 on padding. */
export function cellsOfSteps(
  { B, T, cells, sight, obsWords }: Pick<Plan, 'B' | 'T' | 'cells' | 'sight' | 'obsWords'>,
  { obs, length }: { readonly obs: Uint32Array; readonly length: Uint32Array },
): Uint32Array {
  const all = new Uint32Array(B * T * cells);
  for (let i = 0; i < B; i++)
    for (let t = 0; t < length[i]!; t++)
      writeCells(sight, cells, { obs, obsAt: (i * (T + 1) + t) * obsWords }, all, (i * T + t) * cells);
  return all;
}
