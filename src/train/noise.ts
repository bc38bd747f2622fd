import { groupsOf, stepsOf } from '../core/batch.ts';
import { noiseFromSums, twoBatchNoise, type GradientNoise } from '../methods/optimizer/gradientNoise.ts';
import { creditRms } from '../methods/analysis/creditStats.ts';
import { batchOf, makeArrays } from './arrays.ts';
import type { TrainState } from './backend.ts';
import { maskAfter, restricted } from './cpu/actionMask.ts';
import { emptyTally, makeCpuPolicy, type Learning } from './cpu/policy.ts';
import { rolloutReplica } from './cpu/rollout.ts';
import { Survey } from './cpu/survey.ts';
import { accumulate, Chunk } from './cpu/update.ts';
import { makeTasks, type Plan } from './plan.ts';

/** With this many task groups they are the units: their credit adds up to 0, so trajectories of one depend on each other. */
const ENOUGH_GROUPS = 8;

/**
 * Numbers that unit by unit would be added up, units times parameters, beyond which a batch is taken in PARTS: its
 * gradients then are those of parts of equal size and of the whole (two-batch form of the noise scale).
 */
export const UNIT_NUMBERS = 2e7;
const PARTS = 8;

export type NoiseResult = GradientNoise & {
  readonly update: number;
  readonly units: 'groups' | 'trajectories';
  readonly n: number;
  /** units of each gradient: 1, or those of a part in the two-batch form */
  readonly each: number;
};

/** Why gradient noise cannot be measured for this plan, as one sentence; null if it can. */
export function noNoiseReason(plan: Plan): string | null {
  const { needs } = plan.estimator;
  if (needs.includes('logpPhi'))
    return 'Not measured for estimators with a process model: it would have to be copied, too.';
  if (needs.includes('greedyReturn')) return 'Not measured for estimators that play greedy episodes.';
  return null;
}

/**
 * Gradient noise of one replica at the parameters theta: a fresh batch is played with the draws of the next update, and the
 * gradient of the loss is taken unit by unit at fixed parameters, in parts where that is too much. The run does not move.
 * Yields the share that is done.
 */
export function* measureNoise(
  run: Plan,
  replica: number,
  state: Pick<TrainState, 'theta' | 'mask' | 'reference' | 'update'>,
  most = UNIT_NUMBERS,
): Generator<number, NoiseResult> {
  const plan: Plan = { ...run, S: 1, seeds: run.seeds.slice(replica, replica + 1) };
  const arrays = makeArrays(plan);
  const policy = makeCpuPolicy(plan);
  const { theta, reference, update } = state;
  const player = restricted(plan, policy, maskAfter(plan, state));
  rolloutReplica(plan, arrays, player, theta, makeTasks(plan, update, 'train'), 'train', 0);
  const batch = batchOf(plan, arrays, 0);
  const credit = plan.estimator.run(batch, plan.estimatorParams);
  const A = credit.A.slice();
  const all = Uint32Array.from({ length: plan.B }, (_, i) => i).filter((i) => !credit.keep || credit.keep[i] === 1);
  if (plan.matched) scaleToOne(A, stepsOf(batch, all));
  const survey = plan.objective.survey ? new Survey(plan, policy) : null;
  survey?.run(arrays, theta, A, all, null, { s: 0, update, pass: 0 });
  yield 0.2;

  const groups = groupsOf(batch).map((group) => group.filter((i) => all.includes(i)));
  const isGrouped = plan.P >= ENOUGH_GROUPS;
  const single = isGrouped ? groups.filter((group) => group.length > 0) : Array.from(all, (i) => [i]);
  const inParts = single.length * plan.layout.size > most && single.length >= 2 * PARTS;
  const units = inParts ? partsOf(single) : single;
  const gradient = new Float32Array(plan.layout.size);
  const mean = new Float64Array(plan.layout.size);
  const chunk = new Chunk(policy.chunk);
  const learning: Learning = {
    ...{ arrays, theta, reference, A, s: 0, live: plan.live, gradient },
    target: plan.critic ? (credit.target ?? null) : null,
    tally: emptyTally(),
    delta: new Float32Array(plan.B * plan.T),
    mark: survey && survey.mark,
  };
  const decisions = (members: Iterable<number>): number => {
    let n = 0;
    for (const i of members) n += plan.ratioLevel === 'step' ? arrays.length[i]! : policy.unitsOf(arrays, i);
    return n;
  };
  const members = units.flat();
  const total = decisions(members);
  let squares = 0;
  for (const [k, unit] of units.entries()) {
    gradient.fill(0);
    accumulate(plan, policy, chunk, Uint32Array.from(unit), learning);
    // what this unit adds to the gradient of the batch, times n: the mean over units is that gradient
    const share = plan.aggregate === 'unitMean' ? decisions(unit) / total : unit.length / members.length;
    const scale = share * units.length;
    for (let j = 0; j < gradient.length; j++) {
      const g = scale * gradient[j]!;
      squares += g * g;
      mean[j]! += g / units.length;
    }
    yield 0.2 + (0.8 * (k + 1)) / units.length;
  }
  const normSq = mean.reduce((sum, g) => sum + g * g, 0);
  const each = inParts ? Math.floor(single.length / PARTS) : 1;
  const n = units.length * each;
  const about = { update, units: isGrouped ? 'groups' : 'trajectories', n, each } as const;
  if (!inParts) return { ...noiseFromSums(n, squares, normSq), ...about };
  const { signalSq, trace, noiseScale } = twoBatchNoise(squares / PARTS, normSq, each, n);
  const snr = trace > 0 ? (Math.max(signalSq, 0) * n) / trace : null;
  return { gradNorm: Math.sqrt(normSq), trace, signalSq, noiseScale, snr, ...about };
}

/** PARTS parts of equal size; every eighth unit belongs to the same one, so that tasks are spread. The rest is left out. */
function partsOf(units: readonly (readonly number[])[]): number[][] {
  const used = units.length - (units.length % PARTS);
  return Array.from({ length: PARTS }, (_, p) =>
    units
      .slice(0, used)
      .filter((_unit, k) => k % PARTS === p)
      .flat(),
  );
}

/** A ← A / RMS(A) over the given steps. */
function scaleToOne(A: Float32Array, steps: readonly number[]): void {
  const rms = creditRms(steps.map((k) => A[k]!));
  if (rms > 0) for (let k = 0; k < A.length; k++) A[k]! /= rms;
}
