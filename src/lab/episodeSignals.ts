import { part } from '../contract/columns.ts';
import { MILESTONES, type SignalName } from '../contract/signals.ts';
import { PURPOSE, random } from '../core/random.ts';
import type { BatchView } from '../engine/backend.ts';
import { CpuSignals } from '../engine/cpu/signals.ts';
import type { Plan } from '../engine/plan.ts';
import { keepsChance } from '../engine/plannedRows.ts';
import { potentialOf } from '../engine/signalTables.ts';
import type { EpisodeSignals } from './rewardTypes.ts';

const SHOWN = ['invalid', 'novel', 'repeat', 'hardEvent', 'milestoneStep', 'completion', 'phi', 'tag'] as const;
export type Told = Record<(typeof SHOWN)[number] & SignalName, Float32Array>;

/** Levels whose tables are held: those of one shown batch. */
const LEVELS = 16;

/** What signals of a plan are read with, made once: a table goes through all states of its level. */
type Reader = { readonly signals: CpuSignals; readonly levels: Map<number, unknown> };
const readers = new WeakMap<Plan, Reader>();

function readerOf(plan: Plan): Reader {
  let found = readers.get(plan);
  if (!found) readers.set(plan, (found = { signals: CpuSignals.ofRows(plan), levels: new Map() }));
  return found;
}

/** Seed of the chance in row i of a displayed batch. */
export function episodeSeedOf(plan: Plan, view: BatchView, i: number): number {
  const seed = plan.seeds[Math.min(view.replica, plan.S - 1)]!;
  const parent = view.batch.branchParent?.[i] ?? -1;
  if (parent >= 0 && keepsChance(plan, true)) return episodeSeedOf(plan, view, parent);
  const draws = plan.commonNoise ? view.batch.taskIndex[i]! : i;
  return random(seed, PURPOSE.episodeSeed, view.update, draws, 0);
}

/**
 * All that the world told in row i of a displayed batch, from its stored states, so for every backend alike. Null where the
 * world tells nothing, and where a level has too many states.
 */
export function toldInRow(plan: Plan, view: BatchView, i: number): Told | null {
  const { env, T } = plan;
  const { signals, levels } = readerOf(plan);
  const levelSeed = view.levelSeeds[i]!;
  if (!levels.has(levelSeed) && levels.size >= LEVELS) levels.clear();
  const level = levels.get(levelSeed) ?? plan.level(levelSeed);
  levels.set(levelSeed, level);
  if (!env.signals?.fits(level, potentialOf(plan))) return null;
  const own = (column: Uint32Array): Uint32Array => part(column, plan.B, i);
  const { action, length, success, stateKey } = view.batch;
  const played = {
    ...{ state: own(view.state), action: own(action), length: own(length) },
    ...{ success: own(success), stateKey: own(stateKey) },
  };
  // room for the longest of them
  const into = Object.fromEntries(SHOWN.map((name) => [name, new Float32Array(T + 1 + MILESTONES)])) as Told;
  const episodeSeed = Uint32Array.of(episodeSeedOf(plan, view, i));
  signals.make(played, into, { levels: [level], levelOf: Uint32Array.of(0), episodeSeed }, 0);
  return into;
}

/** True if step t of row i leads again to the state that is stored behind it; the clock aside, whose limit may be that of a task. */
export function repeats(plan: Plan, view: BatchView, i: number, t: number): boolean {
  const { env, T } = plan;
  const at = (i * (T + 1) + t) * env.words;
  const next = view.state.slice(at, at + env.words);
  const move = { action: view.batch.action[i * T + t]!, seed: episodeSeedOf(plan, view, i) };
  env.step(plan.level(view.levelSeeds[i]!), next, 0, move, { reward: 0, flags: 0 });
  return next.subarray(0, env.words - 1).every((word, w) => word === view.state[at + env.words + w]);
}

/** The signals of row i of a displayed batch, or the sentence of why there are none. */
export function episodeSignals(plan: Plan, view: BatchView, i: number): EpisodeSignals | string {
  const n = view.batch.length[i]!;
  const told = toldInRow(plan, view, i);
  if (!told) return 'This level has too many states to look through for its signals.';
  if (!Array.from({ length: n }, (_, t) => repeats(plan, view, i, t)).every(Boolean))
    return 'The steps of this episode cannot be repeated from what is stored, so nothing is known of them.';
  const flags = (column: Float32Array): Uint8Array => Uint8Array.from(column.subarray(0, n));
  const reached = new Uint8Array(n);
  told.milestoneStep.subarray(0, MILESTONES).forEach((step, k) => {
    if (step >= 0 && step < n) reached[step] = k + 1;
  });
  return {
    ...{ refused: flags(told.invalid), isNew: flags(told.novel), repeated: flags(told.repeat) },
    ...{ hard: flags(told.hardEvent), reached },
    ...{ completion: told.completion.slice(0, n + 1), phi: told.phi.slice(0, n + 1) },
    potential: potentialOf(plan).of,
  };
}
