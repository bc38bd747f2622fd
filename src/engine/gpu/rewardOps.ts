import { CLAIM_WORDS, SLOTS } from '../../contract/countTable.ts';
import { signalColumns, type SignalName, type StateColumn } from '../../contract/signals.ts';
import type { News } from '../../contract/tags.ts';
import { countCalls } from '../../gpu/counts.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { RowKernel } from '../../gpu/shaders/signalKernels.ts';
import { whole, type Slice } from '../../gpu/recorder.ts';
import type { Column } from '../../slots/types.ts';
import type { Labeling, ModelLearning, ModelSays, Ranking, RewardOps } from '../../slots/reward/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { GpuCreditOps } from './creditOps.ts';
import type { NetOnGpu } from './rewardNet.ts';

/** Where signals and other columns of states are. */
export type StateValues = { slice(name: SignalName | StateColumn): Slice };

/** The operations of reward modules as dispatches on the run's buffers, beside those that they share with credit. */
export class GpuRewardOps extends GpuCreditOps implements RewardOps {
  private readonly signals: StateValues;
  /** name before the tensors of the module at hand */
  module = '';
  /** what the world paid, or modules before the one at hand */
  paid: Column;
  private readonly knownOf: ReadonlyMap<string, GPUBuffer>;

  /** `known`: [S, B] what modules say is known of a batch, by their ids */
  constructor(plan: Plan, b: RunBuffers, signals: StateValues, known: ReadonlyMap<string, GPUBuffer> = new Map()) {
    super(plan, b);
    this.signals = signals;
    this.knownOf = known;
    this.paid = { per: 'step', handle: b.columns.reward };
  }

  signal(name: SignalName | StateColumn): Column {
    const isRow = name === 'outcomeScore';
    return { per: isRow ? 'trajectory' : 'step', handle: this.signals.slice(name) };
  }

  before(name: SignalName | StateColumn): Column {
    return this.stateOf(name, 0, 'keep');
  }

  after(name: SignalName | StateColumn, end: 'zero' | 'keep'): Column {
    return this.stateOf(name, 1, end);
  }

  private stateOf(name: SignalName | StateColumn, ahead: number, end: 'zero' | 'keep'): Column {
    return this.moved(this.signal(name), ahead, end);
  }

  /** A column of T + 1 entries, so far ahead. */
  private moved(x: Column, ahead: number, end: 'zero' | 'keep'): Column {
    const y = this.make('step');
    this.op(kernels.rewardAt, x, y, { ahead, keeps: end === 'keep' ? 1 : 0 });
    return y;
  }

  gains(name: SignalName): Column {
    return this.ofRows('gains', name);
  }

  upTo(name: SignalName): Column {
    return this.ofRows('upTo', name);
  }

  product(name: SignalName): Column {
    return this.ofRows('product', name);
  }

  named(name: SignalName): Column {
    return this.ofRows('named', name);
  }

  private ofRows(of: RowKernel, name: SignalName): Column {
    const { S, B, T } = this.plan;
    const spec: { readonly per: string; readonly width?: () => number } = signalColumns[name];
    const y = this.make('step');
    const buffers = { x: this.slice(this.signal(name)), length: this.b.columns.length, y: this.slice(y) };
    const lanes = of === 'gains' || of === 'upTo' ? S * B : S * B * T;
    const load = async () => (await import('../../gpu/shaders/signalKernels.ts')).rowKernels[of];
    this.add(load, buffers, { rows: S * B, cols: T, width: spec.width?.() ?? 1 }, [Math.ceil(lanes / 64)]);
    return y;
  }

  override earnedTags(news: News): Column {
    return this.earned(news, (name) => this.signals.slice(name));
  }

  byBudget(table: Float32Array, late: number, clamp: boolean): Column {
    const rows = this.plan.S * this.plan.B;
    const { budget, budgetReward: kept, length, ending } = this.b.columns;
    const paid = this.make('trajectory');
    const buffers = { budget, length, ending, table: this.given(table), kept, paid: this.slice(paid) };
    const load = async () => (await import('../../gpu/shaders/signalKernels.ts')).budgetPay;
    const dims = { rows, L: table.length - 1, late, clamp_: clamp ? 1 : 0 };
    this.add(load, buffers, dims, [Math.ceil(rows / 64)]);
    return paid;
  }

  byModel({ labels: names, ...how }: ModelLearning, pay: (model: ModelSays) => Column): Column {
    const { plan, b, module } = this;
    const states = plan.S * plan.B * (plan.T + 1);
    const given = how.looks === 0;
    const labels = names.map((name) => this.signals.slice(name));
    const y = given ? labels.at(-1)! : whole(this.scratch(how.learns === 'rows' ? plan.S * plan.B : states));
    const [slope, hidden, deltas] = [1, 16, 16].map((n) => this.scratch(given && n > 1 ? 1 : n * states));
    const net = { plan, b, module, ...how, y, labels, room: { slope, hidden, deltas } } as NetOnGpu;
    const load = () => import('./rewardNet.ts');
    if (!given) this.later(async (list) => (await load()).addAnswers(list, net));
    const at = (ahead: number) => (): Column => this.moved({ per: 'step', handle: y }, ahead, 'zero');
    const paid = pay({ before: at(0), after: at(1), row: () => ({ per: 'trajectory', handle: y }) });
    this.later(async (list) => (await load()).addLooks(list, net));
    return paid;
  }

  netWins(name: SignalName, { order: [k0, k1, k2], sigma }: Ranking): Column {
    const { S, B } = this.plan;
    const { taskIndex, decidedBy, modelError } = this.b.columns;
    const wins = this.make('trajectory');
    const counts = this.scratch(4 * S * B);
    const buffers = { z: this.signals.slice(name), taskIndex, wins: this.slice(wins), counts, decided: decidedBy };
    const dims = { B, block: this.block, k0, k1, k2, sigma };
    const load = () => import('../../gpu/shaders/signalKernels.ts');
    this.add(async () => (await load()).rankedPairs.rows, buffers, dims, [Math.ceil(B / 64), 1, S]);
    this.add(async () => (await load()).rankedPairs.join, buffers, dims, [1, 1, S]);
    const none = new Float32Array(S).fill(NaN);
    this.later(async () => this.b.gpu.device.queue.writeBuffer(modelError.buffer, modelError.offset, none));
    return wins;
  }

  labeled(name: string, worth: Float32Array, { answers, flip }: Labeling): Column {
    const { S, B, T } = this.plan;
    const y = this.make('step');
    const told = { message: this.signals.slice('message'), milestone: this.signals.slice('milestoneStep') };
    const book = this.b.tensors.buffer(`${this.module}.${name}`);
    const buffers = { ...told, length: this.b.columns.length, worth: this.given(worth), book, y: this.slice(y) };
    // x / 2³² < flip for a whole number x
    const wrong = Math.max(0, Math.ceil(flip * 2 ** 32) - 1);
    const dims = { rows: S * B, B, T, answers, noisy: Number(flip > 0), wrong };
    const load = async () => (await import('../../gpu/shaders/signalKernels.ts')).labelBook;
    this.add(async () => (await load()).labels, buffers, dims, [Math.ceil((S * B * T) / 64)]);
    this.add(async () => (await load()).note, buffers, dims, [1, 1, S]);
    return y;
  }

  get knownOfBatch(): Column {
    return { per: 'trajectory', handle: whole(this.knownOf.get(this.module)!) };
  }

  get limit(): number {
    return this.plan.T;
  }

  final(name: SignalName): Column {
    return this.endOf(this.signal(name), 3);
  }

  meanOfRow(x: Column): Column {
    const y = this.make('trajectory');
    this.op(kernels.rewardMean, x, y);
    return y;
  }

  atEnd(x: Column): Column {
    const y = this.make('step');
    this.op(kernels.rewardLast, x, y);
    return y;
  }

  counted(table: string, exponent: number): Column {
    const { S, B, T } = this.plan;
    const { stateKey: key, finalStateKey: finalKey, length } = this.b.columns;
    const { assign } = this.b;
    const y = this.make('step');
    const buffers = {
      ...{ key, finalKey, length, assign, y: this.slice(y) },
      steps: this.scratch(3 * S * B * T),
      claims: this.scratch(S * CLAIM_WORDS),
      table: this.b.tensors.buffer(`${this.module}.${table}`),
    };
    for (const call of countCalls(S, B, T, SLOTS, exponent)) this.add(call.kernel, buffers, call.dims, call.groups);
    return y;
  }

  /** Writes r′ and its sums into what the estimator sees. */
  pay(x: Column): void {
    const { reward, outcome } = this.b.shaped!;
    this.op(kernels.rewardPay, x, { per: 'step', handle: whole(reward) }, {}, outcome);
  }

  /** Writes the sum of x over the steps of each row. */
  sum(x: Column, into: Slice): void {
    const { buffer } = into;
    this.op(kernels.rewardPay, x, this.make('step'), {}, buffer);
  }
}
