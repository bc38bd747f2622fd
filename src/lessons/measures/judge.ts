import { groupsOf } from '../../core/batch.ts';
import { correlation } from '../../core/fidelity.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import { mean } from '../../core/stats.ts';
import { Grounds } from '../../lab/creditGround.ts';
import { implicitReward } from '../../slots/advantage/oprl/oprl.ts';
import { preferenceLoss } from '../../slots/advantage/oprl/preference.ts';
import type { TrainedArm } from '../trainedArm.ts';
import { judgedBatches, type Judged } from './exactCredit.ts';
import { measure } from './types.ts';

/** Scale of rewards (β of OPRL), steps of plain gradient descent, and their length. The loss has settled by then. */
const BETA = 0.05;
const STEPS = 100;
const RATE = 100;
/** Shuffles of the labels whose results are averaged: one alone is mostly luck. */
const SHUFFLES = 4;

/** What a judge has come to on the half of the batch that it did not learn from. */
type Verdict = {
  /** share of pairs of a success and a failure that are ranked the right way */
  readonly accuracy: number;
  /** correlation of its step rewards with the exact advantage */
  readonly correlation: number;
};

/** φ(a|s) of a table of logits z. [n, actions] */
function softmaxRows(z: Float64Array, actions: number): Float64Array {
  const p = new Float64Array(z.length);
  for (let from = 0; from < z.length; from += actions) {
    const row = z.subarray(from, from + actions);
    const top = Math.max(...row);
    let total = 0;
    for (let a = 0; a < actions; a++) total += p[from + a] = Math.exp(row[a]! - top);
    for (let a = 0; a < actions; a++) p[from + a]! /= total;
  }
  return p;
}

/** Successes of a batch, dealt out anew inside each task group: as many as before, on the wrong episodes. */
function shuffled({ batch }: Judged['view'], round: number): Uint32Array {
  const success = Uint32Array.from(batch.success);
  for (const group of groupsOf(batch))
    for (let k = group.length - 1; k > 0; k--) {
      const j = below(random(batch.B, PURPOSE.bootstrap, round, group[k]!, 0), k + 1);
      [success[group[k]!], success[group[j]!]] = [success[group[j]!]!, success[group[k]!]!];
    }
  return success;
}

/**
 * Trains OPRL's reward model (arXiv 2509.19199) on one half of each task group of a stored batch, from nothing but which
 * episodes succeeded, and asks it about the other half. The model is a table of logits that begins as the policy; it is told
 * what `preferenceLoss` says, and its reward of a step is β·(log φ − log π).
 */
function train({ view, exact }: Judged, { plan }: Pick<TrainedArm['run'], 'plan'>, labels: Uint32Array): Verdict {
  const { batch, levelSeeds } = view;
  const { T, env, actions } = plan;
  const grounds = new Grounds(plan);
  const seen = grounds.of(levelSeeds[0]!)!.seen!;
  const z = Float64Array.from(grounds.policyOf(levelSeeds[0]!, seen, view.theta, view.restriction), Math.log);
  const rowOf = (i: number, t: number): number => seen.rowOf(view.state, (i * (T + 1) + t) * env.words);
  const rows = Int32Array.from({ length: batch.B * T }, (_, k) =>
    k % T < batch.length[Math.floor(k / T)]! ? rowOf(Math.floor(k / T), k % T) : -1,
  );
  const learns = new Uint8Array(batch.B);
  for (const group of groupsOf(batch)) for (const [k, i] of group.entries()) learns[i] = Number(2 * k < group.length);

  const logpPhi = new Float32Array(batch.B * T);
  const scored = (): Float64Array => {
    const phi = softmaxRows(z, actions);
    rows.forEach((row, k) => void (row >= 0 && (logpPhi[k] = Math.log(phi[row * actions + batch.action[k]!]!))));
    return phi;
  };
  // episodes of the other half count as a group of their own, so that every pair is of one half
  const half = (of: 0 | 1, success: Uint32Array) => ({
    ...{ B: batch.B, T, length: batch.length, logp: batch.logp, logpPhi, success },
    taskIndex: Uint32Array.from(batch.taskIndex, (g, i) => (learns[i] === of ? g : batch.B + i)),
  });
  for (let n = 0; n < STEPS; n++) {
    const phi = scored();
    const { gradPerStep } = preferenceLoss(half(1, labels), BETA, 'sum');
    const slope = new Float64Array(z.length);
    rows.forEach((row, k) => {
      const g = gradPerStep[Math.floor(k / T)]!;
      if (row < 0 || g === 0) return;
      // ∂ log φ(a|s) / ∂z = e_a − φ(·|s)
      slope[row * actions + batch.action[k]!]! += g;
      for (let a = row * actions; a < (row + 1) * actions; a++) slope[a]! -= g * phi[a]!;
    });
    slope.forEach((x, k) => void (z[k]! -= RATE * x));
  }
  scored();
  const { pairs, accuracy } = preferenceLoss(half(0, batch.success), BETA, 'sum');
  const reward = implicitReward({ ...batch, logpPhi }, BETA, false);
  const unseen = [...rows.keys()].filter((k) => rows[k]! >= 0 && learns[Math.floor(k / T)] === 0);
  const against = (x: Float32Array): number[] => unseen.map((k) => x[k]!);
  return {
    accuracy: pairs > 0 ? accuracy : NaN,
    correlation: correlation(against(reward), against(exact)) ?? NaN,
  };
}

const known = new WeakMap<readonly Judged[], Map<string, readonly Verdict[]>>();

/** One judge for each seed; with labels that are `shuffled`, the mean of several. */
async function verdicts(arm: TrainedArm, labels: string): Promise<readonly Verdict[]> {
  if (labels !== 'honest' && labels !== 'shuffled') throw new Error('The labels of a judge are honest or shuffled.');
  const batches = await judgedBatches(arm);
  const found = known.get(batches) ?? new Map<string, readonly Verdict[]>();
  known.set(batches, found);
  const before = found.get(labels);
  if (before) return before;
  const made = batches.map((judged): Verdict => {
    const all = Array.from({ length: labels === 'honest' ? 1 : SHUFFLES }, (_, round) =>
      train(judged, arm.run, labels === 'honest' ? judged.view.batch.success : shuffled(judged.view, round)),
    );
    return { accuracy: mean(all.map((v) => v.accuracy)), correlation: mean(all.map((v) => v.correlation)) };
  });
  found.set(labels, made);
  return made;
}

export const judgeAccuracy = measure({
  id: 'judgeAccuracy',
  doc: 'judgeAccuracy(arm, labels): OPRL’s reward model is trained on one half of the newest batch, with labels that are honest or shuffled; the share of pairs of the other half that it ranks the right way, per seed (arXiv 2509.19199).',
  takes: ['arm', 'word'],
  of: async (arm, labels) => (await verdicts(arm, labels)).map((v) => v.accuracy),
});

export const judgeCorrelation = measure({
  id: 'judgeCorrelation',
  doc: 'judgeCorrelation(arm, labels): correlation of the step rewards of that model with the exact advantage on the half that it has not seen, per seed.',
  takes: ['arm', 'word'],
  of: async (arm, labels) => (await verdicts(arm, labels)).map((v) => v.correlation),
});

export const judgePairs = measure({
  id: 'judgePairs',
  doc: 'judgePairs(arm): pairs of a success and a failure in the half of the newest batch that the reward model learns from, per seed.',
  takes: ['arm'],
  of: async (arm) =>
    (await judgedBatches(arm)).map(({ view: { batch } }) =>
      groupsOf(batch).reduce((pairs, group) => {
        const half = group.filter((_, k) => 2 * k < group.length);
        const wins = half.filter((i) => batch.success[i] === 1).length;
        return pairs + wins * (half.length - wins);
      }, 0),
    ),
});
