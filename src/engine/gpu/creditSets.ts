import { whole, type Slice } from '../../gpu/recorder.ts';
import { linkCall, setCalls, type Steps, type Words } from '../../gpu/match.ts';
import type { Call } from '../../gpu/products.ts';
import type { Column, SetRule, Sets } from '../../slots/types.ts';
import { seenDims } from '../cells.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { ColumnRecorder } from './columnRecorder.ts';

/** Sets of steps as keyMatch leaves them: first step of the set of each step, and the next one in the ring. */
export type Matches = { readonly match: Slice; readonly next: Slice };

/** More than any action. */
const NEVER = 0xffffffff;

/** The operations of estimators that find which steps are compared with each other. */
export class CreditSets extends ColumnRecorder {
  private readonly known = new Map<string, Matches>();
  private readonly states: Matches;
  /** first of the actions whose steps are alone in their sets; null: none is */
  private apartFrom: number | null = null;

  constructor(plan: Plan, buffers: RunBuffers, block: number) {
    super(plan, buffers, block);
    this.states = { match: whole(buffers.head), next: whole(buffers.next) };
  }

  protected get steps(): Steps {
    const { S, B, T } = this.plan;
    return { S, B, T, block: this.block };
  }

  sets(rule: SetRule): Sets {
    const past = Math.min(rule.past, this.plan.T);
    if (rule.of === 'time') return { handle: this.match('time', 'time', { taskIndex: this.b.columns.taskIndex }, {}) };
    const found = rule.of === 'state' ? this.window('state', past + 1) : this.edges(past);
    return { handle: this.split(`${rule.of} ${past}`, found) };
  }

  keepApart(first: number): this {
    this.apartFrom = first;
    return this;
  }

  /** Sets of equal states. */
  protected get anchors(): Matches {
    return this.split('state 0', this.states);
  }

  /** The same sets without those steps that are alone. */
  private split(name: string, { match, next }: Matches): Matches {
    if (this.apartFrom === null) return { match, next };
    const words = { a: match, action: this.b.columns.action };
    return this.match(`${name} apart`, 'apart', words, { first: this.apartFrom });
  }

  setsBy(x: Column): Sets {
    const words = { taskIndex: this.b.columns.taskIndex, label: this.slice(x) };
    return { handle: this.match(`label ${this.known.size}`, 'label', words, {}) };
  }

  setsAlike(mostOf: (cells: number) => number): Sets {
    const { steps } = this;
    const { S, B, T, block } = steps;
    const kernel = async () => (await import('../../gpu/shaders/likeKernels.ts')).likeSets;
    const { taskIndex, action } = this.b.columns;
    const dims = { B, T, block, first: this.apartFrom ?? NEVER, ...seenDims(this.plan, mostOf) };
    const calls = [
      { kernel, dims, groups: [Math.ceil(B / block), 1, S] as const },
      linkCall(steps, this.b.gpu.software),
    ];
    return { handle: this.linked(calls, { taskIndex, action, obs: this.b.obs }) };
  }

  /** Steps whose last `steps` states agree, or pairs (state, action); a pair of windows half as long, which may overlap. */
  private window(of: 'state' | 'pair', steps: number): Matches {
    const { states } = this;
    if (steps === 1)
      return of === 'state'
        ? states
        : this.past('pair 1', states.match, this.b.columns.action, { near: 0, far: 0, whole: 0 });
    const half = 2 ** Math.ceil(Math.log2(steps) - 1);
    const { match } = this.window(of, half);
    const back = steps - half;
    return this.past(`${of} ${steps}`, match, match, { near: back, far: back, whole: of === 'state' ? 1 : 0 });
  }

  /** Steps with the same state, action and next state whose last min(past, t) pairs agree. */
  private edges(past: number): Matches {
    const { head } = this.b;
    const { action, stateKey: key, finalStateKey: finalKey } = this.b.columns;
    const edges = this.match('edge', 'edge', { head, action, key, finalKey }, {});
    if (past === 0) return edges;
    const half = 2 ** Math.floor(Math.log2(past));
    const { match } = this.window('pair', half);
    return this.past(`edge ${past}`, edges.match, match, { near: 1, far: 1 + past - half, whole: 0 });
  }

  /** Steps that agree in a `near` steps back and in b `far` steps back; `whole`: only where there are so many. */
  private past(name: string, a: Slice, b: Slice, back: Readonly<Record<'near' | 'far' | 'whole', number>>): Matches {
    return this.match(name, 'past', { a, b }, back);
  }

  /** Sets of steps with equal words, found once for each name. */
  private match(
    name: string,
    by: Words,
    words: Record<string, GPUBuffer | Slice>,
    dims: Readonly<Record<string, number>>,
  ): Matches {
    const found = this.known.get(name);
    if (found) return found;
    const made = this.linked(setCalls(by, this.steps, this.b.gpu.software, dims), words);
    this.known.set(name, made);
    return made;
  }

  /** Sets of steps that these dispatches find and link. */
  private linked(
    calls: readonly (Omit<Call, 'kernel'> & { readonly kernel: Call['kernel'] | (() => Promise<Call['kernel']>) })[],
    words: Record<string, GPUBuffer | Slice>,
  ): Matches {
    const { table, columns } = this.b;
    const made = { match: this.slice(this.make('step')), next: this.slice(this.make('step')) };
    const buffers = { ...words, length: columns.length, table, match_: made.match, next: made.next };
    for (const { kernel, dims, groups } of calls) this.add(kernel, buffers, dims, groups);
    return made;
  }
}
