import type { Config } from '../../../config/slots.ts';
import { part } from '../../../contract/columns.ts';
import { makeArrays, makeUpdateArrays } from '../../arrays.ts';
import type { Plan } from '../../plan.ts';
import { makeCpuPolicy } from '../policy.ts';
import { sitesBeside } from '../sites.ts';
import { RowCore } from './rowCore.ts';
import { planAgain } from './rowHand.ts';
import { writeJob } from './rowJob.ts';
import { makeRowMemory, mostVersions, waveOf, type RowMemory } from './rowMemory.ts';
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
    const batch = { plan, arrays: makeArrays(plan) };
    // rows of a further round are nobody's but those that are sent
    const columns = { sites: { batch, round: batch, ...sitesBeside(plan) }, made: makeUpdateArrays(plan) };
    const memory = makeRowMemory(plan, policy, columns, ArrayBuffer, waveOf(plan, policy, SENT_BYTES));
    const board = { raise: (flag: number) => void (this.flags |= flag) };
    this.plan = plan;
    this.memory = memory;
    this.rows = new SentRows(plan, policy, memory);
    this.core = new RowCore(plan, policy, { memory, board }, true);
  }

  do({ job, from, to, versions, reference, batch, given }: SentJob): Left {
    const { plan, memory, rows, core } = this;
    const { s } = job;
    const { size } = plan.layout;
    versions.forEach((one, v) => part(memory.theta, mostVersions(plan), v).set(one, s * size));
    if (reference) memory.reference.set(reference, s * size);
    if (batch) rows.putBatch(s, batch);
    rows.putGiven(job, from, to, given);
    writeJob(job, memory.job);
    core.begin();
    this.flags = 0;
    for (let item = from; item < to; item++) core.do(item);
    return { flags: this.flags, left: rows.leftBy(job, from, to), steps: rows.steps(job, from, to) };
  }
}
