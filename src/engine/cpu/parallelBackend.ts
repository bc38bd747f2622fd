import { type TrainState, joinReplicas, replicasOf } from '../../contract/state.ts';
import type { Exchange } from '../../contract/peers.ts';
import type { Backend, BatchView, Live, MakeBackend, UpdateRecord } from '../backend.ts';
import { cpuName, makeKernels } from '../../networks/kernels.ts';
import type { Plan, RolloutMode, Tasks } from '../plan.ts';
import type { ChosenNumbers } from '../../slots/metrics/metrics.ts';
import { configOfShare, type Call, type Share } from './share.ts';

/** Neighboring replicas that one share works on. */
type Part = { readonly share: Share; readonly from: number; readonly count: number };

/**
 * The CPU path on several cores: replicas do not know of each other, so each share trains some of them and gives the
 * bits it would give alone. Calls are collected and sent when an update is complete; two updates may be on their way, so
 * that no share waits for the page.
 */
export class ParallelBackend implements Backend {
  readonly kind = 'cpu';
  readonly depth = 2;
  readonly description: string;
  readonly lost = new Promise<string>(() => undefined);
  private readonly plan: Plan;
  private readonly parts: readonly Part[];
  private readonly calls: Call[] = [];
  private held: Readonly<Record<string, number>> = {};
  /** a state that is on its way to the shares; whatever is asked next waits for it */
  private loaded: Promise<unknown> = Promise.resolve();

  private constructor(plan: Plan, parts: readonly Part[]) {
    this.plan = plan;
    this.parts = parts;
    this.description = cpuName(makeKernels(0, 0).isFast, parts.length);
  }

  static async create(plan: Plan, state: TrainState, shares: readonly Share[]): Promise<ParallelBackend> {
    const parts = shares.map((share, k) => {
      const from = Math.floor((k * plan.S) / shares.length);
      return { share, from, count: Math.floor(((k + 1) * plan.S) / shares.length) - from };
    });
    await Promise.all(
      parts.map(({ share, from, count }) =>
        share.open(configOfShare(plan, from, count), replicasOf(state, plan.S, from, count)),
      ),
    );
    return new ParallelBackend(plan, parts);
  }

  /** A share draws its tasks by itself, unless they depend on what only the run remembers. */
  rollout({ update, chosen, received }: Tasks, mode: RolloutMode): void {
    const wanted = this.plan.source.wantsOutcomes ? chosen : undefined;
    this.calls.push({ slot: 'rollout', update, mode, chosen: wanted, received });
  }

  credit(live?: Live): void {
    this.calls.push({ slot: 'credit', live });
  }

  optimize(update: number, live: Live): void {
    this.calls.push({ slot: 'optimize', update, live });
  }

  async finish(update: number): Promise<UpdateRecord> {
    const calls = this.calls.splice(0);
    const done = this.parts.map(({ share, from, count }) =>
      share.update(
        calls.map((call) => ('chosen' in call ? { ...call, chosen: call.chosen?.slice(from, from + count) } : call)),
        update,
      ),
    );
    await this.loaded;
    const found = await Promise.all(done);
    this.held = sumOf(found.map(({ memory }) => memory));
    const records = found.map(({ record }) => record);
    return {
      ...records[0]!,
      metrics: Float64Array.from(records.flatMap((r) => Array.from(r.metrics))),
      hash: Uint32Array.from(records.flatMap((r) => Array.from(r.hash))),
      bad: Uint32Array.from(records.flatMap((r) => Array.from(r.bad))),
      envSteps: records.reduce((sum, r) => sum + r.envSteps, 0),
      stepsOf: Float64Array.from(records.flatMap((r) => Array.from(r.stepsOf))),
      ...(records[0]!.chosen ? { chosen: joinChosen(records) } : {}),
      ...joinExchanges(records),
      ...(records[0]!.outcomes ? { outcomes: Float64Array.from(records.flatMap((r) => Array.from(r.outcomes!))) } : {}),
      ...(records[0]!.ahead ? { ahead: Float64Array.from(records.flatMap((r) => Array.from(r.ahead!))) } : {}),
      ...(records[0]!.passed ? { passed: Uint32Array.from(records.flatMap((r) => Array.from(r.passed!))) } : {}),
      ...(records[0]!.reached ? { reached: Uint32Array.from(records.flatMap((r) => Array.from(r.reached!))) } : {}),
    };
  }

  async view(replica: number): Promise<BatchView> {
    const part = this.parts.find(({ from, count }) => replica >= from && replica < from + count)!;
    return { ...(await part.share.view(replica - part.from)), replica };
  }

  async save(): Promise<TrainState> {
    await this.loaded;
    return joinReplicas(await Promise.all(this.parts.map(({ share }) => share.save())));
  }

  load(state: TrainState): void {
    this.calls.length = 0;
    const { S } = this.plan;
    this.loaded = Promise.all(
      this.parts.map(({ share, from, count }) => share.load(replicasOf(state, S, from, count))),
    );
    this.loaded.catch(() => undefined); // whoever asks next is told
  }

  memory(): Readonly<Record<string, number>> {
    return this.held;
  }

  dispose(): void {
    for (const { share } of this.parts) share.close().catch(() => undefined);
  }
}

function sumOf(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const record of records)
    for (const [label, bytes] of Object.entries(record)) sums[label] = (sums[label] ?? 0) + bytes;
  return sums;
}

/** Makes backends on shares that are given out by `shares(n)`: at most n, at least one. */
export function parallelBackendOn(shares: (most: number) => readonly Share[]): MakeBackend {
  return (plan, state) => ParallelBackend.create(plan, state, shares(plan.S));
}

/** The numbers of chosen metrics of all replicas. */
function joinChosen(records: readonly UpdateRecord[]): ChosenNumbers {
  const ids = Object.keys(records[0]!.chosen!);
  const joined = (id: string): Float64Array => Float64Array.from(records.flatMap((r) => Array.from(r.chosen![id]!)));
  return Object.fromEntries(ids.map((id) => [id, joined(id)]));
}

/** What all shares told and took. */
function joinExchanges(records: readonly UpdateRecord[]): { readonly exchange?: Exchange } {
  const all = records.flatMap(({ exchange }) => exchange ?? []);
  if (all.length === 0) return {};
  return {
    exchange: {
      sent: all.flatMap(({ sent }) => sent),
      refused: all.flatMap(({ refused }) => refused),
      taken: all.reduce((sum, { taken }) => sum + taken, 0),
    },
  };
}
