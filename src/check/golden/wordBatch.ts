import { plainKernels, type Kernels } from '../../networks/kernels.ts';
import type { History, Network, Outputs } from '../../contract/network.ts';
import type { Prefix, Slot, Tree } from '../../contract/units.ts';
import { networkOf, policyOf } from '../../networks/policy.ts';
import type { TransformerShape } from '../../networks/transformer/shape.ts';
import { makeArrays } from '../../engine/arrays.ts';
import { UnitPolicy } from '../../engine/cpu/unitPolicy.ts';
import type { Plan } from '../../engine/plan.ts';
import { casePlan, fillRows, learnCase, resultOf, type Trained } from './trainedCase.ts';

/** Logits that cannot be chosen. */
const NEVER = -1e30;

/**
 * Commands of up to `most` words out of `actions`, as a chain of prefixes that no word leaves: every word comes in two
 * forms, one that continues and one that ends the command.
 */
export function chainGrammar(actions: number, most: number): Tree {
  const slots: Slot[] = [];
  const prefixes = Array.from({ length: most }, (_, depth): Prefix => {
    const first = slots.length;
    const next = depth + 1 < most ? depth + 1 : -1;
    for (let v = 0; v < 2 * actions; v++)
      slots.push({ node: depth, token: v + 1, actions: 0, next: v < actions ? next : -1, action: -1 });
    return { token: 1, depth, ancestors: 0, first, count: 2 * actions };
  });
  return { masked: false, prefixes, slots, commands: new Uint32Array(0), length: most, decisions: most };
}

/** Logits out of a table, a row for every step: the observation is the number of the row. */
export class TableNetwork implements Network {
  readonly kernels: Kernels = plainKernels;
  readonly chunk: number;
  readonly logits: Outputs;
  readonly values: Outputs;
  private readonly asked: number[] = [];
  private readonly slots: number;

  constructor(slots: number, rows: number) {
    this.slots = slots;
    this.chunk = rows;
    const of = (n: number): Float32Array => new Float32Array(rows * n);
    this.logits = { out: of(slots), d: of(slots), first: 0, stride: slots, count: slots };
    this.values = { out: of(0), d: of(0), first: 0, stride: 0, count: 0 };
  }

  clear(): void {
    this.asked.length = 0;
  }

  read({ obs, T, obsWords }: History, row: number, t: number): void {
    this.asked.push(obs[(row * (T + 1) + t) * obsWords]!);
  }

  forward(theta: Float32Array, from: number): void {
    const { slots } = this;
    this.asked.forEach((row, k) => {
      this.logits.out.set(theta.subarray(from + row * slots, from + (row + 1) * slots), k * slots);
    });
  }

  backward(_theta: Float32Array, _from: number, gradient: Float32Array): void {
    const { slots } = this;
    this.asked.forEach((row, k) => {
      for (let c = 0; c < slots; c++) gradient[row * slots + c]! += this.logits.d[k * slots + c]!;
    });
  }
}

/** A case as written commands, the units of a step its words, with a ratio of each word or of the whole command. */
export function wordBatch(trained: Trained, ratioLevel: Plan['ratioLevel']) {
  const { units, set } = trained;
  const { B, L, actions, action, legal, logits, step: stepIn } = units.inputs;
  // the steps of a trajectory in their order, and which word of its step a unit is
  const stepOf = new Int32Array(B * L);
  const wordOf = new Int32Array(B * L);
  const steps = new Uint32Array(B);
  set.real.forEach((u, k) => {
    const i = Math.floor(u / L);
    const before = k > 0 ? set.real[k - 1]! : -1;
    const goesOn = before >= i * L && stepIn[before] === stepIn[u];
    stepOf[u] = goesOn ? stepOf[before]! : i * L + steps[i]!++;
    wordOf[u] = goesOn ? wordOf[before]! + 1 : 0;
  });
  const most = 1 + set.real.reduce((largest, u) => Math.max(largest, wordOf[u]!), 0);
  const grammar = chainGrammar(actions, most);
  const C = grammar.slots.length;
  const shape: TransformerShape = {
    ...{ vocabulary: 2 * actions + 1, observation: 1, history: 0, width: 1, heads: 1, layers: 1 },
    ...{ hidden: 1, gate: 'none', gateBias: 0, tied: false, grammar, actions, critic: false },
  };
  const layout = { tensors: [], size: B * L * C, parameters: B * L * C };
  const kappas: number[] = [];
  const words = { ...policyOf(networkOf('transformer'), shape), layout };
  const plan = casePlan(trained, words, { obsWords: 1, ratioLevel }, kappas);
  const policy = new UnitPolicy(plan, 0, new TableNetwork(C, B * L));
  const arrays = makeArrays(plan);
  const theta = new Float32Array(layout.size).fill(NEVER);
  const A = new Float32Array(B * L);
  const slotAt = new Int32Array(B * L);
  arrays.length.set(steps);
  set.real.forEach((u, k) => {
    const step = stepOf[u]!;
    const d = wordOf[u]!;
    const ends = set.real[k + 1] === undefined || stepOf[set.real[k + 1]!] !== step;
    const first = grammar.prefixes[d]!.first + (ends ? actions : 0);
    slotAt[u] = step * C + first;
    for (let b = 0; b < actions; b++)
      if (legal[u * actions + b] !== 0) theta[slotAt[u]! + b] = logits[u * actions + b]!;
    arrays.obs[Math.floor(step / L) * (L + 1) + (step % L)] = step;
    arrays.command[step]! |= grammar.slots[first + action[u]!]!.token << (8 * d);
    arrays.unitLogp[step * most + d] = set.logp[k]! - set.delta[k]!;
    A[step] = set.A[k]!;
  });
  fillRows(trained, arrays);
  const prox = new Float64Array(B * L * most);
  set.real.forEach((u, k) => {
    prox[stepOf[u]! * most + wordOf[u]!] = set.logp[k]! - set.delta[k]! + set.prox[k]!;
  });
  const batch = { plan, policy, arrays, theta, A, kappas };
  const learned = learnCase(batch, prox, B * L);
  const unitAt = (u: number): number => stepOf[u]! * most + wordOf[u]!;
  // a whole command is asked about once
  const asked = set.real
    .filter((u) => ratioLevel === 'unit' || wordOf[u] === 0)
    .map(ratioLevel === 'unit' ? (u) => u : (u) => stepOf[u]!);
  const recorded = (u: number): number =>
    learned.weight[stepOf[u]!]! * kappas[asked.indexOf(ratioLevel === 'unit' ? u : stepOf[u]!)]!;
  const mark = new Float64Array(B * L);
  for (const u of set.real) mark[u] = learned.mark?.[unitAt(u)] ?? 0;
  return { ...resultOf(trained, learned, (u) => slotAt[u]!, recorded), mark };
}
