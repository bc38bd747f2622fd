import type { Gpu } from '../../gpu/device.ts';
import { isExact, whenDone } from '../../gpu/deviceWait.ts';
import { CommandList } from '../../gpu/recorder.ts';
import type { Plan } from '../plan.ts';
import { Sequence } from './tokenSequence.ts';

/** A submission that took less may grow, one that took more shrinks: a page must be able to draw in between. */
const SHORT_MS = 8;
const LONG_MS = 30;
/** Dispatches of the first submission, and the most of any. */
const FIRST_DISPATCHES = 16;
const MOST_DISPATCHES = 4096;
/** A dispatch is cut into at most this many pieces. */
const MOST_CUTS = 1024;
/** Steps of the first dispatch of a fused rollout: 2 to this power. */
const FIRST_STEPS = 3;
/** Once the size has settled, one use in this many is measured. */
const EVERY = 32;

/**
 * How much is handed to the device at once, by what it took before. It changes nothing in the results.
 *
 *   dispatches   most dispatches of one submission
 *   steps        2^steps steps of all trajectories in one dispatch of a fused rollout; −k: one step of 1/2^k of them
 *   cuts         pieces of a dispatch that is too long by itself, each a submission
 */
export class Pace {
  dispatches = FIRST_DISPATCHES;
  steps = FIRST_STEPS;
  readonly cuts = new Map<string, number>();
  /** what takes longer than this many ms is made smaller */
  longMs = LONG_MS;
  /** longest submission of the last measured use, in ms; null before */
  longest: number | null = null;
  private uses = 0;
  private isSettled = false;
  private watch: Watch | null = null;

  /** Call before the first submission of a use. Nothing is learned where waits end by a timer. */
  begin(queue: GPUQueue): void {
    if (!isExact(queue)) return;
    const isDue = this.watch === null && (!this.isSettled || this.uses % EVERY === 0);
    this.uses++;
    if (isDue) this.watch = { last: whenDone(queue), longest: 0, alone: new Map() };
  }

  /** Into how many pieces dispatch k of a list is cut. */
  piecesOf(list: CommandList, k: number): number {
    return this.cuts.size === 0 ? 1 : (this.cuts.get(list.nameOf(k)) ?? 1);
  }

  /**
   * Call after every submission: how long the device was at it is the time between the ends of two. `alone` is the name of
   * a dispatch that was, whole or a piece, all of the submission.
   */
  mark(queue: GPUQueue, alone: string | null = null): void {
    const { watch } = this;
    if (!watch) return;
    const from = performance.now();
    watch.last = Promise.all([watch.last, whenDone(queue)]).then(([before, now]) => {
      const ms = now - Math.max(before, from);
      if (alone !== null && ms > this.longMs) watch.alone.set(alone, Math.max(ms, watch.alone.get(alone) ?? 0));
      else watch.longest = Math.max(watch.longest, ms);
      return now;
    });
  }

  /** Call after the last submission. */
  end(): void {
    const { watch } = this;
    if (!watch) return;
    // a device that goes away takes its measurements with it
    watch.last.then(
      () => this.adjust(watch),
      () => undefined,
    );
  }

  /** Cuts what was too long by itself; grows or shrinks by what the longest of the other submissions took. */
  private adjust({ longest, alone }: Watch): void {
    this.watch = null;
    this.longest = Math.max(longest, ...alone.values());
    const by = longest > this.longMs ? -1 : longest < SHORT_MS ? 1 : 0;
    const { dispatches, steps } = this;
    let isCut = false;
    for (const [name, ms] of alone) {
      const before = this.cuts.get(name) ?? 1;
      const pieces = Math.min(MOST_CUTS, before * 2 ** Math.ceil(Math.log2(ms / this.longMs)));
      this.cuts.set(name, pieces);
      isCut ||= pieces > before;
    }
    this.dispatches = Math.max(
      1,
      Math.min(MOST_DISPATCHES, by > 0 ? dispatches * 2 : by < 0 ? dispatches >> 1 : dispatches),
    );
    this.steps = Math.max(-MOST_PIECES, Math.min(MOST_STEPS, steps + by));
    this.isSettled = !isCut && this.dispatches === dispatches && this.steps === steps;
  }
}

/** What a use of the device took, while it is measured: the longest submission, and dispatches that were too long alone. */
type Watch = { last: Promise<number>; longest: number; readonly alone: Map<string, number> };

/** Trajectories are cut into at most 2 to this power pieces; more than 2^16 steps no episode has. */
export const MOST_PIECES = 3;
const MOST_STEPS = 16;

const known = new WeakMap<Gpu, Map<string, Pace>>();

/** The pace of one kind of work on a device, kept for the next run that does the same. */
export function paceOf(gpu: Gpu, work: string): Pace {
  let paces = known.get(gpu);
  if (!paces) known.set(gpu, (paces = new Map()));
  let pace = paces.get(work);
  if (!pace) paces.set(work, (pace = new Pace()));
  return pace;
}

/** One list with a pace of its own. `owner` frees its uniforms. */
export async function pacedList(
  gpu: Gpu,
  plan: Plan,
  owner: GPUBuffer[],
  work: string,
  fill: (list: CommandList) => Promise<void>,
): Promise<Sequence> {
  const sequence = new Sequence(paceOf(gpu, `${work} ${sizesOf(plan)}`));
  await fill(sequence.add(new CommandList(gpu, work, owner)));
  return sequence;
}

/** What the work of a plan costs depends on these: runs that agree in them share a pace. */
export function sizesOf({ S, B, T, env, layout, config, epochs, minibatches }: Plan): string {
  return [env.id, config.policy.method, S, B, T, layout.size, epochs, minibatches].join(' ');
}
