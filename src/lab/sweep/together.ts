import { prepareTask } from '../../config/level.ts';
import { problemLine } from '../../config/problems.ts';
import type { MakeBackend, UpdateRecord } from '../../engine/backend.ts';
import { DigestChain } from '../../engine/digest.ts';
import { Run, type Checkpoint } from '../../engine/run.ts';
import { Series, type SeriesPart } from '../../engine/series.ts';
import { planTogether, someReplicas } from '../../engine/together.ts';
import { METRICS } from '../../slots/metrics/metrics.ts';
import { resultOf, tooShort, type CellResult, type Untrained } from './cell.ts';
import type { Cell } from './expand.ts';

/** How one cell of a batch has ended. */
export type EndedCell = { readonly result: CellResult; readonly series: Series; readonly seconds: number } | Untrained;

/** Where a batch stands between two updates: the state of all its replicas, and the curves of each. */
export type Standing = {
  readonly checkpoint: Checkpoint;
  readonly curves: readonly SeriesPart[];
  readonly seconds: number;
};

export type TrainingTogether = {
  readonly makeBackend: MakeBackend;
  /**
   * Called after every update with the share that is done of every cell, and may take its time; what it throws ends the
   * training. `stand` waits for what is in flight and copies the state.
   */
  readonly between: (shares: readonly number[], seconds: number, stand: () => Promise<Standing>) => Promise<void>;
  /** Called for each cell as soon as it has ended. */
  readonly ended: (k: number, end: EndedCell) => Promise<void>;
  readonly begun?: Standing | null;
};

/** One cell of a batch: a history and a digest as it has them alone. */
class Strand {
  readonly cell: Cell;
  readonly series = new Series(1);
  private readonly chain: DigestChain;
  isOver = false;

  constructor(cell: Cell, curves: SeriesPart | undefined, link: Uint8Array | undefined) {
    this.cell = cell;
    this.chain = new DigestChain(1, link && [link]);
    if (curves) this.series.join(curves);
  }

  /** Takes in what an update did to its replica. */
  async take({ update, metrics, chosen = {}, hash, bad, stepsOf }: UpdateRecord, s: number): Promise<void> {
    const own = hash.subarray(2 * s, 2 * s + 2);
    const numbers = Object.entries(chosen).map(([id, values]) => [id, values.subarray(s, s + 1)] as const);
    this.series.put({
      ...{ update, metrics: metrics.subarray(s * METRICS, (s + 1) * METRICS), chosen: Object.fromEntries(numbers) },
      ...{ hash: own, bad: bad.subarray(s, s + 1), envSteps: stepsOf[s]!, stepsOf: stepsOf.subarray(s, s + 1) },
    });
    await this.chain.append(own);
  }

  get steps(): number {
    return this.series.length === 0 ? 0 : this.series.envSteps(this.series.length - 1);
  }

  /** Share that is done. */
  shareOf(updates: number): number {
    const { limit } = this.cell;
    return this.isOver ? 1 : limit === null ? this.series.length / updates : Math.min(1, this.steps / limit.amount);
  }

  get isAtLimit(): boolean {
    const { limit } = this.cell;
    return limit !== null && this.steps >= limit.amount;
  }

  link(): Uint8Array {
    return this.chain.save()[0]!;
  }

  async result(isFinite: boolean): Promise<CellResult> {
    const { all: digest } = await this.chain.read();
    return resultOf(this.cell, this.series, { digest, isFinite });
  }
}

/**
 * Trains cells as replicas of one run; all are of one kind (`kindOf`), and no seconds end them. Each has the result that
 * it has alone on this backend. One that diverges or has taken its steps ends by itself: its replica trains on unheard.
 */
export async function trainTogether(cells: readonly Cell[], how: TrainingTogether): Promise<void> {
  const { makeBackend, between, ended, begun = null } = how;
  await prepareTask(cells[0]!.config);
  const plan = planTogether(cells.map(({ config }) => config));
  if (!plan.ok) {
    for (const k of cells.keys()) await ended(k, { problem: problemLine(plan.problem) });
    return;
  }
  const strands = cells.map((cell, s) => new Strand(cell, begun?.curves[s], begun?.checkpoint.chain[s]));
  const run = await Run.create(plan.value, makeBackend, begun?.checkpoint);
  const flying: Promise<UpdateRecord>[] = [];
  let seconds = begun?.seconds ?? 0;
  const end = async (k: number, isFinite: boolean): Promise<void> => {
    const strand = strands[k]!;
    strand.isOver = true;
    const { series, steps, cell } = strand;
    const isShort = isFinite && cell.limit !== null && !strand.isAtLimit;
    if (isShort) await ended(k, { problem: tooShort(run.updates, steps, cell.limit) });
    else await ended(k, { result: await strand.result(isFinite), series, seconds });
  };
  const land = async (): Promise<void> => {
    const record = await flying.shift()!;
    for (const [s, strand] of strands.entries()) {
      if (strand.isOver) continue;
      await strand.take(record, s);
      const isFinite = record.bad[s] === 0;
      if (!isFinite || strand.isAtLimit || record.update + 1 === run.updates) await end(s, isFinite);
    }
  };
  const stand = async (): Promise<Standing> => {
    while (flying.length > 0) await land();
    const { state } = await run.checkpoint();
    const curves = strands.map(({ series }) => series.part(0, series.length));
    return { checkpoint: { state, chain: strands.map((strand) => strand.link()) }, curves, seconds };
  };
  try {
    while (strands.some(({ isOver }) => !isOver)) {
      const from = performance.now();
      while (flying.length < run.depth && run.update < run.updates) flying.push(run.submit());
      await land();
      // what happens between two updates does not count
      seconds += (performance.now() - from) / 1000;
      await between(
        strands.map((strand) => strand.shareOf(run.updates)),
        seconds,
        stand,
      );
    }
  } finally {
    await Promise.allSettled(flying);
    run.dispose();
  }
}

/** Where some cells of a batch stand, in this order. */
export function standingOf({ checkpoint, curves, seconds }: Standing, which: readonly number[]): Standing {
  return {
    checkpoint: someReplicas(checkpoint, curves.length, which),
    curves: which.map((s) => curves[s]!),
    seconds,
  };
}
