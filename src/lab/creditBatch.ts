import { creditOfSteps } from '../engine/unitCredit.ts';
import type { Batch, BatchField } from '../contract/columns.ts';
import { returnsToGo, stepsOf } from '../core/batch.ts';
import { missingData } from '../slots/advantage/given.ts';
import { anchorHeads } from '../slots/advantage/segments.ts';
import { outcomeOnSteps } from '../slots/advantage/trajectoryCredit.ts';
import { agreement, cosine, creditCorr, creditSign, signThreshold } from '../core/fidelity.ts';
import type { Measured } from '../slots/metrics/measures.ts';
import { estimatorOf, unreadable } from '../slots/estimatorOf.ts';
import type { Estimator } from '../slots/types.ts';
import type { BatchView } from '../engine/backend.ts';
import { measuredPart, partOf } from '../engine/measuredPart.ts';
import type { Pool } from './creditDeep.ts';
import { exactAt, exactTruths, gradientOf, rowsOfSteps, wholeGradient, type Truths } from './creditExact.ts';
import { Estimate } from './creditEstimate.ts';
import { paidRange, rangeOf } from './creditRange.ts';
import type { Grounds } from './creditGround.ts';
import { FORKS, FRESH } from './creditLimits.ts';
import type {
  Asked,
  Column,
  CreditAnswer,
  Deep,
  ExplainRequest,
  Scores,
  Slow,
  BatchAnswer,
  Truth,
} from './creditTypes.ts';

/** Steps of fresh batches at most: what still fits into memory and into a minute. */
const MOST_FRESH_STEPS = 2_000_000;

/** Estimators whose credit of a batch is kept, beside those with numbers that take long. */
const KEPT = 12;
const REFERENCE = 'reference ';

/** What was done for a batch, counted: another estimator must not do again what is known (product U24). */
export type Work = { estimators: number; truths: number; gradients: number; forks: number; batches: number };

type Judged = { readonly column: Column; readonly A: Float32Array | null };

/** Everything that is needed to compare credit with a known truth. */
type Exact = {
  readonly truths: Truths;
  readonly rows: Int32Array;
  /** gradient of the return over all levels */
  readonly gradient: Float64Array;
  /** [B, T] */
  readonly values: Float32Array;
};

/**
 * A batch that was looked at, with all that has been found out about its credit. Slow things continue by jobs. Numbers are about
 * the rows that are measured.
 */
export class CreditBatch {
  readonly view: BatchView;
  readonly work: Work = { estimators: 0, truths: 0, gradients: 0, forks: 0, batches: 0 };
  private readonly grounds: Grounds;
  private readonly steps: number[];
  private readonly own: ReturnType<typeof measuredPart>;
  private readonly ownSteps: number[];
  private readonly judged = new Map<string, Judged>();
  private exact: Exact | null = null;
  /** why there are no exact values; null while that is open and when there are */
  private why: string | null = null;
  private exactJob: Generator<number, Truths | string> | null;
  private readonly estimate: Estimate;
  private pool: Pool | null = null;
  private poolJob: Generator<number, Pool> | null = null;
  private deepJob: { key: string; job: Generator<number, Deep> } | null = null;
  private share = 0;
  private range: number | null = null;

  constructor(grounds: Grounds, view: BatchView, known: ReadonlyMap<number, Float32Array> = new Map()) {
    this.grounds = grounds;
    this.view = view;
    const { B } = view.batch;
    this.steps = stepsOf(
      view.batch,
      Array.from({ length: B }, (_, i) => i),
    );
    this.own = measuredPart(view.batch);
    this.ownSteps = stepsOf(view.batch, this.own.rows);
    this.estimate = new Estimate(grounds.plan, view, this.ownSteps);
    this.exactJob = exactTruths(grounds, view, known);
  }

  /** True advantages beyond this made a difference: by what the levels of the batch can pay. */
  get threshold(): number {
    return signThreshold(this.exact ? rangeOf(this.exact.truths) : (this.range ??= paidRange(this.grounds, this.view)));
  }

  /** Exact advantage [B, T] if it could be had within `until`; null if not yet or not at all. */
  exactNow(until: () => boolean): Float32Array | null {
    while (this.exactJob && !until()) this.advanceExact(this.exactJob);
    return this.exact?.values ?? null;
  }

  private advanceExact(job: Generator<number, Truths | string>): void {
    const next = job.next();
    if (!next.done) {
      this.share = next.value;
      return;
    }
    this.exactJob = null;
    if (typeof next.value === 'string') {
      this.why = next.value;
      return;
    }
    const { plan } = this.grounds;
    const { batch } = this.view;
    const truths = next.value;
    const rows = rowsOfSteps(plan, truths, { ...this.view, length: batch.length });
    const values = new Float32Array(batch.B * batch.T);
    for (const k of this.steps) {
      const level = truths.all[truths.of[Math.floor(k / plan.T)]!]!;
      values[k] = exactAt(level, plan.actions, k % plan.T, rows[k]!, batch.action[k]!);
    }
    this.exact = { truths, rows, gradient: wholeGradient(truths), values };
    this.work.truths++;
    this.judged.clear();
  }

  /** Goes on with what is slow until told to stop. */
  workOn(methods: readonly Asked[], until: () => boolean, slow: Slow): void {
    this.exactNow(until);
    if (this.exactJob) return;
    if (this.exact) this.goDeeper(this.exact, methods, until, slow);
    else this.guess(until, slow);
  }

  /** More steps are estimated, and every credit is judged by all that are known then. */
  private guess(until: () => boolean, slow: Slow): void {
    if (this.estimate.isDone) return;
    this.work.forks += this.estimate.advance(until, slow);
    for (const [key, { A, column }] of this.judged) this.judged.set(key, { A, column: this.scored(column, A) });
  }

  /** Someone looks at another batch: what is only needed to continue is made again if anybody comes back. */
  release(): void {
    this.pool = null;
    this.poolJob = null;
    this.deepJob = null;
    this.estimate.release();
  }

  private goDeeper(exact: Exact, methods: readonly Asked[], until: () => boolean, slow: Slow): void {
    const { plan } = this.grounds;
    const deepWhy =
      this.view.world && !this.view.pays
        ? 'The reference was reset after this batch, so fresh batches cannot pay for the KL to it.'
        : plan.B * plan.T * FRESH > MOST_FRESH_STEPS
          ? 'The batch is too large to be played sixteen more times.'
          : null;
    if (deepWhy !== null) {
      for (const asked of methods) {
        this.judge(asked);
        this.put(keyOf(asked), { deepWhy });
      }
      return;
    }
    if (methods.every((asked) => !isOpen(this.judge(asked).column))) return;
    if (!this.pool) this.poolJob ??= slow.freshPool(plan, this.view, exact.truths);
    while (this.poolJob && !until()) {
      const next = this.poolJob.next();
      this.work.batches++;
      if (next.done) {
        this.pool = next.value;
        this.poolJob = null;
      } else this.share = next.value;
    }
    for (const asked of methods) {
      const key = keyOf(asked);
      this.judge(asked);
      while (this.pool && isOpen(this.judged.get(key)!.column) && !until()) {
        const estimator = estimatorOf(asked.id, asked.params)!;
        if (missingData(estimator, fieldsOf(this.pool.batch)) !== null) {
          this.put(key, {
            deepWhy: `Only the run’s own batches hold what ${estimator.title} needs; there are no fresh ones.`,
          });
          break;
        }
        if (this.deepJob?.key !== key) {
          const job = slow.deepen(plan, exact.truths, this.pool, exact.gradient, estimator, asked.params);
          this.deepJob = { key, job };
        }
        const next = this.deepJob.job.next();
        if (next.done) {
          this.deepJob = null;
          this.put(key, { deep: next.value });
        } else this.share = next.value;
      }
    }
  }

  private put(key: string, change: Partial<Column>): void {
    const { A, column } = this.judged.get(key)!;
    this.judged.set(key, { A, column: { ...column, ...change } });
  }

  private pending(methods: readonly Asked[]): CreditAnswer['pending'] {
    if (this.exactJob) return { what: 'exact', share: this.share };
    if (!this.exact) {
      return this.estimate.isDone ? null : { what: 'forks', share: this.estimate.share };
    }
    const columns = methods.map((m) => this.judge(m).column).filter((c) => c.why === null);
    const open = columns.filter(needsDeep).length;
    if (open === 0) return null;
    if (!this.pool) return { what: 'batches', share: this.poolJob ? this.share : 0 };
    return { what: 'curves', share: (columns.length - open + (this.deepJob ? this.share : 0)) / columns.length };
  }

  answer(methods: readonly Asked[], withArrays: boolean): Omit<CreditAnswer, 'update' | 'replica' | 'isKept'> {
    const columns = methods.map((asked) => {
      const { A, column } = this.judge(asked);
      return withArrays ? { ...column, A: A && A.slice() } : { ...column, parts: [] };
    });
    return {
      truth: this.truth(withArrays),
      columns,
      references: this.references(),
      pending: this.pending(methods),
    };
  }

  /** Credit of one estimator with its numbers; run once for each choice of settings. */
  private judge(asked: Asked): Judged {
    const key = keyOf(asked);
    const found = this.judged.get(key);
    if (found) return found;
    const made = this.run(asked);
    this.judged.set(key, made);
    this.forget();
    return made;
  }

  /** A formula that someone types is another estimator with every key: the oldest of those that took little time go. */
  private forget(): void {
    const light = [...this.judged].filter(([key, { column }]) => column.deep === null && !key.startsWith(REFERENCE));
    for (const [key] of light.slice(0, Math.max(0, light.length - KEPT))) this.judged.delete(key);
  }

  private run({ id, params }: Asked): Judged {
    const { batch } = this.view;
    const estimator = estimatorOf(id, params);
    const none = { parts: [], scores: null, deep: null, deepWhy: null, A: null };
    if (!estimator) return { A: null, column: { ...none, id, title: id, why: 'This estimator is not known here.' } };
    const { title } = estimator;
    const faulty = unreadable(id, params);
    const why = faulty
      ? `The ${title.toLowerCase()} ${faulty.message}.`
      : refusal(this.grounds.plan.critic, estimator, fieldsOf(batch));
    if (why !== null) return { A: null, column: { ...none, id, title, why } };
    this.work.estimators++;
    const { A, parts = {} } = creditOfSteps(estimator, batch, params);
    const list = Object.entries(parts).map(([name, values]) => ({ name, values }));
    return { A, column: this.scored({ ...none, id, title, why: null, parts: list }, A) };
  }

  private scored(column: Column, A: Float32Array | null): Column {
    return A ? { ...column, scores: this.scores(A) } : column;
  }

  private scores(A: Float32Array): Scores | null {
    const { exact } = this;
    const known = exact ? this.ownSteps : this.estimate.knownSteps;
    if (known.length === 0) return null;
    const truth = exact ? exact.values : this.estimate.A;
    const x = Float32Array.from(known, (k) => A[k]!);
    const y = Float32Array.from(known, (k) => truth[k]!);
    const found = agreement(x, y, this.threshold);
    return {
      ...found,
      signSteps: Math.round(found.signShare * known.length),
      cosine: cosine(x, y),
      gradCosine: exact ? this.gradCosine(exact, A) : null,
    };
  }

  /** Cosine of the gradient that this credit gives with the exact one. */
  private gradCosine({ truths, rows, gradient }: Exact, A: Float32Array): number | null {
    this.work.gradients++;
    const { plan } = this.grounds;
    const { batch, rows: own } = this.own;
    const of = Uint32Array.from(own, (i) => truths.of[i]!);
    const [at, credit] = [partOf(rows, plan.B, own), partOf(A, plan.B, own)];
    return cosine(gradientOf(plan, truths, batch, { of, rows: at }, credit), gradient);
  }

  /** The scores of any credit against the exact values; null where they are not known (yet). */
  exactScores(A: Float32Array): Scores | null {
    return this.exact && this.scores(A);
  }

  /** The headline numbers of any credit against the exact values; null where they are not known (yet). */
  headline(A: Float32Array): Pick<Measured, 'creditCorr' | 'creditSign' | 'gradCosine'> | null {
    const { exact } = this;
    if (!exact) return null;
    const x = Float32Array.from(this.ownSteps, (k) => A[k]!);
    const y = Float32Array.from(this.ownSteps, (k) => exact.values[k]!);
    return {
      creditCorr: creditCorr(x, y),
      creditSign: creditSign(x, y, this.threshold),
      gradCosine: this.gradCosine(exact, A),
    };
  }

  private truth(withArrays: boolean): Truth {
    const { exact, estimate, ownSteps: steps, why } = this;
    const about = { threshold: this.threshold, versions: this.view.versions?.weights.length ?? 1 };
    if (exact) {
      const values = withArrays ? exact.values.slice() : null;
      const none = { known: null, error: null, rollouts: 0, meanError: null, why: null };
      return { kind: 'exact', ...about, values, steps: steps.length, knownSteps: steps.length, ...none };
    }
    const knownSteps = estimate.knownSteps.length;
    const arrays = withArrays && knownSteps > 0;
    return {
      kind: knownSteps > 0 ? 'estimated' : 'none',
      ...about,
      values: arrays ? estimate.A.slice() : null,
      known: arrays ? estimate.known.slice() : null,
      error: arrays ? estimate.error.slice() : null,
      steps: steps.length,
      knownSteps,
      rollouts: FORKS,
      meanError: estimate.meanError,
      why,
    };
  }

  /** Lines to read the others by (spec metrics §10.2). */
  private references(): CreditAnswer['references'] {
    const { exact } = this;
    if (!exact) return [];
    const { plan } = this.grounds;
    const { batch } = this.view;
    const judge = (id: string, title: string, A: Float32Array) => {
      const key = REFERENCE + id;
      const column = { id, title, why: null, A: null, parts: [], deep: null, deepWhy: null };
      if (!this.judged.has(key)) this.judged.set(key, { A, column: { ...column, scores: this.scores(A) } });
      return { id, title, scores: this.judged.get(key)!.column.scores! };
    };
    const world = { ...batch, ...this.view.world };
    const toGo = returnsToGo(world, 1);
    for (const k of this.steps) {
      const level = exact.truths.all[exact.truths.of[Math.floor(k / plan.T)]!]!;
      const row = exact.rows[k]!;
      toGo[k]! -= row < 0 ? 0 : level.values.V[(k % plan.T) * level.seen.model.states + row]!;
    }
    return [
      judge('exact', 'Exact advantage itself', exact.values),
      judge('toGo', 'What followed, minus the exact value of the state', toGo),
      judge('outcome', 'Outcome of the episode on every step', outcomeOnSteps(world)),
    ];
  }

  explain({ update, replica, id, params, i, t }: ExplainRequest, explain: Estimator['explain']): BatchAnswer {
    const { batch } = this.view;
    const k = i * batch.T + t;
    const { A, column } = this.judge({ id, params });
    const head = anchorHeads(batch);
    const sameState = Uint32Array.from(this.steps.filter((at) => head[at] === head[k]));
    const { world } = this.view;
    const paid = returnsToGo({ ...batch, ...world }, 1);
    const seen = world ? returnsToGo(batch, 1) : null;
    return {
      update,
      replica,
      isKept: true,
      title: column.title,
      why: column.why,
      explanation: (A && explain?.(batch, params as never, k)) ?? null,
      A: A ? A[k]! : 0,
      parts: column.parts.map(({ name, values }) => ({ name, value: values[k]! })),
      sameState,
      toGo: Float32Array.from(sameState, (at) => paid[at]!),
      judgedToGo: seen && Float32Array.from(sameState, (at) => seen[at]!),
    };
  }
}

const isOpen = (column: Column): boolean => column.why === null && needsDeep(column);
const needsDeep = ({ deep, deepWhy }: Column): boolean => deep === null && deepWhy === null;
const keyOf = ({ id, params }: Asked): string => `${id} ${JSON.stringify(params)}`;
/** Columns of a batch; the units of its steps are known where each is one. */
const fieldsOf = (batch: Batch): BatchField[] => [
  ...(Object.keys(batch) as BatchField[]),
  ...(batch.K === undefined ? (['units'] as const) : []),
];

function refusal(hasCritic: boolean, estimator: Estimator, fields: readonly BatchField[]): string | null {
  const missing = missingData(estimator, fields);
  if (missing !== null) return `${missing}.`;
  if (estimator.critic === true && !hasCritic) return `${estimator.title} needs a critic, and this run trains none.`;
  return null;
}
