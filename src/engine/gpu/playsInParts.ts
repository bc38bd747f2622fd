import { whole, type CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** True if a scheme looks at rows that were played and adds others. */
export const playsInPhases = ({ scheme }: Pick<Plan, 'scheme'>): boolean => scheme?.next !== undefined;

/** True if a batch is played in several parts: by several versions, or in phases. */
export const playsInParts = (plan: Pick<Plan, 'behavior' | 'scheme'>): boolean =>
  plan.behavior.several || playsInPhases(plan);

/** At the end of a turn: the outputs after the last step of those whose last step it was. `x` holds those of all. */
export async function addTurnLast(list: CommandList, { S, B }: Plan, b: RunBuffers): Promise<void> {
  if (!b.turnLast) return;
  const { tokens, turnLast } = b;
  const { turns, length } = b.columns;
  const x = tokens ? whole(tokens.lastValue) : whole(b.out);
  const n = b.last.n;
  const maxRows = tokens ? B : b.out.size / (4 * S * n);
  await list.add(kernels.turnLast, { turns, length, x, y: turnLast }, { B, maxRows, n }, [Math.ceil(B / 64), 1, S]);
}
