import { PURPOSE, random, uniform } from '../../core/random.ts';
import type { UnitSet } from '../../methods/types.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import type { CpuPolicy } from './policy.ts';

/** The minibatch that is looked at: of which update, and how many were looked at before in it. */
export type SurveyAt = { readonly s: number; readonly update: number; readonly pass: number };

/**
 * For objectives that look at a whole minibatch before they judge single units: log-probabilities of all its units with
 * the present parameters, then the marks. One more forward pass per minibatch; other objectives never come here.
 */
export class Survey {
  /** mark of unit d of a step at step·unitsMax + d; with the ratio per step all units of a step have the same */
  readonly mark: Float64Array;
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly now: Float64Array;
  private readonly step: Int32Array;

  constructor(plan: Plan, policy: CpuPolicy) {
    const units = plan.S * plan.B * plan.T * policy.unitsMax;
    this.plan = plan;
    this.policy = policy;
    this.now = new Float64Array(units);
    this.mark = new Float64Array(units);
    this.step = new Int32Array(policy.chunk);
  }

  run(arrays: Arrays, theta: Float32Array, A: Float32Array, trajectories: Uint32Array, at: SurveyAt): void {
    const { plan, policy, mark } = this;
    this.forward(arrays, theta, trajectories, at.s);
    const K = policy.unitsMax;
    const old = K === 1 ? arrays.logp : arrays.unitLogp;
    const perStep = plan.ratioLevel === 'step';
    const place: number[] = [];
    const credit: number[] = [];
    const delta: number[] = [];
    const logp: number[] = [];
    const trajectory: number[] = [];
    for (const i of trajectories) {
      const row = at.s * plan.B + i;
      for (let t = 0; t < arrays.length[row]!; t++) {
        const step = row * plan.T + t;
        const n = policy.unitsAt(arrays, step);
        for (let d = 0; d < n; d++) {
          const moved = this.now[step * K + d]! - old[step * K + d]!;
          if (perStep && d > 0) {
            delta[delta.length - 1]! += moved;
            logp[logp.length - 1]! += this.now[step * K + d]!;
            continue;
          }
          place.push(step * K + d);
          credit.push(A[step]!);
          delta.push(moved);
          logp.push(this.now[step * K + d]!);
          trajectory.push(i);
        }
      }
    }
    const seed = plan.seeds[at.s]!;
    const first = at.s * plan.B * plan.T * K;
    const set: UnitSet = {
      A: Float64Array.from(credit),
      delta: Float64Array.from(delta),
      logp: Float64Array.from(logp),
      // a batch is always sampled by the parameters its update starts with
      prox: new Float64Array(place.length),
      trajectory: Uint32Array.from(trajectory),
      draw: (u) => uniform(random(seed, PURPOSE.surveyDraw, at.update, at.pass, place[u]! - first)),
    };
    const found = new Float64Array(place.length);
    if (place.length > 0) plan.objective.survey!(set, plan.objectiveParams as never, found);
    place.forEach((to, u) => (mark[to] = found[u]!));
  }

  private forward(arrays: Arrays, theta: Float32Array, trajectories: Uint32Array, s: number): void {
    const { plan, policy, step, now } = this;
    let n = 0;
    for (const i of trajectories) {
      const row = s * plan.B + i;
      for (let t = 0; t < arrays.length[row]!; t++) {
        step[n] = row * plan.T + t;
        if (++n < policy.chunk) continue;
        policy.unitLogProbs(arrays, theta, s, step, n, now);
        n = 0;
      }
    }
    if (n > 0) policy.unitLogProbs(arrays, theta, s, step, n, now);
  }
}
