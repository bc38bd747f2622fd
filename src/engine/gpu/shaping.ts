import { columnOf, sizeOf } from '../../contract/columns.ts';
import { REWARD_PARTS } from '../../contract/columnTable.ts';
import { stateColumns, type SignalName } from '../../contract/signals.ts';
import { zeros, type NumberArray } from '../../contract/numbers.ts';
import { lengthOf, tensorsOf, type TensorSpec, type TrainState } from '../../contract/state.ts';
import type { Gpu } from '../../gpu/device.ts';
import { CommandList, whole, type Slice } from '../../gpu/recorder.ts';
import { makePaidArrays, sizesOf as columnSizes } from '../arrays.ts';
import { Shaping } from '../cpu/shaping.ts';
import { memorySpec, partOf, rewardMemory } from '../rewards.ts';
import { stateSizes } from '../stateTable.ts';
import type { Column } from '../../slots/types.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { paceOf, sizesOf } from './pace.ts';
import { GpuRewardOps, type StateValues } from './rewardOps.ts';
import { madeBy, readsSignalsOnDevice, shapesOnGpu } from './shapesOnGpu.ts';
import { GpuSignals } from './signals.ts';
import type { GpuStateColumns } from './stateColumns.ts';
import { Sequence } from './tokenSequence.ts';

/**
 * Between rollout and credit: signals of the batch, and what the reward modules make of the reward of the world. Loaded where
 * a run has either.
 */
export class GpuShaping {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly signals: GpuSignals | null;
  /** one replica at a time, where modules are computed on the CPU */
  private readonly cpu: Shaping | null;
  /** [S, B, T] marks of planning steps for credit on the device, where a module makes them */
  readonly planMask: Slice | null;
  /** [S, B] of each part of the reward, where the estimator reads them; the first is none where a module replaces it */
  readonly rewardParts: readonly (Slice | undefined)[] | null;
  /** [S, B] what modules say is known of a batch, by their ids */
  private readonly known = new Map<string, GPUBuffer>();
  /** what signals are not; null where no module needs it, or all are computed on the CPU */
  private states: GpuStateColumns | null = null;
  private list: Sequence | null = null;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    const onGpu = shapesOnGpu(plan);
    this.cpu = onGpu ? null : new Shaping(plan, makePaidArrays(plan));
    for (const { module } of onGpu ? plan.rewards : [])
      if (module.known) this.known.set(module.id, this.room(plan.S * plan.B));
    this.makeRoom();
    const hasMarks = madeBy(plan).includes('planMask');
    this.planMask = hasMarks ? whole(this.room(plan.S * plan.B * plan.T)) : null;
    const { rewards, estimator } = plan;
    const world = rewards.some(({ module }) => module.kind === 'replacing') ? undefined : b.columns.outcome;
    const modules = Array.from({ length: REWARD_PARTS - 1 }, (_, k) =>
      k < rewards.length ? whole(this.room(plan.S * plan.B)) : undefined,
    );
    this.rewardParts = estimator.needs.includes('rewardParts') ? [world, ...modules] : null;
    this.signals = onGpu || readsSignalsOnDevice(plan) ? GpuSignals.of(gpu, plan, b) : null;
    if (readsSignalsOnDevice(plan)) this.signals!.keep(estimator.needs);
  }

  /** Columns that modules make lie on the device wherever those are computed, as credit there may read them. */
  private makeRoom(): void {
    const { plan, b } = this;
    for (const name of madeBy(plan)) {
      if (columnOf(name).type === 'f32') b.batch.keep(name, whole(this.room(plan.S * sizeOf(name, columnSizes(plan)))));
    }
  }

  private room(floats: number): GPUBuffer {
    const buffer = this.gpu.buffer('credit', floats, 0x80 | 0x04 | 0x08);
    this.b.all.push(buffer);
    return buffer;
  }

  async record(): Promise<void> {
    // loaded with the backend, so that a run never waits for it
    if (this.cpu) await import('./payOnCpu.ts');
    const { gpu, plan, b, signals } = this;
    if (this.cpu && !signals) return;
    const sequence = new Sequence(paceOf(gpu, `shape ${plan.rewards.map((r) => r.module.id).join()} ${sizesOf(plan)}`));
    const list = sequence.add(new CommandList(gpu, 'shape', b.all));
    await signals?.addTo(list);
    if (!this.cpu && plan.rewards.length > 0) await this.addTo(list);
    this.list = sequence;
  }

  /** Adds what pays where every module has a form for the device. */
  private async addTo(list: CommandList): Promise<void> {
    const { gpu, plan, b, signals } = this;
    const needs = plan.rewards.flatMap(({ module }): readonly string[] => module.needs);
    if (!this.states && [...stateColumns, 'budget'].some((name) => needs.includes(name)))
      this.states = new (await import('./stateColumns.ts')).GpuStateColumns(gpu, plan, b);
    const { states } = this;
    await states?.addTo(list);
    // a module asks for nothing that it does not need
    const slice: StateValues['slice'] = (name) => states?.slice(name) ?? signals!.slice(name as SignalName);
    const ops = new GpuRewardOps(plan, b, { slice }, this.known);
    const paid: Column[] = [];
    for (const [m, { module, params }] of plan.rewards.entries()) {
      ops.module = module.id;
      const made = module.gpu!(ops, params as never);
      const k = partOf(m);
      paid[k] = paid[k] ? ops.combine(1, paid[k], 1, made) : made;
      ops.paid = module.kind === 'replacing' ? made : ops.combine(1, ops.paid, 1, made);
    }
    ops.pay(ops.paid);
    if (this.rewardParts) paid.forEach((made, k) => ops.sum(made, this.rewardParts![k]!));
    await ops.flush(list);
  }

  /** Pays the batch of the last rollout. Waits only where a module is computed on the CPU, or tables need more room. */
  pay(tasks: Tasks): void | Promise<void> {
    if (!this.cpu) return this.paySignals(tasks);
    return this.payOnCpu(this.cpu, tasks).then(() => (this.signals ? this.paySignals(tasks) : undefined));
  }

  private paySignals(tasks: Tasks): void | Promise<void> {
    this.states?.put(tasks);
    if (this.signals?.put(tasks) !== false) return this.submit();
    return this.record().then(() => this.submit());
  }

  private submit(): void {
    this.putKnown();
    this.list!.submit(this.gpu.device, 'shape');
  }

  /** A state in which modules that never ran are where they begin. */
  begun(state: TrainState): TrainState {
    const { plan } = this;
    const starting = this.cpu ? [] : plan.rewards.filter(({ module }) => module.begin);
    if (starting.length === 0) return state;
    const sizes = stateSizes(plan);
    const of = ([name, spec]: [string, TensorSpec]): [string, NumberArray] => {
      const n = plan.S * lengthOf(spec, sizes);
      const own = state.tensors[name];
      return [name, own?.length === n ? own.slice() : zeros(spec.type, n)];
    };
    const memory = Object.fromEntries(Object.entries(memorySpec(plan)).map(of));
    for (const { module, params } of starting)
      for (let s = 0; s < plan.S; s++)
        module.begin!(tensorsOf(rewardMemory(plan, memory, s), module.id), params as never);
    return { ...state, tensors: { ...state.tensors, ...memory } };
  }

  /** Tells the device what modules know of this batch, which they count. */
  private putKnown(): void {
    const { gpu, plan, b, known } = this;
    const { S, B } = plan;
    for (const { module, params } of plan.rewards) {
      const buffer = known.get(module.id);
      if (!buffer) continue;
      const values = new Float32Array(S * B);
      for (let s = 0; s < S; s++) {
        const memory = tensorsOf(rewardMemory(plan, b.tensors.host.tensors, s), module.id);
        values.fill(module.known!(memory, params as never), s * B, (s + 1) * B);
      }
      gpu.device.queue.writeBuffer(buffer, 0, values);
    }
  }

  private async payOnCpu(shaping: Shaping, tasks: Tasks): Promise<void> {
    const { gpu, plan, b, rewardParts, planMask } = this;
    const { payOnCpu } = await import('./payOnCpu.ts');
    await payOnCpu({ gpu, plan, b, rewardParts, planMask }, shaping, tasks);
  }
}
