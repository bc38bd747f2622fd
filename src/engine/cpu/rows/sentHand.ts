import type { Config } from '../../../config/slots.ts';
import { makeArrays, makeUpdateArrays } from '../../arrays.ts';
import { makeTasks, type Plan, type Tasks } from '../../plan.ts';
import { makeCpuPolicy } from '../policy.ts';
import { clearReplica } from '../rollout.ts';
import { partOf, RowCore } from './rowCore.ts';
import { planAgain } from './rowHand.ts';
import { writeJob } from './rowJob.ts';
import { makeRowMemory, waveOf, type RowMemory } from './rowMemory.ts';
import { SENT_BYTES, SentRows, type Left, type SentJob } from './sentRows.ts';

/** A core that takes part with a memory of its own: what it reads is sent to it, and what it writes comes back. */
export class SentHand {
  private opened: Opened | null = null;

  async open(config: Config): Promise<void> {
    this.opened = new Opened(await planAgain(config));
  }

  /** Does some items of a job. */
  do(sent: SentJob): Left {
    return this.opened!.do(sent);
  }

  close(): void {
    this.opened = null;
  }
}

class Opened {
  private readonly plan: Plan;
  private readonly memory: RowMemory;
  private readonly rows: SentRows;
  private readonly core: RowCore;
  private flags = 0;

  constructor(plan: Plan) {
    const policy = makeCpuPolicy(plan, RowCore.floats(plan, true));
    const columns = { arrays: makeArrays(plan), made: makeUpdateArrays(plan) };
    const memory = makeRowMemory(plan, policy, columns, ArrayBuffer, waveOf(plan, policy, SENT_BYTES));
    const board = { raise: (flag: number) => void (this.flags |= flag) };
    this.plan = plan;
    this.memory = memory;
    this.rows = new SentRows(plan, policy, memory);
    this.core = new RowCore(plan, policy, { memory, board }, true);
  }

  do({ job, from, to, theta, reference, batch, chunks, played }: SentJob): Left {
    const { plan, memory, rows, core } = this;
    const { s } = job;
    const { size } = plan.layout;
    memory.theta.set(theta, s * size);
    if (reference) memory.reference.set(reference, s * size);
    if (batch) rows.putBatch(s, batch);
    rows.putChunks(job, from, to, chunks);
    if (job.kind === 'play') clearReplica(plan, memory.columns, s);
    writeJob(job, memory.job);
    core.begin();
    this.flags = 0;
    const tasks = played && makeTasks(plan, played.update, played.mode, played.chosen);
    for (let item = from; item < to; item++) core.do(item, tasks && ((): Tasks => tasks));
    return { flags: this.flags, ...this.left(job, from, to) };
  }

  private left(job: SentJob['job'], from: number, to: number): Omit<Left, 'flags'> {
    const { plan, rows } = this;
    const [sums, steps] = [rows.sums(job, from, to), rows.steps(job, from, to)];
    if (job.kind !== 'play') return { rows: [], sums, steps };
    const [first] = partOf(plan.B, from, job.parts);
    const [end] = partOf(plan.B, to, job.parts);
    return { rows: rows.rows(job.s, first, end - first), sums, steps };
  }
}
