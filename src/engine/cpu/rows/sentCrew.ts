import type { Config } from '../../../config/slots.ts';
import { part } from '../../../contract/columns.ts';
import type { Plan } from '../../plan.ts';
import type { Caller, Crew, Others, Weights } from './crew.ts';
import type { RowCore } from './rowCore.ts';
import { partOf, readsReference, writeJob, type RowJob } from './rowJob.ts';
import { makeRowMemory, waveOf, type RowMemory } from './rowMemory.ts';
import { SENT_BYTES, SentRows, type Left, type PartJob, type SentJob } from './sentRows.ts';

/** Another core, as the one that trains knows it where they share no memory. */
export interface SentLink {
  open(config: Config): Promise<void>;
  /** Jobs are done in their order. */
  do(sent: SentJob): Promise<Left>;
  close(): void;
}

/** Other cores that are sent what they need. */
export const sentCores = (links: readonly SentLink[]): Others => ({
  count: links.length,
  close: () => links.forEach((link) => link.close()),
  call: async (by) => {
    await Promise.all(links.map((link) => link.open(by.plan.config)));
    return new SentCrew(by, links);
  },
});

/** Each core has a share of the items of a job from its beginning, and sends back what it wrote. One makes all sums. */
class SentCrew implements Crew {
  readonly memory: RowMemory;
  readonly wave: number;
  private readonly plan: Plan;
  private readonly links: readonly SentLink[];
  private readonly own: RowCore;
  private readonly rows: SentRows;
  private flags = 0;
  private cores = 1;
  /** the replica whose batch so many others have in this session */
  private shown = { s: -1, to: 0 };

  constructor({ plan, policy, columns, own }: Caller, links: readonly SentLink[]) {
    this.plan = plan;
    this.links = links;
    this.wave = waveOf(plan, policy, SENT_BYTES);
    this.memory = makeRowMemory(plan, policy, columns, ArrayBuffer, this.wave);
    this.rows = new SentRows(plan, policy, this.memory);
    this.own = own({ memory: this.memory, board: { raise: (flag) => void (this.flags |= flag) } });
  }

  adders(): number {
    return 1;
  }

  enter(cores: number): void {
    this.cores = cores;
  }

  leave(): void {
    this.shown = { s: -1, to: 0 };
  }

  run(job: RowJob, items: number, weights: Weights): number | Promise<number> {
    this.flags = 0;
    if (job.kind === 'sum') return this.here(job, items, weights);
    const cores = Math.min(this.cores, items);
    const shares = this.links.slice(0, cores - 1).map((link, k) => {
      const [from, count] = partOf(items, k + 1, cores);
      const left = link.do(this.sent(job, from, from + count, weights, k));
      left.catch(() => undefined); // who waits for all of them is told
      return { from, to: from + count, left };
    });
    if (this.shown.s === job.s) this.shown.to = Math.max(this.shown.to, shares.length);
    this.here(job, partOf(items, 0, cores)[1], weights);
    const take = async (): Promise<number> => {
      for (const { from, to, left } of shares) this.take(job, from, to, await left);
      return this.flags;
    };
    return take();
  }

  private here(job: RowJob, items: number, weights: Weights): number {
    const { own, memory } = this;
    writeJob(job, memory.job);
    own.begin(weights);
    for (let item = 0; item < items; item++) own.do(item);
    return this.flags;
  }

  private sent(job: PartJob, from: number, to: number, weights: Weights, k: number): SentJob {
    const { rows, shown } = this;
    const { theta, versions = [theta] } = weights;
    const own = (all: Float32Array): Float32Array => part(all, this.plan.S, job.s).slice();
    const looks = job.kind !== 'play';
    if (looks && shown.s !== job.s) this.shown = { s: job.s, to: 0 };
    return {
      ...{ job, from, to, versions: versions.map(own) },
      reference: readsReference(job) ? own(weights.reference) : null,
      batch: looks && k >= this.shown.to ? rows.batch(job.s) : null,
      given: rows.given(job, from, to),
    };
  }

  private take(job: PartJob, from: number, to: number, { flags, left, steps }: Left): void {
    this.flags |= flags;
    this.rows.putLeft(job, from, left);
    this.rows.putSteps(job, from, to, steps);
  }
}
