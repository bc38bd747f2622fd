import type { FirstLayer, History, Network } from '../../contract/network.ts';
import { Units, unitsIn } from '../../contract/units.ts';
import { entropyOf, scoreNorm } from '../../core/math/distribution.ts';
import { random, uniform } from '../../core/random.ts';
import type { ScoreLayers } from '../../slots/types.ts';
import { makeNetwork, treeOf } from '../../networks/policy.ts';
import type { Kernels } from '../../networks/kernels.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import type { Asking } from './asking.ts';
import { beat } from './beat.ts';
import type { Acting, CpuPolicy, Learning, Seen } from './policy.ts';
import { PlayMemory } from './playMemory.ts';
import { StepLoss, type UnitColumns } from './unitLoss.ts';
import { ACTION_PURPOSE } from './units.ts';

/** The columns of the units of a batch: a step that is one unit has them as its own. */
const columnsOf = (arrays: Arrays): UnitColumns & { readonly entropy: Float32Array; readonly written: Uint32Array } =>
  arrays.command.length > 0
    ? { logp: arrays.unitLogp, entropy: arrays.unitEntropy, delta: arrays.unitDelta, written: arrays.command }
    : { logp: arrays.logp, entropy: arrays.entropy, delta: null, written: arrays.action };

/** A network that decides: every step is one unit or several, each a choice of its own from the network's logits. */
export class UnitPolicy implements CpuPolicy {
  readonly kernels: Kernels;
  readonly chunk: number;
  readonly first: FirstLayer | undefined;
  readonly unitsMax: number;
  private readonly plan: Plan;
  private readonly network: Network;
  private readonly units: Units;
  private readonly loss: StepLoss;
  private readonly prefix: Int32Array;
  private readonly slot: Int32Array;
  /** the arrays at hand, as units and as what the network reads */
  private arrays: Arrays | null = null;
  private columns!: ReturnType<typeof columnsOf>;
  private history!: History;
  private readonly memory: PlayMemory | null;
  /** [chunk] legal actions of the rows that the network answers */
  private readonly legal: Uint32Array;
  /** [actions] π of one step */
  private readonly probs: Float32Array;
  /** what `ofChunk` gives, once somebody has asked */
  private apart: Float32Array | null = null;
  private readonly drawn = { seed: 0, purpose: 0, update: 0, row: 0, t: 0 };

  /** `network`: what answers, if it is not that of the plan */
  constructor(
    plan: Plan,
    own: number,
    network: Network & { readonly kernels: Kernels } = makeNetwork(plan.policy, own),
  ) {
    const tree = treeOf(plan.policy);
    this.plan = plan;
    this.network = network;
    this.kernels = network.kernels;
    this.chunk = network.chunk;
    this.first = network.first;
    const { softmaxRows } = network.kernels;
    this.legal = new Uint32Array(network.chunk);
    this.units = new Units(tree, plan.temperature, {
      rows: network.chunk,
      softmaxRows: softmaxRows.bind(network.kernels),
    });
    this.loss = new StepLoss(plan, network, this.units);
    this.memory = network.memory ? new PlayMemory(network.memory) : null;
    this.unitsMax = tree.decisions;
    this.probs = new Float32Array(plan.actions);
    this.prefix = new Int32Array(tree.decisions);
    this.slot = new Int32Array(tree.decisions);
  }

  /** made when somebody learns: most policies only look */
  get ofChunk(): Float32Array {
    return (this.apart ??= this.kernels.floats(this.first ? 0 : this.plan.layout.size));
  }

  private readonly draw = (depth: number): number => {
    const { seed, purpose, update, row, t } = this.drawn;
    return uniform(random(seed, purpose, update, row, t | (depth << 16)));
  };

  private use(arrays: Arrays): void {
    if (arrays === this.arrays) return;
    const { T, obsWords } = this.plan;
    this.arrays = arrays;
    this.columns = columnsOf(arrays);
    this.history = { obs: arrays.obs, written: this.columns.written, T, obsWords };
  }

  unitsOf(arrays: Arrays, row: number): number {
    const { T } = this.plan;
    if (this.unitsMax === 1) return arrays.length[row]!;
    let n = 0;
    for (let t = 0; t < arrays.length[row]!; t++) n += this.unitsAt(arrays, row * T + t);
    return n;
  }

  unitsAt(arrays: Arrays, step: number): number {
    if (this.unitsMax === 1) return 1;
    return unitsIn(this.units.tree, arrays.command[step]!, this.prefix, this.slot);
  }

  decide(
    { arrays, theta, tasks, mode, s, forced, likely, temperature, round = 0 }: Acting,
    rows: readonly number[],
    from: number,
    n: number,
    t: number,
  ) {
    const { plan, network, units, loss, drawn } = this;
    const { S, T, actions, layout } = plan;
    // rows of a replica in these columns, which may be others than those of the batch
    const B = arrays.length.length / S;
    const K = this.unitsMax;
    this.use(arrays);
    drawn.seed = plan.seeds[s]!;
    drawn.purpose = ACTION_PURPOSE[mode];
    drawn.update = tasks.update;
    drawn.t = t;
    const history = this.memory?.playing(this.history, { theta, tasks }, { rows, from, n }, t) ?? this.history;
    network.clear();
    for (let k = 0; k < n; k++) {
      network.read(history, rows[from + k]!, t);
      this.legal[k] = arrays.legal[rows[from + k]! * T + t]!;
    }
    this.forward(theta, s * layout.size);
    this.face(n, true, temperature);
    let finite = true;
    for (let k = 0; k < n; k++) {
      const row = rows[from + k]!;
      const step = row * T + t;
      drawn.row = row - s * B + round * B;
      units.turn(k);
      const shown = forced?.[step - s * B * T] ?? 0;
      if (!units.write(this.draw, shown - 1)) finite = false;
      const choice = shown === 0 ? (likely?.[row - s * B] ?? 0) & arrays.legal[step]! : 0;
      if (choice !== 0) units.write(this.draw, this.likeliest(choice));
      arrays.action[step] = units.action;
      arrays.logp[step] = units.total(units.logp);
      arrays.entropy[step] = units.total(units.entropy);
      if (arrays.units.length > 0) arrays.units[step] = units.n;
      if (this.columns.delta) {
        arrays.command[step] = units.written;
        for (let d = 0; d < K; d++) {
          arrays.unitLogp[step * K + d] = d < units.n ? units.logp[d]! : 0;
          arrays.unitEntropy[step * K + d] = d < units.n ? units.entropy[d]! : 0;
        }
      }
      units.probs(arrays.probs, step * actions, true);
      if (arrays.scoreNorm.length > 0)
        arrays.scoreNorm[step] = scoreNorm(arrays.probs, step * actions, actions, units.action);
      loss.critic.keep(arrays, step, k);
    }
    return finite;
  }

  /** The most likely of these actions, by the step that was just written; of equal ones the first. */
  private likeliest(choice: number): number {
    const { probs, plan } = this;
    this.units.probs(probs, 0, true);
    let best = -1;
    for (let a = 0; a < plan.actions; a++)
      if (((choice >>> a) & 1) === 1 && (best < 0 || probs[a]! > probs[best]!)) best = a;
    return best;
  }

  finalValues(arrays: Arrays, theta: Float32Array, s: number, first: number, n: number): void {
    const { plan, network, loss } = this;
    const from = (s * arrays.length.length) / plan.S + first;
    this.use(arrays);
    const history = this.memory?.ending(this.history, theta, arrays.length, from, n) ?? this.history;
    network.clear();
    for (let k = 0; k < n; k++) network.read(history, from + k, arrays.length[from + k]!);
    this.forward(theta, s * plan.layout.size);
    for (let k = 0; k < n; k++) arrays.valueFinal[from + k] = loss.critic.valueOf(k);
  }

  learn(learning: Learning, step: Int32Array, weight: Float64Array, n: number): void {
    const { plan, network, units, loss } = this;
    const { arrays, theta, reference, s, live, gradient, chosen } = learning;
    const at = s * plan.layout.size;
    this.read(arrays, step, n);
    if (live.klCoef > 0) {
      this.forward(reference, at);
      this.face(n);
      for (let k = 0; k < n; k++) loss.keepReference(k);
    }
    this.forward(theta, at);
    this.face(n);
    if (gradient) this.clearGradient(n);
    for (let k = 0; k < n; k++) {
      units.turn(k);
      units.follow((chosen ?? this.columns.written)[step[k]!]!);
      loss.learn(learning, this.columns, step[k]!, weight[k]!, k);
    }
    if (gradient) network.backward(theta, at, gradient, learning.layers);
  }

  private forward(theta: Float32Array, from: number): void {
    beat();
    this.network.forward(theta, from);
  }

  /** Shows the network the steps: its answers are rows 0 … n − 1. */
  private read(arrays: Arrays, step: Int32Array, n: number): void {
    const { T } = this.plan;
    this.use(arrays);
    this.network.clear();
    for (let k = 0; k < n; k++) {
      this.network.read(this.history, Math.floor(step[k]! / T), step[k]! % T);
      this.legal[k] = arrays.legal[step[k]!]!;
    }
  }

  private clearGradient(n: number): void {
    const { logits, values } = this.network;
    logits.d.fill(0, 0, n * logits.stride);
    if (values.d !== logits.d) values.d.fill(0, 0, n * values.stride);
  }

  /** Shows the units what the network has answered. */
  private face(n: number, measures = false, temperature = this.plan.temperature): void {
    this.units.temperature = temperature;
    this.units.face(this.network.logits, this.legal, n, measures);
  }

  private answer({ arrays, theta, s, step, n }: Asking): void {
    this.read(arrays, step, n);
    this.forward(theta, s * this.plan.layout.size);
    this.face(n);
  }

  /** Turns to the k-th of the steps that were asked about: its units as they were decided. */
  private follow(step: number, k: number): void {
    this.units.turn(k);
    this.units.follow(this.columns.written[step]!);
  }

  logProbs(asking: Asking, out: Float32Array): void {
    const { step, n } = asking;
    const { units } = this;
    this.answer(asking);
    for (let k = 0; k < n; k++) {
      this.follow(step[k]!, k);
      out[step[k]!] = units.total(units.logp);
    }
  }

  unitLogProbs(asking: Asking, out: Float64Array, seen?: Seen): void {
    const { s, step, n } = asking;
    const { units } = this;
    const K = this.unitsMax;
    this.answer(asking);
    for (let k = 0; k < n; k++) {
      this.follow(step[k]!, k);
      for (let d = 0; d < units.n; d++) out[step[k]! * K + d] = units.logp[d]!;
      if (seen) this.keepSeen(step[k]! - s * this.plan.B * this.plan.T, seen);
    }
  }

  /** π of the step at hand and the entropy of its units, at place `own` of `seen`. */
  private keepSeen(own: number, seen: Seen): void {
    const { plan, units } = this;
    const K = this.unitsMax;
    const hasUnits = seen.unitEntropy.length > 0;
    if (hasUnits) seen.unitEntropy.fill(0, own * K, (own + 1) * K);
    let total = 0;
    for (let d = 0; d < units.n; d++) {
      const H = entropyOf(units.p, units.firstOf(d), units.countOf(d));
      if (hasUnits) seen.unitEntropy[own * K + d] = H;
      total += H;
    }
    seen.entropy[own] = total;
    units.probs(seen.probs, own * plan.actions, true);
  }

  stepProbs(asking: Asking, out: Float32Array): void {
    const { units } = this;
    this.answer(asking);
    for (let k = 0; k < asking.n; k++) {
      units.turn(k);
      units.probs(out, k * this.plan.actions);
    }
  }

  addLogpGradient(asking: Asking, slope: Float64Array, gradient: Float32Array, layers: ScoreLayers = 'all'): void {
    const { plan, network, units } = this;
    const { theta, s, step, n } = asking;
    this.answer(asking);
    this.clearGradient(n);
    const { d: dLogits, first, stride } = network.logits;
    for (let k = 0; k < n; k++) {
      this.follow(step[k]!, k);
      const w = slope[k]! / plan.temperature;
      for (let d = 0; d < units.n; d++) {
        const from = units.firstOf(d);
        for (let c = from; c < from + units.countOf(d); c++)
          dLogits[first + k * stride + c] = w * ((c === units.slot[d] ? 1 : 0) - units.p[c]!);
      }
    }
    network.backward(theta, s * plan.layout.size, gradient, layers);
  }

  probsOf(theta: Float32Array, obs: Uint32Array, legal: Uint32Array, n: number, out: Float32Array): void {
    const { plan, network, units } = this;
    const history = { obs, written: obs, T: 0, obsWords: plan.obsWords };
    for (let from = 0; from < n; from += this.chunk) {
      const rows = Math.min(this.chunk, n - from);
      network.clear();
      for (let k = 0; k < rows; k++) {
        network.read(history, from + k, 0);
        this.legal[k] = legal[from + k]!;
      }
      this.forward(theta, 0);
      this.face(rows);
      for (let k = 0; k < rows; k++) {
        units.turn(k);
        units.probs(out, (from + k) * plan.actions);
      }
    }
  }
}
