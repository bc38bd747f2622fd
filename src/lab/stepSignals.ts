import { part } from '../contract/columns.ts';
import { MILESTONES, type SignalName } from '../contract/signals.ts';
import { PURPOSE, random } from '../core/random.ts';
import type { BatchView } from '../engine/backend.ts';
import { CpuSignals } from '../engine/cpu/signals.ts';
import type { Plan } from '../engine/plan.ts';
import { potentialOf } from '../engine/signalTables.ts';
import type { StepSignals } from './creditTypes.ts';

const SHOWN = ['invalid', 'novel', 'repeat', 'hardEvent', 'milestoneStep', 'completion', 'phi'] as const;
type Shown = Record<(typeof SHOWN)[number] & SignalName, Float32Array>;

/**
 * What the world told at step t of row i of a displayed batch, from its stored states, so for every backend alike. Null where
 * the world tells nothing, where a level has too many states, and where the step as it was stored cannot be repeated.
 */
export function stepSignals(plan: Plan, view: BatchView, i: number, t: number): StepSignals | null {
  const { env, T } = plan;
  const { batch, state } = view;
  const level = plan.level(view.levelSeeds[i]!);
  const potential = potentialOf(plan);
  if (!env.signals?.fits(level, potential)) return null;
  const seed = plan.seeds[Math.min(view.replica, plan.S - 1)]!;
  const draws = plan.commonNoise ? batch.taskIndex[i]! : i;
  const episodeSeed = random(seed, PURPOSE.episodeSeed, view.update, draws, 0);
  const own = (column: Uint32Array): Uint32Array => part(column, plan.B, i);
  const { action, length, success, stateKey } = batch;
  const played = {
    ...{ state: own(state), action: own(action), length: own(length) },
    ...{ success: own(success), stateKey: own(stateKey) },
  };
  if (!repeats(plan, level, played, { t, episodeSeed })) return null;
  // room for the longest of them
  const into = Object.fromEntries(SHOWN.map((name) => [name, new Float32Array(T + 1 + MILESTONES)])) as Shown;
  const tasks = { levels: [level], levelOf: Uint32Array.of(0), episodeSeed: Uint32Array.of(episodeSeed) };
  CpuSignals.ofRows(plan).make(played, into, tasks, 0);
  const pair = (column: Float32Array): [number, number] => [column[t]!, column[t + 1]!];
  return {
    isRefused: into.invalid[t] === 1,
    isNew: into.novel[t] === 1,
    isRepeated: into.repeat[t] === 1,
    isHard: into.hardEvent[t] === 1,
    reached: Array.from(into.milestoneStep.subarray(0, MILESTONES), (step, k) => (step === t ? k + 1 : 0)).filter(
      (k) => k > 0,
    ),
    completion: pair(into.completion),
    potential: { of: potential.of, phi: pair(into.phi) },
  };
}

/** True if step t leads again to the state that is stored behind it; the clock aside, whose limit may be that of a task. */
function repeats(
  { env }: Plan,
  level: unknown,
  { state, action }: { readonly state: Uint32Array; readonly action: Uint32Array },
  { t, episodeSeed }: { readonly t: number; readonly episodeSeed: number },
): boolean {
  const { words } = env;
  const next = state.slice(t * words, (t + 1) * words);
  env.step(level, next, 0, { action: action[t]!, seed: episodeSeed }, { reward: 0, flags: 0 });
  return next.subarray(0, words - 1).every((word, w) => word === state[(t + 1) * words + w]);
}
