import { creditCorr, creditSign } from '../../core/fidelity.ts';
import { stepsOf } from '../../core/batch.ts';
import { defaultsOf } from '../../core/settings.ts';
import type { BatchView } from '../../engine/backend.ts';
import { CreditBatch } from '../../lab/creditBatch.ts';
import { Grounds } from '../../lab/creditGround.ts';
import { edgeHeads } from '../../slots/advantage/edgeHeads.ts';
import { estimatorOf } from '../../slots/estimatorOf.ts';
import { estimators } from '../../slots/methods.ts';
import type { TrainedArm } from '../trainedArm.ts';
import { measure } from './types.ts';

/** The newest batch of a seed with what each of its steps was really worth. */
export type Judged = {
  readonly view: BatchView;
  /** [B, T] exact advantage of the policy that played, by backward induction over the states of the level */
  readonly exact: Float32Array;
  /** indices of the real steps */
  readonly steps: readonly number[];
  /** true advantages beyond this made a difference: 0.02 of what a step can pay */
  readonly threshold: number;
};

const known = new WeakMap<TrainedArm, { readonly updates: number; readonly seeds: readonly Judged[] }>();

/** The newest batches of an arm with their exact credit, worked out once. Throws where the level has too many states. */
export async function judgedBatches(arm: TrainedArm): Promise<readonly Judged[]> {
  const found = known.get(arm);
  if (found?.updates === arm.updates) return found.seeds;
  if (arm.updates === 0) throw new Error(`${arm.label} has played no batch yet.`);
  const grounds = new Grounds(arm.run.plan);
  const seeds: Judged[] = [];
  for (let s = 0; s < arm.S; s++) {
    const view = await arm.view(s);
    const batch = new CreditBatch(grounds, view);
    const exact = batch.exactNow(() => false);
    if (!exact) throw new Error('There is no exact credit here: the task has too many states.');
    const steps = stepsOf(
      view.batch,
      Array.from({ length: view.batch.B }, (_, i) => i),
    );
    seeds.push({ view, exact, steps, threshold: batch.threshold });
  }
  known.set(arm, { updates: arm.updates, seeds });
  return seeds;
}

const perSeed = async (arm: TrainedArm, of: (judged: Judged) => number | null): Promise<number[]> =>
  (await judgedBatches(arm)).map((judged) => of(judged) ?? NaN);

/** Credit of a batch by an estimator with its usual settings, or `own`: as the arm itself trained on it. [B, T] */
function creditOf({ view }: Judged, method: string): Float32Array {
  if (method === 'own') return view.A;
  const params = estimators.find(({ id }) => id === method)?.params;
  const values = params && defaultsOf(params);
  const estimator = values && estimatorOf(method, values);
  if (!estimator) throw new Error(`There is no way of giving credit named “${method}”.`);
  return estimator.run(view.batch, values as never).A;
}

const pick = (values: Float32Array, { steps }: Judged): number[] => steps.map((k) => values[k]!);

export const goodInFailed = measure({
  id: 'goodInFailed',
  doc: 'goodInFailed(arm): of the steps in failed episodes of the newest batch, the share that was good: exact advantage above 0.02 of what a step can pay, per seed.',
  takes: ['arm'],
  of: (arm) =>
    perSeed(arm, ({ view, exact, threshold }) => {
      const { batch } = view;
      const failed = Array.from({ length: batch.B }, (_, i) => i).filter((i) => batch.success[i] !== 1);
      const steps = stepsOf(batch, failed);
      return steps.filter((k) => exact[k]! > threshold).length / steps.length;
    }),
});

export const creditCorrelation = measure({
  id: 'creditCorrelation',
  doc: 'creditCorrelation(arm, method): correlation of the credit that a method (grpo, gigpo, salt, …, or own) gives to the newest batch with the exact advantage, per seed.',
  takes: ['arm', 'word'],
  of: (arm, method) =>
    perSeed(arm, (judged) => creditCorr(pick(creditOf(judged, method), judged), pick(judged.exact, judged))),
});

export const signAgreement = measure({
  id: 'signAgreement',
  doc: 'signAgreement(arm, method): of the steps of the newest batch that mattered, the share whose credit has the sign of the exact advantage, per seed.',
  takes: ['arm', 'word'],
  of: (arm, method) =>
    perSeed(arm, (judged) =>
      creditSign(pick(creditOf(judged, method), judged), pick(judged.exact, judged), judged.threshold),
    ),
});

export const signChanges = measure({
  id: 'signChanges',
  doc: 'signChanges(arm, from, to): of the steps of the newest batch to which a method gives credit, the share for which another method gives the other sign, per seed.',
  takes: ['arm', 'word', 'word'],
  of: (arm, from, to) =>
    perSeed(arm, (judged) => {
      const [before, after] = [pick(creditOf(judged, from), judged), pick(creditOf(judged, to), judged)];
      const credited = before.filter((a) => a !== 0).length;
      return before.filter((a, k) => a * after[k]! < 0).length / credited;
    }),
});

export const arrowGap = measure({
  id: 'arrowGap',
  doc: 'arrowGap(arm, from, to): credit of two methods added up over each move (state, action, next state) of a task group of the newest batch; the largest difference of these sums, per seed.',
  takes: ['arm', 'word', 'word'],
  of: (arm, from, to) =>
    perSeed(arm, (judged) => {
      const heads = edgeHeads(judged.view.batch, 0);
      const [before, after] = [creditOf(judged, from), creditOf(judged, to)];
      const gap = new Float64Array(before.length);
      for (const k of judged.steps) gap[heads[k]!]! += after[k]! - before[k]!;
      return gap.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    }),
});
