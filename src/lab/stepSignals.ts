import { MILESTONES } from '../contract/signals.ts';
import type { BatchView } from '../engine/backend.ts';
import type { Plan } from '../engine/plan.ts';
import { potentialOf } from '../engine/signalTables.ts';
import type { StepSignals } from './creditTypes.ts';
import { repeats, toldInRow } from './episodeSignals.ts';

/**
 * What the world told at step t of row i of a displayed batch. Null where the world tells nothing, where a level has too many
 * states, and where the step as it was stored cannot be repeated.
 */
export function stepSignals(plan: Plan, view: BatchView, i: number, t: number): StepSignals | null {
  const told = toldInRow(plan, view, i);
  if (!told || !repeats(plan, view, i, t)) return null;
  const pair = (column: Float32Array): [number, number] => [column[t]!, column[t + 1]!];
  return {
    isRefused: told.invalid[t] === 1,
    tag: told.tag[t]!,
    isNew: told.novel[t] === 1,
    isRepeated: told.repeat[t] === 1,
    isHard: told.hardEvent[t] === 1,
    reached: Array.from(told.milestoneStep.subarray(0, MILESTONES), (step, k) => (step === t ? k + 1 : 0)).filter(
      (k) => k > 0,
    ),
    completion: pair(told.completion),
    potential: { of: potentialOf(plan).of, phi: pair(told.phi) },
  };
}
