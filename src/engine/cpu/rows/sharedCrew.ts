import { part } from '../../../contract/columns.ts';
import type { Plan } from '../../plan.ts';
import { beat } from '../beat.ts';
import { makeCpuPolicy } from '../policy.ts';
import { Board } from './board.ts';
import type { Caller, Crew, Others, Weights } from './crew.ts';
import { RowCore } from './rowCore.ts';
import type { RowLink } from './rowHand.ts';
import { readsReference, writeJob, type RowJob } from './rowJob.ts';
import { makeRowMemory, mostVersions, waveOf, type RowMemory } from './rowMemory.ts';

/** `near`: other cores that work in this thread, for tests; `looks`: how often one waits for a silent one. */
type Given = { readonly links: readonly RowLink[]; readonly near?: number; readonly looks?: number | undefined };

/** Other cores that see the memory of this one. */
export const sharedCores = ({ links, near = 0, looks }: Given): Others => ({
  count: links.length + near,
  close: () => links.forEach((link) => link.close()),
  call: async (by) => {
    const { plan, policy, columns } = by;
    const memory = makeRowMemory(plan, policy, columns, SharedArrayBuffer, waveOf(plan, policy));
    const board = Board.memory();
    await Promise.all(links.map((link) => link.open(plan.config, { memory, board })));
    return new SharedCrew(by, { memory, board: new Board(board, looks) }, links, near);
  },
});

/** All read and write in the same memory; whoever is awake takes the next item, so nobody waits for one that is late. */
class SharedCrew implements Crew {
  readonly memory: RowMemory;
  readonly wave: number;
  private readonly plan: Plan;
  private readonly board: Board;
  private readonly links: readonly RowLink[];
  /** those that work here: this core, and in tests others of the same thread */
  private readonly near: readonly RowCore[];
  private session = 0;
  /** cores that take part at the moment, and of them those that are not near */
  private cores = 1;
  private entered = 0;

  constructor(
    { plan, own, policy }: Caller,
    place: { memory: RowMemory; board: Board },
    links: readonly RowLink[],
    near: number,
  ) {
    this.plan = plan;
    this.wave = waveOf(plan, policy);
    this.memory = place.memory;
    this.board = place.board;
    this.links = links;
    const other = (): RowCore => new RowCore(plan, makeCpuPolicy(plan, RowCore.floats(plan, true)), place, true);
    this.near = [own(place), ...Array.from({ length: near }, other)];
  }

  adders(cores: number): number {
    return cores;
  }

  /** One that comes late does less. */
  enter(cores: number): void {
    const { board, links } = this;
    this.cores = cores;
    if (this.entered === 0) board.setSession(++this.session);
    for (; this.entered < Math.min(cores - 1, links.length); this.entered++) links[this.entered]!.enter(this.session);
  }

  leave(): void {
    if (this.entered > 0) this.board.setSession(0);
    this.entered = 0;
  }

  run(job: RowJob, items: number, weights: Weights): number {
    const { board, memory, near } = this;
    board.prepare();
    if (job.kind !== 'sum') {
      const own = (all: Float32Array): Float32Array => part(all, this.plan.S, job.s);
      const { theta, versions = [theta] } = weights;
      versions.forEach((one, v) => own(part(memory.theta, mostVersions(this.plan), v)).set(own(one)));
      if (readsReference(job)) own(memory.reference).set(own(weights.reference));
    }
    writeJob(job, memory.job);
    board.open(items);
    const here = near.slice(0, Math.max(1, this.cores - this.entered));
    for (const core of here) core.begin(weights);
    let turn = 0;
    for (let item = board.take(); item >= 0; item = board.take()) {
      here[turn++ % here.length]!.do(item);
      board.finish();
    }
    board.await(items, beat);
    return board.flags;
  }
}
