import { backwardInduction } from '../core/dp.ts';
import { enumerate, type Enumeration } from '../envs/enumerate.ts';
import type { Scene } from '../envs/types.ts';
import { creditCorr, creditSign } from '../methods/analysis/fidelity.ts';
import { stepsOf } from '../core/batch.ts';
import type { BatchView } from './backend.ts';
import { makeCpuPolicy, type CpuPolicy } from './cpu/policy.ts';
import type { Plan } from './plan.ts';
import type { Run } from './run.ts';
import type { LevelMap, Snapshot } from './snapshotTypes.ts';

/** States drawn on the map, and (state, step) pairs up to which exact values are computed live (spec metrics §10). */
const MAP_LIMIT = 4_000;
const PAIR_LIMIT = 100_000;
/** Levels of one batch that get a map; more would not be looked at. */
const MAPS = 4;

/** What does not change about a level: its states, their cells and layers, its drawing. */
type Ground = {
  readonly all: Enumeration;
  /** the states a policy can tell apart; null if there are too many */
  readonly seen: Enumeration | null;
  readonly cell: Uint32Array;
  readonly layer: Uint32Array;
  readonly scene: Scene;
};
type Known = Ground & {
  readonly probs: Float32Array;
  /** π of the states of `seen` */
  readonly seenProbs: Float32Array | null;
};

/** Enumerations are kept from snapshot to snapshot: levels repeat, states do not change. */
export class Snapshots {
  private plan: Plan | null = null;
  private levels = new Map<number, Ground | null>();
  private policy: CpuPolicy | null = null;

  /** The stored batch of one replica with the policy, its credit and, where the task is small, the exact credit. */
  async make(run: Run, replica: number): Promise<Snapshot> {
    const { plan } = run;
    if (this.plan !== plan) {
      this.plan = plan;
      this.levels.clear();
      this.policy = makeCpuPolicy(plan);
    }
    const view = await run.backend.view(replica);
    const { batch } = view;
    const known = new Map<number, Known>();
    for (const levelSeed of new Set(view.levelSeeds)) {
      if (known.size >= MAPS) break;
      const ground = this.groundOf(plan, levelSeed);
      if (!ground) continue;
      const { all, seen } = ground;
      const probs = this.policyOf(plan, levelSeed, all, view.theta);
      const seenProbs = seen === all ? probs : seen && this.policyOf(plan, levelSeed, seen, view.theta);
      known.set(levelSeed, { ...ground, probs, seenProbs });
    }
    const mapRow = rowsOf(plan, view, known);
    const exact = exactCredit(plan, view, known);
    const steps = stepsOf(
      batch,
      Array.from({ length: plan.B }, (_, i) => i),
    );
    const assigned = steps.map((k) => view.A[k]!);
    const truth = exact && steps.map((k) => exact[k]!);
    return {
      update: view.update,
      replica,
      B: plan.B,
      T: plan.T,
      words: plan.env.words,
      actions: plan.actionNames,
      length: batch.length,
      taskIndex: batch.taskIndex,
      success: batch.success,
      terminated: batch.terminated,
      outcome: batch.outcome,
      action: batch.action,
      reward: batch.reward,
      entropy: batch.entropy,
      probs: view.probs,
      state: view.state,
      stateKey: batch.stateKey,
      finalStateKey: batch.finalStateKey,
      mapRow,
      levelSeeds: view.levelSeeds,
      A: view.A,
      parts: Object.entries(view.parts).map(([name, values]) => ({ name, values })),
      exact,
      creditCorr: truth ? creditCorr(assigned, truth) : null,
      creditSign: truth ? creditSign(assigned, truth) : null,
      maps: [...known].map(([levelSeed, k]) => mapOf(plan, view, levelSeed, k, mapRow)),
    };
  }

  private groundOf(plan: Plan, levelSeed: number): Ground | null {
    const found = this.levels.get(levelSeed);
    if (found !== undefined) return found;
    if (this.levels.size > 64) this.levels.clear();
    const { env } = plan;
    const level = plan.level(levelSeed);
    const all = enumerate(env, level, MAP_LIMIT);
    const layers = new Map<string, number>();
    const layerOf = (s: number): number => {
      const name = env.layer(all!.states, s * env.words);
      if (!layers.has(name)) layers.set(name, layers.size);
      return layers.get(name)!;
    };
    const ground = all && {
      all,
      seen: env.canonical ? enumerate(env, level, MAP_LIMIT, 'policy') : all,
      cell: Uint32Array.from({ length: all.model.states }, (_, s) => env.cell(all.states, s * env.words)),
      layer: Uint32Array.from({ length: all.model.states }, (_, s) => layerOf(s)),
      scene: env.scene(level, all.states, 0),
    };
    this.levels.set(levelSeed, ground);
    return ground;
  }

  /** π(a|s) of all states of a level, [n, actions]. */
  private policyOf(plan: Plan, levelSeed: number, all: Enumeration, theta: Float32Array): Float32Array {
    const { env, obsWords, actions } = plan;
    const n = all.model.states;
    const level = plan.level(levelSeed);
    const obs = new Uint32Array(n * obsWords);
    const legal = new Uint32Array(n);
    for (let s = 0; s < n; s++) {
      env.observe(level, all.states, s * env.words, obs, s * obsWords);
      legal[s] = env.legal(level, all.states, s * env.words);
    }
    const probs = new Float32Array(n * actions);
    this.policy!.probsOf(theta, obs, legal, n, probs, 0);
    return probs;
  }
}

/** Row of every state of the batch in the enumeration of its level, 0xffffffff if there is none. [B, T+1] */
function rowsOf(plan: Plan, view: BatchView, known: ReadonlyMap<number, Known>): Uint32Array {
  const { B, T, env } = plan;
  const rows = new Uint32Array(B * (T + 1)).fill(0xffffffff);
  for (let i = 0; i < B; i++) {
    const all = known.get(view.levelSeeds[i]!)?.all;
    if (!all) continue;
    for (let t = 0; t <= view.batch.length[i]!; t++) {
      const at = i * (T + 1) + t;
      const row = all.rowOf(view.state, at * env.words);
      if (row >= 0) rows[at] = row;
    }
  }
  return rows;
}

/** A_t(s, a) of the sampling policy for every step of the batch; null if a level is too large or pays by the clock. */
function exactCredit(plan: Plan, view: BatchView, known: ReadonlyMap<number, Known>): Float32Array | null {
  const { B, T } = plan;
  const actions = plan.actions;
  const timed = (plan.config.reward[plan.env.id] as { timed?: boolean } | undefined)?.timed === true;
  const levels = new Set(view.levelSeeds);
  if (timed || !isMarkov(plan) || levels.size > known.size) return null;
  const values = new Map<number, { V: Float64Array; Q: Float64Array; seen: Enumeration }>();
  for (const [seed, { seen, seenProbs }] of known) {
    if (!seen || !seenProbs || seen.model.states * T > PAIR_LIMIT) return null;
    values.set(seed, { ...backwardInduction(seen.model, seenProbs, T), seen });
  }
  const exact = new Float32Array(B * T);
  for (let i = 0; i < B; i++) {
    const { V, Q, seen } = values.get(view.levelSeeds[i]!)!;
    const n = seen.model.states;
    for (let t = 0; t < view.batch.length[i]!; t++) {
      const s = seen.rowOf(view.state, (i * (T + 1) + t) * plan.env.words);
      const action = view.batch.action[i * T + t]!;
      // words that are no command have no value of their own in this table
      if (s >= 0 && action < actions) exact[i * T + t] = Q[(t * n + s) * actions + action]! - V[t * n + s]!;
    }
  }
  return exact;
}

/** Is the policy a function of what is seen, and always an action? Else its exact credit would need more than π(a|s). */
function isMarkov({ policy }: Plan): boolean {
  return policy.kind === 'dense' || (policy.shape.history === 0 && policy.shape.grammar.masked);
}

function mapOf(plan: Plan, view: BatchView, levelSeed: number, known: Known, mapRow: Uint32Array): LevelMap {
  const { B, T } = plan;
  const { all, probs } = known;
  const n = all.model.states;
  const visits = new Uint32Array(n);
  const credit = new Float32Array(n);
  for (let i = 0; i < B; i++) {
    if (view.levelSeeds[i] !== levelSeed) continue;
    for (let t = 0; t < view.batch.length[i]!; t++) {
      const s = mapRow[i * (T + 1) + t]!;
      if (s === 0xffffffff) continue;
      visits[s]!++;
      credit[s]! += view.A[i * T + t]!;
    }
  }
  for (let s = 0; s < n; s++) if (visits[s]! > 0) credit[s]! /= visits[s]!;
  const { cell, layer, scene } = known;
  return {
    levelSeed,
    states: all.states.slice(),
    cell: cell.slice(),
    layer: layer.slice(),
    probs,
    visits,
    credit,
    scene,
  };
}
