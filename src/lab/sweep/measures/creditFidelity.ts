import { REWARD_PARTS } from '../../../contract/columnTable.ts';
import type { Batch } from '../../../contract/columns.ts';
import { BRANCH_COLUMNS } from '../../../contract/rows.ts';
import { offeredEstimators } from '../../../config/offered.ts';
import type { Config } from '../../../config/slots.ts';
import { scoreNorm } from '../../../core/math/distribution.ts';
import { defaultsOf, settings } from '../../../core/settings.ts';
import type { BatchView } from '../../../engine/backend.ts';
import { noExactReason } from '../../../engine/exactValues.ts';
import { creditOfSteps } from '../../../engine/unitCredit.ts';
import type { Plan } from '../../../engine/plan.ts';
import type { Run } from '../../../engine/run.ts';
import { recorded } from '../../../slots/advantage/given.ts';
import { metricIndex } from '../../../slots/metrics/metrics.ts';
import type { Estimator } from '../../../slots/types.ts';
import { CreditBatch } from '../../creditBatch.ts';
import { Grounds } from '../../creditGround.ts';
import { defineMeasure, type MeasuredRow, type Observer } from './types.ts';

const params = settings({
  moments: {
    kind: 'integers',
    label: 'Moments',
    default: [5, 40, 80],
    min: 0,
    max: 100,
    minItems: 1,
    maxItems: 20,
    doc: 'Training success in percent; the first batch that reaches one is judged, in their order.',
  },
  judges: {
    kind: 'choice',
    label: 'Judges',
    default: 'all',
    options: ['all', 'own'],
    doc: 'All estimators that can judge the batches of this run, or only the one that trains it.',
  },
});
type Params = { readonly moments: readonly number[]; readonly judges: 'all' | 'own' };

/** What a batch can be given afterwards, so that estimators can judge it which its run does not train with. */
const COMPLETED: readonly string[] = ['units', 'rewardParts', 'scoreNorm'];
/** What only the run of an estimator has: its process model, its greedy episodes, forks, what some world reports. */
const OWN: readonly string[] = [...recorded.filter((name) => !COMPLETED.includes(name)), ...BRANCH_COLUMNS];

/** Estimators whose credit rests on what their own run records or trains: they judge no batch of another run. */
export const isOwn = (e: Estimator): boolean => e.critic === true || e.needs.some((name) => OWN.includes(name));

/** What settings make is no method until they say which. */
function judgesOf(trains: string, { judges }: Params): readonly Estimator[] {
  return offeredEstimators.filter((e) => e.id === trains || (judges === 'all' && !isOwn(e) && !e.made));
}

/** The batch with the parts of its reward and the sizes of its scores, as a run records them that needs them. */
export function completed(plan: Plan, { batch, world, probs }: BatchView): Batch {
  const { B, T, actions } = plan;
  const parts = new Float32Array(B * REWARD_PARTS);
  const { outcome } = world ?? batch;
  for (let i = 0; i < B; i++) parts[i * REWARD_PARTS] = outcome[i]!;
  const norms = new Float32Array(B * T);
  for (let i = 0; i < B; i++)
    for (let k = i * T; k < i * T + batch.length[i]!; k++)
      norms[k] = scoreNorm(probs, k * actions, actions, batch.action[k]!);
  return { rewardParts: parts, scoreNorm: norms, ...batch };
}

class Judging implements Observer {
  private readonly plan: Plan;
  private readonly params: Params;
  private readonly grounds: Grounds;
  private readonly judges: readonly Estimator[];
  private readonly found: MeasuredRow[] = [];
  private moment = 0;

  constructor(plan: Plan, given: Params) {
    this.plan = plan;
    this.params = given;
    this.grounds = new Grounds(plan);
    this.judges = judgesOf(plan.estimator.id, given);
  }

  async after(run: Run): Promise<void> {
    const moment = this.params.moments[this.moment];
    if (moment === undefined || run.series.last(0, metricIndex.success) < moment / 100) return;
    this.moment++;
    const view = await run.backend.view(0);
    const batch = new CreditBatch(this.grounds, view);
    if (!batch.exactNow(() => false)) throw new Error('A batch of this run has no exact values to judge credit by.');
    const whole = completed(this.plan, view);
    for (const estimator of this.judges) {
      const isIts = estimator.id === this.plan.estimator.id;
      const A = isIts ? view.A : creditOfSteps(estimator, whole, defaultsOf(estimator.params)).A;
      const scores = batch.exactScores(A);
      const numbers = [scores?.pearson, scores?.gradCosine, scores?.sign, scores?.signWeighted];
      this.found.push([moment, run.series.length, estimator.id, estimator.rev, ...numbers.map((x) => x ?? null)]);
    }
  }

  rows(): readonly MeasuredRow[] {
    return this.found;
  }
}

/** The first level of a run has too many states; those of other levels are known when they are played. */
function tooLarge(plan: Plan): string | null {
  return new Grounds(plan).of(plan.firstLevelSeed)?.seen ? null : 'The task has too many states for exact values.';
}

/**
 * Credit against the exact advantage: at the first batches whose training success reaches the moments, estimators judge the
 * same episodes. The one that trains is asked with its settings, the others with their defaults. Correlation, cosine of the
 * policy gradient, signs and weighted signs are those of the credit view (spec metrics §10.2); null where a batch has none,
 * as the correlation of credit that is 0 everywhere.
 */
export const creditFidelity = defineMeasure({
  id: 'creditFidelity',
  title: 'Credit fidelity',
  rev: 1,
  doc: 'At the first batches whose training success reaches the moments, estimators judge the same episodes; their credit is compared with the exact advantage.',
  params,
  columns: ['moment', 'update', 'estimator', 'rev', 'correlation', 'cosine', 'sign', 'weighted'],
  uses: (config: Config, given) =>
    Object.fromEntries(judgesOf(config.advantage.method, given).map(({ id, rev }) => [`advantage.${id}`, rev])),
  refusal(plan, given) {
    const { moments } = given;
    if (moments.some((x, k) => k > 0 && x <= moments[k - 1]!)) return '“moments” must rise from one to the next.';
    if (plan.policy.words !== null) return 'Actions are written in words, whose credit it does not judge.';
    if (plan.rewards.length > 0 && given.judges === 'all')
      return 'Reward modules act, and the estimators that do not train were not paid by them; set “judges” to "own".';
    return noExactReason(plan) ?? tooLarge(plan);
  },
  begin: (plan, given) => new Judging(plan, given),
});
