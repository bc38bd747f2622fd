import { part, type Batch } from '../../contract/columns.ts';
import type { NumberArray } from '../../contract/numbers.ts';
import { tensorsOf, type Tensors } from '../../contract/state.ts';
import type { Chosen } from '../../contract/module.ts';
import type { Exchange, ReceivedGroup, SharedGroup } from '../../contract/peers.ts';
import type { Rollout } from '../../slots/rollout/types.ts';
import { beginOf } from '../begins.ts';
import { isHeldOut } from '../heldOut.ts';
import { nameOf } from '../levelName.ts';
import { rolloutOf } from '../rolloutOf.ts';
import { drive, type Waiting } from '../waiting.ts';
import type { StateStore } from '../../contract/stateStore.ts';
import { wordsOf } from '../../networks/policy.ts';
import { clipByNorm } from '../../core/math/gradientNorm.ts';
import { defaultsOf } from '../../core/settings.ts';
import { areFinite, sum } from '../../core/stats.ts';
import { cloning } from '../../slots/methods.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import type { MemoryContext, PeerContext, Replay, Reread, RolloutMemory } from '../../slots/rollout/memory/types.ts';
import { makeUpdateArrays, type Arrays } from '../arrays.ts';
import type { BatchView, Live } from '../backend.ts';
import type { Plan, Tasks } from '../plan.ts';
import { Company } from './company.ts';
import type { Brought, Onlooker } from './onlooker.ts';
import type { Play } from './lockstep.ts';
import type { Playing } from './playing.ts';
import { emptyTally, type CpuPolicy } from './policy.ts';
import { loadMemory, memoryDraws, shownOf } from './shown.ts';
import { Survey } from './survey.ts';
import { pupilOf, type Sites } from './sites.ts';
import { accumulate, Chunk, type Spread } from './update.ts';

/** What is collected of an exchange while an update lasts. */
type Open = {
  readonly received: readonly ReceivedGroup[];
  readonly sent: SharedGroup[];
  readonly refused: number[];
  taken: number;
};
/** [S, size] weights in an update, and the replica at hand. */
type Under = { readonly update: number; readonly theta: Float32Array; readonly s: number };
type Put = (s: number, id: MetricId, value: number) => void;
/** What the batch of a backend offers to those who remember it; [S, size] weights, which the steps that imitate move. */
type Done = { readonly arrays: Arrays; readonly batch: Batch; readonly A: Float32Array; readonly tasks: Tasks } & {
  readonly theta: Float32Array;
  readonly live: Live;
  readonly put: Put;
  readonly spread: Spread | null;
};

/** Episodes that come back beside the batch: see slots/rollout/memory/types.ts. */
export class CpuReturning {
  private readonly plan: Plan;
  private readonly chosen: Chosen<Rollout>;
  private readonly playing: Playing;
  private readonly memory: RolloutMemory;
  /** [S] the module's tensors of each replica, without a copy */
  private readonly parts: readonly Tensors[];
  /** plays the episodes of an update, and those that a step imitates */
  private readonly company: Company | null;
  private imitating: Company | null = null;
  /** columns that other cores see, too; null: there are none */
  private readonly sites: Sites | null;
  private readonly made: Arrays;
  private readonly survey: Survey | null;
  /** [S, size] first moments of the optimizer of the run */
  private readonly heading: Float32Array;
  private readonly policy: CpuPolicy;
  private readonly chunk: Chunk;
  private readonly A: Float32Array;
  private readonly weights: Float64Array;
  private readonly counts: Uint32Array;
  private readonly owns: Float64Array;
  /** with other runs, in the update at hand; null: nobody is heard */
  private exchange: Open | null = null;
  private readonly spent: Float64Array;
  private readonly out: Float32Array;
  /** [S] what the update at hand trains on beside its batch, for whoever looks */
  private readonly brought: Brought[];
  private onlooker: Onlooker | null = null;

  constructor(memory: RolloutMemory, { plan, policy, store, playing, sites }: Around) {
    const { S } = plan;
    this.chosen = rolloutOf(plan);
    const { module: rollout, params } = this.chosen;
    this.playing = playing;
    this.plan = plan;
    this.memory = memory;
    this.policy = policy;
    this.chunk = new Chunk(policy.chunk);
    this.heading = store.of('m', 'f32');
    const own = Object.entries(tensorsOf(store.tensors, rollout.id));
    this.parts = Array.from({ length: S }, (_, s) =>
      Object.fromEntries(own.map(([name, array]) => [name, part<NumberArray>(array, S, s)])),
    );
    const rows = rollout.beside?.(params as never, plan).again ?? 0;
    const { restriction } = playing;
    this.sites = sites;
    const hosted = { policy, restriction, site: 'again', arrays: sites?.again?.arrays } as const;
    this.company = rows > 0 ? new Company(plan, rows, hosted) : null;
    const beside = this.company?.plan ?? { ...plan, B: 0, P: 0 };
    this.made = makeUpdateArrays(beside);
    this.survey = this.company && plan.objective.survey ? new Survey(beside, policy, this.made) : null;
    this.A = new Float32Array(S * rows * plan.T);
    this.weights = new Float64Array(S);
    this.counts = new Uint32Array(S);
    this.owns = new Float64Array(S).fill(1);
    this.spent = new Float64Array(S);
    this.out = new Float32Array(plan.actions);
    this.brought = Array.from({ length: S }, () => ({ again: [], weight: 0, lessons: [] }));
  }

  /** Plays the episodes that train beside the batch of an update. False if the network gave a number that is not finite. */
  *play(tasks: Tasks, s: number, put: Put, spread: Spread | null): Waiting<boolean> {
    const { plan, memory, company, A } = this;
    const { update, received } = tasks;
    if (s === 0) this.exchange = received ? { received, sent: [], refused: [], taken: 0 } : null;
    this.counts[s] = this.spent[s] = 0;
    this.owns[s] = memory.own?.(this.chosen.params) ?? 1;
    this.brought[s] = { again: [], weight: 0, lessons: [] };
    if (!company || !memory.again) return true;
    const { replays, weight, own, peers, measured } = memory.again(
      this.parts[s]!,
      this.context(update, s),
      this.chosen.params,
    );
    const kept = yield* company.play(replays, { update, theta: this.playing.seen, s }, spread);
    this.weights[s] = weight;
    this.brought[s] = { again: kept, weight, lessons: [] };
    this.owns[s] = kept.length > 0 ? (own ?? 1) : 1;
    if (peers) put(s, 'peerRows', kept.length);
    if (peers && this.exchange) this.exchange.taken += kept.length;
    this.counts[s] = kept.length;
    const size = company.plan.B * plan.T;
    kept.forEach(({ advantage }, k) => A.fill(advantage, s * size + k * plan.T, s * size + (k + 1) * plan.T));
    for (const [id, value] of Object.entries({ againRows: kept.length, ...measured })) put(s, id as MetricId, value);
    return company.isFinite;
  }

  /** What a rollout of replica s has of it: what is written into states before they are observed, and what is remembered. */
  during(update: number, s: number, isTraining: boolean): Pick<Play, 'shows' | 'memory'> {
    const memory = this.parts[s]!;
    return { shows: shownOf(this.plan, memory, { update, s, isTraining }), memory };
  }

  /** Adds the gradient of their loss to that of a minibatch. All of them stand beside each: their mean, not their number, counts. */
  learn(
    {
      s,
      update,
      live,
      pass,
    }: { readonly s: number; readonly update: number; readonly live: Live; readonly pass: number },
    { reference, gradient }: { readonly reference: Float32Array; readonly gradient: Float32Array },
  ): void {
    const { company, plan, made, survey, A } = this;
    const weight = update < plan.criticWarmup ? 0 : this.weights[s]!;
    if (!company || this.counts[s] === 0 || weight === 0) return;
    const { arrays } = company;
    const rows = Uint32Array.from({ length: this.counts[s]! }, (_, k) => k);
    const theta = this.playing.seen;
    survey?.run({ arrays, theta, A }, rows, null, { s, update, pass });
    accumulate(company.plan, this.policy, this.chunk, rows, {
      ...{ theta, reference, gradient, arrays, A, unitA: null, delta: made.delta, tally: emptyTally() },
      ...{ s, live, target: null, mark: survey && survey.mark, policyWeight: weight },
    });
  }

  /** The update of replica s is over: remembers its batch, and takes the steps that imitate. False where one was not finite. */
  *settle(s: number, { arrays, batch, A, tasks, theta, live, put, spread }: Done): Waiting<boolean> {
    const { plan, memory, chosen } = this;
    const { update } = tasks;
    const context = {
      ...this.context(update, s),
      reread: (of: readonly Replay[]) => this.reread(of, { update, theta, s }),
    };
    const at = s * plan.B;
    const finished = {
      ...{ batch, A, logp: part(arrays.unitLogp.length > 0 ? arrays.unitLogp : arrays.logp, plan.S, s) },
      name: (row: number) => nameOf(tasks, at + row),
      begins: (row: number) => beginOf(tasks, at + row),
      episodeSeed: (row: number) => tasks.episodeSeed[at + row]!,
    };
    const measured = memory.report?.(this.parts[s]!, finished, context, chosen.params) ?? {};
    for (const [id, value] of Object.entries(measured)) put(s, id as MetricId, value);
    const turns = memory.turns?.(chosen.params) ?? 1;
    let imitated = 0;
    let isFinite = true;
    for (let turn = 0; turn < turns && isFinite; turn++) {
      const lessons = memory.imitate?.(this.parts[s]!, context, chosen.params, turn) ?? [];
      this.brought[s] = { ...this.brought[s]!, lessons };
      imitated += lessons.length;
      const base = memory.restart?.(this.parts[s]!, lessons);
      if (base) this.startFrom(s, base, theta);
      if (lessons.length === 0) continue;
      const rate = memory.imitationRate?.(chosen.params) ?? 1;
      isFinite = yield* this.imitate(s, lessons, { update, theta, rate: rate * live.learningRate }, spread);
      this.playing.see(s);
    }
    if (memory.imitate) put(s, 'imitatedRows', imitated);
    return isFinite;
  }

  /** Episodes as the policy of replica s sees them with the weights of now. */
  private reread(replays: readonly Replay[], by: Under): readonly Reread[] {
    const { plan } = this;
    const { company, most } = this.pupils();
    const { T, obsWords, actions } = plan;
    const read: Reread[] = [];
    for (let from = 0; from < replays.length; from += most) {
      // on this core: a module asks, and cannot wait for others
      const kept = drive(company.play(replays.slice(from, from + most), by, null)) as readonly Replay[];
      kept.forEach((replay, k) => {
        const row = by.s * most + k;
        const n = replay.actions.length;
        const obs = company.arrays.obs.slice(row * (T + 1) * obsWords, (row * (T + 1) + n + 1) * obsWords);
        const probs = company.arrays.probs.slice(row * T * actions, (row * T + n) * actions);
        read.push({ replay, obs, probs });
      });
    }
    return read;
  }

  /** Who plays the episodes that a step imitates, and how many of them at once. */
  private pupils(): { readonly company: Company; readonly most: number } {
    const { plan, playing, sites } = this;
    const most = this.chosen.module.beside!(this.chosen.params as never, plan).imitated;
    const hosted = { restriction: playing.restriction, site: 'lessons', arrays: sites?.lessons?.arrays } as const;
    return { company: (this.imitating ??= new Company(pupilOf(plan), most, hosted)), most };
  }

  /** Replica s goes on from other weights: nothing of where its optimizers were heading is left. */
  private startFrom(s: number, base: Float32Array, theta: Float32Array): void {
    const { plan, heading } = this;
    const { m, v, steps } = this.parts[s]!;
    part(theta, plan.S, s).set(base);
    part(heading, plan.S, s).fill(0);
    for (const own of [m, v, steps]) own?.fill(0);
  }

  /** Steps of Adam on −mean log π of the given actions, with moments of their own. */
  private *imitate(
    s: number,
    lessons: readonly Replay[],
    { update, theta, rate }: Omit<Under, 's'> & { readonly rate: number },
    spread: Spread | null,
  ): Waiting<boolean> {
    const { plan } = this;
    const { optimizer } = cloning;
    const { company, most } = this.pupils();
    const { arrays, policy } = company;
    const size = plan.layout.size;
    const { m, v, steps } = this.parts[s]! as Record<'m' | 'v', Float32Array> & { readonly steps: Uint32Array };
    const own = part(theta, plan.S, s);
    const before = { theta: own.slice(), m: m.slice(), v: v.slice() };
    const A = new Float32Array(plan.S * most * plan.T);
    const chunk = new Chunk(policy.chunk);
    for (let from = 0; from < lessons.length; from += most) {
      const kept = yield* company.play(lessons.slice(from, from + most), { update, theta, s }, spread);
      A.fill(1);
      kept.forEach(({ weights }, k) => weights && A.set(weights, (s * most + k) * plan.T));
      const chosen = kept.some((row) => row.chosen) ? this.chosenIn(company, kept, s) : null;
      if (kept.length === 0) continue;
      const gradient = new Float32Array(size);
      accumulate(
        company.plan,
        policy,
        chunk,
        Uint32Array.from(kept, (_, k) => k),
        {
          ...{ arrays, theta, reference: theta, A, chosen, target: null, s, gradient, tally: emptyTally() },
          ...{ live: { learningRate: rate, entropyCoef: 0, klCoef: 0 }, delta: new Float32Array(A.length) },
        },
      );
      const norm = clipByNorm(gradient, plan.clipNorm);
      steps[0]!++;
      optimizer.step({ theta: own, gradient, m, v }, steps[0]!, rate, defaultsOf(optimizer.params) as never);
      if (Number.isFinite(norm) && areFinite(own)) continue;
      own.set(before.theta);
      m.set(before.m);
      v.set(before.v);
      return false;
    }
    return true;
  }

  /** What lessons are about, as it is written down. */
  private chosenIn({ arrays }: Company, lessons: readonly Replay[], s: number): Uint32Array {
    const { T, policy } = this.plan;
    const commands = wordsOf(policy)?.commands;
    const written = (commands ? arrays.command : arrays.action).slice();
    const from = (s * written.length) / this.plan.S;
    lessons.forEach(({ chosen }, k) =>
      Array.from(chosen ?? [], (action, t) => (written[from + k * T + t] = commands ? commands[action]! : action)),
    );
    return written;
  }

  private context(update: number, s: number): MemoryContext {
    const { plan } = this;
    const { P, G, B, T, actions, env } = plan;
    const seed = plan.seeds[s]!;
    return {
      ...{ seed, update, P, G, B, T, K: this.policy.unitsMax, actions, env },
      writes: plan.policy.network.view === 'tokens',
      level: ({ levelSeed, maxSteps, variant }) => plan.level(levelSeed, maxSteps, variant) as object,
      probs: (level, state) => this.probs(s, level, state),
      reread: () => [],
      spend: (steps) => void (this.spent[s]! += steps),
      peers: this.peers(s),
      draw: memoryDraws(plan, update, s),
    };
  }

  /** π(·|s) of replica s in one state. */
  private probs(s: number, level: object, state: Uint32Array): Float32Array {
    const { plan, policy, playing, out } = this;
    const obs = new Uint32Array(plan.obsWords);
    plan.env.observe(level, state, 0, obs, 0);
    policy.probsOf(part(playing.seen, plan.S, s), obs, Uint32Array.of(plan.env.legal(level, state, 0)), 1, out);
    return out;
  }

  /** What a memory knows of other runs. */
  private peers(s: number): PeerContext | null {
    const { exchange, company } = this;
    if (!exchange || !company) return null;
    return {
      received: exchange.received,
      check: ({ name, rows }) =>
        isHeldOut(this.plan, s, name.levelSeed)
          ? rows.map(() => false)
          : company.check(
              rows.map((row) => ({ name, advantage: 0, came: { origin: 'peer' }, ...row })),
              s,
            ),
      refuse: (sender) => void exchange.refused.push(sender),
      share: (group) => void exchange.sent.push(group),
    };
  }

  /** What the update at hand told to other runs and took from them; null where nobody is heard. */
  told(): Exchange | null {
    const { exchange } = this;
    if (!exchange) return null;
    const { sent, refused, taken } = exchange;
    return { sent, refused, taken };
  }

  /** What trained beside the batch of replica s, played once more. */
  async view(s: number, update: number): Promise<Pick<BatchView, 'beside'>> {
    const { plan, playing } = this;
    const brought = this.brought[s]!;
    if (brought.again.length + brought.lessons.length === 0) return {};
    const theta = playing.entered(update).slice();
    if (!this.onlooker) {
      const { Onlooker } = await import('./onlooker.ts');
      this.onlooker = new Onlooker(plan, playing.restriction);
    }
    return { beside: this.onlooker.view(brought, { update, theta, s }) };
  }

  /** How much the mean loss of the batch itself counts in the update at hand. */
  own(s: number): number {
    return this.owns[s]!;
  }

  /** Steps that searches of the last update took in the world. */
  steps(s: number): number {
    return this.spent[s]!;
  }

  get bytes(): number {
    const companies = [this.company, this.imitating, this.onlooker].map((of) => of?.bytes ?? 0);
    return this.A.byteLength + sum(companies);
  }
}

/** What is around it in a backend. */
type Around = {
  readonly plan: Plan;
  readonly policy: CpuPolicy;
  readonly store: StateStore;
  readonly playing: Playing;
  readonly sites: Sites | null;
};
export type MakeReturning = (around: Around) => CpuReturning;

/** What a plan's rollout does with its memory, loaded. */
export async function returningOf(plan: Plan): Promise<MakeReturning> {
  const memory = (await loadMemory(plan))!;
  return (around) => new CpuReturning(memory, around);
}
