import type { ScoreLayers, StepControl } from '../../slots/types.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import type { Waiting } from '../waiting.ts';
import { surveyMinibatch, type SurveyAt } from '../unitSet.ts';
import { askAbout, type Asking } from './asking.ts';
import { MeanChange } from './meanChange.ts';
import { powersOf } from './powers.ts';
import type { CpuPolicy, Learning } from './policy.ts';
import type { Spread } from './update.ts';

type Credited = Pick<Learning, 'arrays' | 'theta' | 'A'>;

/**
 * For objectives that look at a whole minibatch before they judge single units: log-probabilities of all its units with
 * the present parameters, then the marks. One more forward pass per minibatch; other objectives never come here.
 */
export class Survey {
  /** mark of unit d of a step at step·unitsMax + d; with the ratio per step all units of a step have the same */
  readonly mark: Float64Array;
  /** what the last survey of every replica asked and told */
  readonly asked: StepControl[] = [];
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly now: Float64Array;
  private readonly step: Int32Array;
  private readonly gradient: Float32Array;
  private readonly slope: Float64Array;
  private readonly means: MeanChange | null;
  private readonly scored: ScoreLayers | null;

  private readonly unitA: Float32Array | null;

  /** `columns`: those of the update */
  constructor(plan: Plan, policy: CpuPolicy, columns: Arrays) {
    this.plan = plan;
    this.unitA = columns.unitCredit.length > 0 ? columns.unitCredit : null;
    this.policy = policy;
    this.now = columns.logpNow;
    this.mark = columns.mark;
    this.step = new Int32Array(policy.chunk);
    this.scored = plan.objective.readsScores?.(plan.objectiveParams as never) ?? null;
    this.gradient = policy.kernels.floats(this.scored ? plan.layout.size : 0);
    this.means = plan.objective.readsMeans ? new MeanChange(plan, policy) : null;
    this.slope = new Float64Array(policy.chunk).fill(1);
  }

  /** Marks the units of a minibatch. `prox`: log π_prox of all units, null on fresh data. */
  run(credited: Credited, trajectories: Uint32Array, prox: Float64Array | null, at: SurveyAt): StepControl {
    this.ask(this.about(credited, at), trajectories);
    return this.judge(credited, trajectories, prox, at);
  }

  /** The same where other cores may be asked. */
  *runOn(
    spread: Spread | null,
    credited: Credited,
    trajectories: Uint32Array,
    prox: Float64Array | null,
    at: SurveyAt,
  ): Waiting<StepControl> {
    const about = this.about(credited, at);
    if (!spread || !(yield* spread.ask(about, trajectories))) this.ask(about, trajectories);
    return this.judge(credited, trajectories, prox, at);
  }

  private about({ arrays, theta }: Credited, { s }: SurveyAt): Omit<Asking, 'n'> {
    return { arrays, theta, s, step: this.step };
  }

  private ask(about: Omit<Asking, 'n'>, trajectories: Uint32Array): void {
    askAbout(this.plan, about, (asking) => this.policy.unitLogProbs(asking, this.now), trajectories);
  }

  private judge(
    { arrays, theta, A }: Credited,
    trajectories: Uint32Array,
    prox: Float64Array | null,
    at: SurveyAt,
  ): StepControl {
    const { plan, policy, now } = this;
    const { s } = at;
    const K = policy.unitsMax;
    const steps = plan.B * plan.T;
    const { origin } = arrays;
    const part = <T extends { subarray(from: number, to: number): T }>(array: T, each: number): T =>
      array.subarray(s * each, (s + 1) * each);
    return (this.asked[s] = surveyMinibatch(plan, trajectories, at, {
      unitsMax: K,
      length: part(arrays.length, plan.B),
      unitsAt: (k) => policy.unitsAt(arrays, s * steps + k),
      A: part(A, steps),
      ...(this.unitA ? { unitA: part(this.unitA, steps * K) } : {}),
      now: part(now, steps * K),
      old: part(K === 1 ? arrays.logp : arrays.unitLogp, steps * K),
      prox: prox && part(prox, steps * K),
      ...(this.means ? { meanChange: this.means.of(arrays, theta, s, trajectories) } : {}),
      ...(plan.objective.readsPowers ? { powers: powersOf(plan, policy, { arrays, theta, s }, trajectories) } : {}),
      ...(plan.objective.readsEntropy
        ? { entropy: part(K === 1 ? arrays.entropy : arrays.unitEntropy, steps * K) }
        : {}),
      outcome: part(arrays.outcome, plan.B),
      task: part(arrays.taskIndex, plan.B),
      ...(origin.length > 0 ? { origin: part(origin, plan.B) } : {}),
      scoreNorms: (members) => Float64Array.from(members, (i) => this.scoreNorm(arrays, theta, s, i)),
      mark: part(this.mark, steps * K),
    }));
  }

  /** ‖∇ log π(τ_i)‖² of all decisions of a trajectory. */
  private scoreNorm(arrays: Arrays, theta: Float32Array, s: number, i: number): number {
    const { gradient, policy, step, slope, scored } = this;
    gradient.fill(0);
    const add = (asking: Asking): void => policy.addLogpGradient(asking, slope, gradient, scored ?? 'all');
    askAbout(this.plan, { arrays, theta, s, step }, add, [i]);
    let total = 0;
    for (const g of gradient) total += g * g;
    return total;
  }
}
