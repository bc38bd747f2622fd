import { prepareEstimators } from '../slots/estimatorOf.ts';
import type { BatchView } from '../engine/backend.ts';
import { CreditBatch } from './creditBatch.ts';
import { Grounds } from './creditGround.ts';
import type { BatchName, CreditAnswer, CreditRequest, ExplainRequest, Slow, StepAnswer } from './creditTypes.ts';
import type { Inside, InsideRequest } from './inside.ts';
import type { Plan } from '../engine/plan.ts';
import type { RewardAnswer, RewardRequest } from './rewardTypes.ts';

/** Batches kept because they were shown lately, beside the one that someone holds; fewer where they are large. */
const KEPT = 6;
const KEPT_BYTES = 48e6;

const NOTHING: Omit<CreditAnswer, 'update' | 'replica' | 'isKept'> = {
  truth: {
    kind: 'none',
    threshold: 0,
    versions: 1,
    values: null,
    known: null,
    error: null,
    steps: 0,
    knownSteps: 0,
    rollouts: 0,
    meanError: null,
    why: null,
  },
  columns: [],
  references: [],
  pending: null,
};

/**
 * Answers questions about the credit of batches that were shown. Training knows nothing of it: it works on copies, with
 * separate draws, and only as long as someone asks.
 */
export class CreditLab {
  private plan: Plan | null = null;
  private grounds: Grounds | null = null;
  private readonly batches: CreditBatch[] = [];
  private held: CreditBatch | null = null;

  /** Levels of a plan; another plan forgets everything of the one before. */
  groundsOf(plan: Plan): Grounds {
    if (this.plan !== plan || !this.grounds) {
      this.plan = plan;
      this.grounds = new Grounds(plan);
      this.batches.length = 0;
      this.held = null;
    }
    return this.grounds;
  }

  /** Keeps a batch that is about to be shown. `known`: its policy on the states of each level. */
  keep(plan: Plan, view: BatchView, known: ReadonlyMap<number, Float32Array>): CreditBatch {
    const grounds = this.groundsOf(plan);
    const kept = this.find(view);
    // the same update after a reset is another batch
    if (kept && sameBatch(kept.view, view)) return kept;
    const batch = new CreditBatch(grounds, view, known);
    const old = this.batches.findIndex((b) => b === kept);
    if (old >= 0) this.batches.splice(old, 1);
    if (this.held === kept) this.held = null;
    this.batches.push(batch);
    const most = Math.max(1, Math.min(KEPT, Math.floor(KEPT_BYTES / bytesOf(view))));
    if (this.batches.length > most) this.batches.splice(0, this.batches.length - most);
    return batch;
  }

  private find({ update, replica }: BatchName): CreditBatch | undefined {
    const is = ({ view }: CreditBatch): boolean => view.update === update && view.replica === replica;
    return this.batches.findLast(is) ?? (this.held && is(this.held) ? this.held : undefined);
  }

  /** Someone looks at this batch for longer: it stays until another one is held. False if it is gone already. */
  hold(name: BatchName): boolean {
    const found = this.find(name);
    if (found) this.take(found);
    return found !== undefined;
  }

  private take(batch: CreditBatch): void {
    if (this.held !== batch) this.held?.release();
    this.held = batch;
  }

  /** The answer, with the code that it takes. */
  async ask(request: CreditRequest, now: () => number): Promise<CreditAnswer> {
    await prepareEstimators(request.methods.map(({ id }) => id));
    return this.answer(request, now, request.workMs > 0 ? await slowCode() : null);
  }

  /** `slow`: the code for what takes long; without it only what is known already is told. */
  answer(request: CreditRequest, now: () => number, slow: Slow | null = null): CreditAnswer {
    const { update, replica, methods, withArrays, workMs } = request;
    const batch = this.find({ update, replica });
    if (!batch) return { update, replica, isKept: false, ...NOTHING };
    this.take(batch);
    const asked = methods.slice(0, 4);
    const until = now() + workMs;
    if (workMs > 0 && slow) batch.workOn(asked, () => now() >= until, slow);
    return { update, replica, isKept: true, ...batch.answer(asked, withArrays) };
  }

  /** The policy that played a step, from the inside; null if the batch is gone. */
  async inside(request: InsideRequest): Promise<Inside | null> {
    const batch = this.find(request);
    const { plan } = this;
    if (!batch || !plan) return null;
    // most visits never look there
    const { insideOf } = await import('./inside.ts');
    return insideOf(plan, batch.view, request);
  }

  /** What was told and paid in a batch. */
  async rewards(request: RewardRequest): Promise<RewardAnswer> {
    const { rewardsOf } = await import('./rewardView.ts');
    const { update, replica } = request;
    const batch = this.find(request);
    if (!batch) return { update, replica, isKept: false, episode: null, batch: null };
    return { isKept: true, ...rewardsOf(this.grounds!, batch.view, request) };
  }

  async explain(request: ExplainRequest): Promise<StepAnswer> {
    const [{ aroundStep }, { explainerOf }] = await Promise.all([
      import('./creditStep.ts'),
      import('./explainers.ts'),
      prepareEstimators([request.id]),
    ]);
    const { update, replica } = request;
    const batch = this.find(request);
    if (batch) {
      const i = Math.max(0, Math.min(request.i, batch.view.batch.B - 1));
      const t = Math.max(0, Math.min(request.t, batch.view.batch.length[i]! - 1));
      const asked = { ...request, i, t };
      return { ...batch.explain(asked, explainerOf(request.id)), ...aroundStep(this.grounds!, batch.view, asked) };
    }
    return {
      ...{ update, replica, isKept: false, title: '', why: null, explanation: null, A: 0, parts: [], kernels: [] },
      sameState: new Uint32Array(),
      toGo: new Float32Array(),
      judgedToGo: null,
      best: null,
      signals: null,
      paidTruth: null,
    };
  }
}

/** The code for what is slow about credit; who asks for it again has it at once. */
export async function slowCode(): Promise<Slow> {
  const [deep, fork] = await Promise.all([import('./creditDeep.ts'), import('./creditFork.ts')]);
  return { ...deep, ...fork };
}

function sameBatch(a: BatchView, b: BatchView): boolean {
  return a.A.length === b.A.length && a.theta.every((x, k) => x === b.theta[k]);
}

function bytesOf({ batch, state, probs, theta, versions }: BatchView): number {
  let bytes = state.byteLength + probs.byteLength + theta.byteLength * (1 + (versions?.weights.length ?? 0));
  for (const values of Object.values(batch)) if (typeof values === 'object') bytes += values.byteLength;
  return bytes;
}
