import { type TrainState, replicasOf, thetaOf } from '../contract/state.ts';
import { configWith } from '../config/schema.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { ratioOf } from '../core/math/ratio.ts';
import { clipByNorm, globalNorm } from '../core/math/gradientNorm.ts';
import { learningRateAt } from '../core/math/schedule.ts';
import type { Coefficient } from '../slots/types.ts';
import { CHECKED_SLOTS } from '../engine/backend.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { restricted } from '../engine/cpu/restricted.ts';
import { restrictionIn } from '../engine/restriction.ts';
import { makeCpuPolicy } from '../engine/cpu/policy.ts';
import { minibatchesOf } from '../engine/minibatch.ts';
import { seenBy } from '../engine/past.ts';
import { makePlan, type Plan, type Tasks } from '../engine/plan.ts';
import { Run } from '../engine/run.ts';
import { tasksAt } from '../engine/taskFeed.ts';
import { Snapshots } from './snapshot.ts';
import type { Snapshot } from './snapshotTypes.ts';
import type { OptimizerStop, UnitsSeen, WalkedUpdate } from './stepThroughTypes.ts';

/** A walk with the parameters it ends with, by which the run's own update is checked. */
export type Walk = { readonly walk: WalkedUpdate; readonly theta: Float32Array; readonly replica: number };

/**
 * The next update of one replica, slot by slot. It is the same code on the same numbers: the run with this seed alone is
 * bit-identical to the replica, so a run of one replica starts from a copy of the state, with an objective and an
 * optimizer that write down what passes through them. The run itself does not move. `plan` is the one in force there.
 */
export async function walkUpdate(plan: Plan, state: TrainState, replica: number): Promise<Walk> {
  const alone = makePlan(configWith({ 'run.seeds': 1, 'run.seed': plan.seeds[replica]! }, plan.config));
  if (!alone.ok) throw new Error('The plan of a run could not be made again for one seed.');
  const start = replicasOf(state, plan.S, replica, 1);
  const log = new Log(plan, replica, tasksAt(alone.value, start));
  const watched: Plan = { ...log.watch(alone.value), evalEvery: 0 };
  const run = await Run.create(watched, makeCpuBackend, { state: start, chain: [] });
  const record = await run.submit();
  const after = await run.backend.save();
  const snapshot = { ...(await new Snapshots().make(run, 0)), replica };
  const slot = CHECKED_SLOTS[record.bad[0]! - 1];
  const walk: WalkedUpdate = {
    snapshot,
    epochs: plan.epochs,
    minibatches: plan.minibatches,
    clipNorm: plan.clipNorm,
    learningRate: learningRateAt(plan.schedule, plan.live.learningRate, state.update, plan.updates),
    stops: log.stops,
    end: log.end(snapshot.length),
    approxKL: record.metrics[metricIndex.approxKL]!,
    policy: policiesOf(alone.value, snapshot, thetaOf(start), after),
    bad: slot ?? null,
  };
  run.dispose();
  return { walk, theta: thetaOf(after), replica };
}

/** Writes down what passes through objective and optimizer. */
class Log {
  readonly stops: OptimizerStop[] = [];
  private readonly plan: Plan;
  private readonly batches: readonly Uint32Array[];
  private readonly pending: { seen: UnitsSeen; trajectories: Uint32Array }[] = [];
  private units: { A: number[]; delta: number[]; clip: number[] } = { A: [], delta: [], clip: [] };
  /** the policy's parameters: a process model is trained by the same optimizer */
  private own: Float32Array | null = null;

  constructor(plan: Plan, replica: number, { update, taskIndex }: Tasks) {
    this.plan = plan;
    const partsOf = (epoch: number): Uint32Array[] => minibatchesOf(plan, replica, update, epoch, taskIndex);
    this.batches = Array.from({ length: plan.epochs }, (_, e) => partsOf(e)).flat();
  }

  /** The plan with a watched objective and optimizer. The norm limit moves into the optimizer, to be seen from both sides. */
  watch(plan: Plan): Plan {
    const { objective, optimizer } = plan;
    // every step by its definition, or nobody would see it
    const { moments: _kernel, ...defined } = optimizer;
    return {
      ...plan,
      clipNorm: 0,
      objective: {
        ...objective,
        coefficient: (unit, params, out: Coefficient) => {
          objective.coefficient(unit, params, out);
          this.units.A.push(unit.A);
          this.units.delta.push(unit.delta);
          this.units.clip.push(out.clip);
        },
      },
      optimizer: {
        ...defined,
        step: (net, step, learningRate, params) => {
          const { theta, gradient } = net;
          this.own ??= theta;
          if (theta.buffer !== this.own.buffer || theta.byteOffset !== this.own.byteOffset) {
            optimizer.step(net, step, learningRate, params);
            return;
          }
          const gradNorms = this.normsOf(gradient);
          const before = theta.slice();
          const gradNorm = clipByNorm(gradient, plan.clipNorm);
          optimizer.step(net, step, learningRate, params);
          this.book(gradNorm, globalNorm(gradient), gradNorms, before, theta);
        },
      },
    };
  }

  private book(
    gradNorm: number,
    usedNorm: number,
    gradNorms: readonly number[],
    before: Float32Array,
    theta: Float32Array,
  ): void {
    const { tensors } = this.plan.layout;
    const change = theta.map((x, k) => x - before[k]!);
    const moved = this.normsOf(change);
    const at = this.stops.length;
    this.stops.push({
      ...this.take(this.batches[at] ?? new Uint32Array()),
      epoch: Math.floor(at / this.plan.minibatches),
      minibatch: at % this.plan.minibatches,
      gradNorm,
      usedNorm,
      tensors: tensors.map(({ name }, k) => ({ name, gradNorm: gradNorms[k]!, moved: moved[k]! })),
      updateNorm: globalNorm(change),
      weightNorm: globalNorm(theta),
    });
  }

  private normsOf(flat: Float32Array): number[] {
    return this.plan.layout.tensors.map(({ offset, rows, cols }) =>
      globalNorm(flat.subarray(offset, offset + rows * cols)),
    );
  }

  /** Units since the last call. Which step each belongs to is filled in when the lengths are known. */
  private take(trajectories: Uint32Array): UnitsSeen {
    const { A, delta, clip } = this.units;
    this.units = { A: [], delta: [], clip: [] };
    const seen = {
      A: Float32Array.from(A),
      ratio: Float32Array.from(delta, ratioOf),
      clip: Uint8Array.from(clip),
      step: new Uint32Array(A.length),
    };
    this.pending.push({ seen, trajectories });
    return seen;
  }

  /** The units of the whole batch that were looked at last, and the places of all. */
  end(length: Uint32Array): UnitsSeen {
    const last = this.take(Uint32Array.from(length.keys()));
    const { T } = this.plan;
    const places = this.pending.map(({ seen, trajectories }) => {
      const steps = Array.from(trajectories).flatMap((i) => Array.from({ length: length[i]! }, (_, t) => i * T + t));
      return steps.length === seen.A.length ? Uint32Array.from(steps) : new Uint32Array();
    });
    this.stops.forEach((stop, k) => (this.stops[k] = { ...stop, step: places[k]! }));
    return { ...last, step: places.at(-1)! };
  }
}

/** π of every state of the batch with both parameters; null for a policy that also reads what came before. */
function policiesOf(
  plan: Plan,
  { B, T, state, length, levelSeeds }: Snapshot,
  before: Float32Array,
  after: TrainState,
): WalkedUpdate['policy'] {
  const { env, actions, obsWords, policy } = plan;
  if (policy.reads > 0) return null;
  // what restricts is renewed before an update, so the one after it is the one that played
  const cpu = restricted(plan, makeCpuPolicy(plan), restrictionIn(plan, after.tensors));
  const obs = new Uint32Array(B * T * obsWords);
  const legal = new Uint32Array(B * T).fill(0xffffffff);
  for (let i = 0; i < B; i++) {
    const level = plan.level(levelSeeds[i]!);
    for (let t = 0; t < length[i]!; t++) {
      const at = (i * (T + 1) + t) * env.words;
      env.observe(level, state, at, obs, (i * T + t) * obsWords);
      legal[i * T + t] = env.legal(level, state, at);
    }
  }
  const probsOf = (theta: Float32Array): Float32Array => {
    const out = new Float32Array(B * T * actions);
    cpu.probsOf(theta, obs, legal, B * T, out);
    return out;
  };
  return { before: probsOf(seenBy(plan, before)), after: probsOf(seenBy(plan, thetaOf(after))) };
}
