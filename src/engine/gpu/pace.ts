import type { Gpu } from '../../gpu/device.ts';
import { isExact, whenDone } from '../../gpu/deviceWait.ts';
import { doneClockOf, type DoneClock } from '../../gpu/doneClock.ts';
import { CommandList } from '../../gpu/recorder.ts';
import type { Plan } from '../plan.ts';
import { OTHER } from './bounds.ts';
import { Cuts } from './cuts.ts';
import { Segments, type Taken } from './segments.ts';
import { StepSizes } from './stepSizes.ts';
import { Sequence } from './tokenSequence.ts';

/** Once a kind of use has settled, one in this many is measured. */
const EVERY = 32;
/** Kinds of use of one pace that are remembered. */
const MOST_KINDS = 64;
/** A clock coarser than this part of a frame tells only how long submissions take on average. */
const COARSE = 0.25;

/** One submission: its segment, the dispatch that was all of it or a piece, how many units it held and chunks of steps. */
export type Submission = {
  readonly segment: number;
  readonly alone: string | null;
  readonly isPiece: boolean;
  readonly units: number;
  readonly chunks: number;
};

type Measured = Submission & { ms: number };

/** What a kind of use came to when it had settled. */
type Settled = { readonly span: number; readonly longest: number; readonly frame: number };

/** A use of the device with so many units: where its submissions end, and what was found when it had settled. */
type Kind = { readonly segments: Segments; uses: number; settled: Settled | null; last: Settled | null };

type Watch = {
  readonly kind: Kind;
  readonly frame: number;
  readonly all: Measured[];
  last: Promise<number>;
};

/** What a pace needs of a device. */
export type Beat = { readonly clock: Pick<DoneClock, 'latency' | 'grain' | 'known'>; readonly frame: () => number };

/**
 * How much is handed to the device at once, by what it took before: submissions of a frame or less, as few as that allows.
 * It changes nothing in the results.
 *
 *   segments   where submissions end, for each kind of use
 *   steps      how much of a fused rollout is one dispatch
 *   cuts       pieces of a dispatch that is too long by itself, each a submission
 *
 * A change that makes nothing shorter is taken back and not tried again before the device is faster or slower than it was.
 */
export class Pace {
  readonly steps = new StepSizes();
  readonly cuts = new Cuts();
  /** longest submission of the last measured use, in ms; null before */
  longest: number | null = null;
  private readonly beat: Beat;
  private readonly kinds = new Map<number, Kind>();
  /** of the use that is being handed over, if it is measured; another one may follow before the device is done with it */
  private watch: Watch | null = null;
  private isBusy = false;

  constructor(beat: Beat) {
    this.beat = beat;
  }

  /** Call before the first submission of a use of so many units; where its submissions end. `first`: before any is known. */
  begin(queue: GPUQueue, units: number, first: () => readonly number[]): readonly number[] {
    const kind = this.kindOf(units, first);
    const frame = this.beat.frame();
    if (kind.settled && kind.settled.frame !== frame) {
      kind.settled = null;
      this.forget(kind);
    }
    const isDue = !this.isBusy && isExact(queue) && (!kind.settled || kind.uses % EVERY === 0);
    kind.uses++;
    this.watch = isDue ? { kind, frame, all: [], last: whenDone(queue) } : null;
    return kind.segments.ends;
  }

  private kindOf(units: number, first: () => readonly number[]): Kind {
    const found = this.kinds.get(units);
    if (found) return found;
    const kind: Kind = { segments: new Segments(first()), uses: 0, settled: null, last: null };
    if (this.kinds.size === MOST_KINDS) this.kinds.delete(this.kinds.keys().next().value!);
    this.kinds.set(units, kind);
    return kind;
  }

  /** Into how many pieces dispatch k of a list is cut. */
  piecesOf(list: CommandList, k: number): number {
    return this.cuts.size === 0 ? 1 : this.cuts.piecesOf(list.nameOf(k));
  }

  /** Call after every submission: how long the device was at it is the time between the ends of two. */
  mark(queue: GPUQueue, submission: Submission): void {
    const { watch } = this;
    if (!watch) return;
    const from = performance.now();
    const measured: Measured = { ...submission, ms: 0 };
    watch.all.push(measured);
    watch.last = Promise.all([watch.last, whenDone(queue)]).then(([before, now]) => {
      // a device that had nothing to do took its time to begin and to tell
      measured.ms = before > from ? now - before : Math.max(0, now - from - this.beat.clock.latency);
      return now;
    });
  }

  /** Call after the last submission. */
  end(): void {
    const { watch } = this;
    if (!watch) return;
    this.watch = null;
    this.isBusy = true;
    // a device that goes away takes its measurements with it
    Promise.all([watch.last, this.beat.clock.known]).then(
      () => this.judge(watch),
      () => undefined,
    );
  }

  private judge(watch: Watch): void {
    const { kind, frame } = watch;
    this.isBusy = false;
    const all = this.believed(watch);
    if (all.length === 0) return;
    const span = all.reduce((sum, { ms }) => sum + ms, 0);
    const longest = Math.max(...all.map(({ ms }) => ms));
    this.longest = longest;
    const { settled, last } = kind;
    if (settled) {
      // one odd measurement is no reason to change anything, two are
      if (isOther(span, settled.span) || longest > Math.max(frame, OTHER * settled.longest)) kind.settled = null;
      return;
    }
    if (last && isOther(span, last.span)) this.forget(kind);
    const isChanged = this.adjust(watch, all);
    if (!isChanged) kind.settled = kind.last = { span, longest, frame };
  }

  /**
   * What is known of the submissions. A clock that is too coarse for single ones tells of their mean at most how much room
   * there is, and that a submission was too long only where it was by more than the grain.
   */
  private believed({ all, frame }: Watch): readonly Measured[] {
    const { grain } = this.beat.clock;
    if (grain <= COARSE * frame) return all;
    const average = (all.reduce((sum, { ms }) => sum + ms, 0) + grain) / all.length;
    return all.map((one) => ({ ...one, ms: Math.max(one.ms - grain, Math.min(average, frame)) }));
  }

  private adjust({ kind, frame }: Watch, all: readonly Measured[]): boolean {
    const alone = new Map<string, number>();
    for (const { alone: name, ms } of all) if (name !== null) alone.set(name, Math.max(ms, alone.get(name) ?? 0));
    const taken: Taken[] = kind.segments.ends.map(() => ({ ms: 0, chunks: 0, isCut: false }));
    for (const { segment, ms, chunks, isPiece } of all) {
      const so = taken[segment]!;
      const longer = isPiece ? Math.max(so.ms, ms) : so.ms + ms;
      taken[segment] = { ms: longer, chunks: so.chunks + chunks, isCut: so.isCut || isPiece };
    }
    const changes = [this.cuts.adjust(alone, frame), this.steps.adjust(all, frame), kind.segments.adjust(taken, frame)];
    return changes.includes(true);
  }

  private forget(kind: Kind): void {
    kind.last = null;
    kind.segments.forget();
    this.cuts.forget();
    this.steps.forget();
  }
}

const isOther = (a: number, b: number): boolean => a > OTHER * b || b > OTHER * a;

const known = new WeakMap<Gpu, Map<string, Pace>>();

/** The pace of one kind of work on a device, kept for the next run that does the same. */
export function paceOf(gpu: Gpu, work: string): Pace {
  let paces = known.get(gpu);
  if (!paces) known.set(gpu, (paces = new Map()));
  let pace = paces.get(work);
  if (!pace) paces.set(work, (pace = new Pace({ clock: doneClockOf(gpu), frame: () => gpu.frameMs })));
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
