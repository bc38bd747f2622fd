import { REGULAR, TIMELINE_BYTES } from '../contract/kept.ts';
import { digits } from '../core/digits.ts';
import type { Checkpoint } from './run.ts';

/** Why a checkpoint is kept. `candidate`: taken at an evaluation whose result is not known yet. */
export type KeptFor = 'start' | 'power' | 'regular' | 'best' | 'alarm' | 'fork' | 'end' | 'candidate';

/** A checkpoint as the page lists it. */
export type Mark = { readonly update: number; readonly reasons: readonly { kind: KeptFor; words: string }[] };

/** A checkpoint and why it is kept, as it outlives the page. */
export type Point = { readonly checkpoint: Checkpoint; readonly reasons: readonly (readonly [KeptFor, string])[] };

type Kept = {
  readonly checkpoint: Checkpoint;
  readonly bytes: number;
  readonly reasons: Map<KeptFor, string>;
  /** evaluation success of exactly this state, over the seeds */
  score: number | null;
};

/** What goes first when room is short; start, best evaluation and the newest always stay. */
const THINNED: readonly KeptFor[] = ['regular', 'power', 'alarm', 'fork', 'end'];

/**
 * Checkpoints of a run: start, powers of two, every twentieth update, best evaluation, alarms, forks, the end. Above its
 * budget it lets go of regular ones first, each time the one that leaves the smallest gap, so that distances stay
 * bounded: from any update that ever was, a kept one is near.
 */
export class Timeline {
  private readonly budget: number;
  private readonly kept = new Map<number, Kept>();

  constructor(budget: number = TIMELINE_BYTES) {
    this.budget = budget;
  }

  /** True where a checkpoint is taken without anybody asking. `evaluates`: an evaluation of this state comes next. */
  static isDue(update: number, evaluates: boolean): boolean {
    return evaluates || update % REGULAR === 0 || isPower(update);
  }

  /** Keeps what is due at a checkpoint's own update, besides `more`. */
  take(checkpoint: Checkpoint, evaluates: boolean, more: readonly (readonly [KeptFor, string])[] = []): void {
    const { update } = checkpoint.state;
    if (update === 0) this.keep(checkpoint, 'start', 'start');
    if (isPower(update)) this.keep(checkpoint, 'power', 'power of two');
    if (update > 0 && update % REGULAR === 0) this.keep(checkpoint, 'regular', `every ${REGULAR} updates`);
    if (evaluates) this.keep(checkpoint, 'candidate', 'evaluation');
    for (const [kind, words] of more) this.keep(checkpoint, kind, words);
  }

  keep(checkpoint: Checkpoint, kind: KeptFor, words: string): void {
    const { update } = checkpoint.state;
    let kept = this.kept.get(update);
    if (!kept) {
      kept = { checkpoint, bytes: bytesOf(checkpoint.state), reasons: new Map(), score: null };
      this.kept.set(update, kept);
    }
    kept.reasons.set(kind, words);
    this.thin();
  }

  /** The evaluation of the state before an update is known: only the best one so far keeps its place for it. */
  judge(update: number, score: number): void {
    const kept = this.kept.get(update);
    if (!kept) return;
    kept.score = score;
    kept.reasons.delete('candidate');
    this.nameBest();
    this.thin();
  }

  /** The first of the states with the best score among those that are kept. */
  private nameBest(): void {
    let best: Kept | null = null;
    for (const update of this.updates()) {
      const kept = this.kept.get(update)!;
      kept.reasons.delete('best');
      if (kept.score !== null && (best === null || kept.score > best.score!)) best = kept;
    }
    best?.reasons.set('best', `best evaluation ${digits(best.score!)}`);
    for (const [update, { reasons }] of this.kept) if (reasons.size === 0) this.kept.delete(update);
  }

  at(update: number): Checkpoint | undefined {
    return this.kept.get(update)?.checkpoint;
  }

  /** The update of the best evaluation, or null while there is none. */
  get best(): number | null {
    return this.updates().find((update) => this.kept.get(update)!.reasons.has('best')) ?? null;
  }

  /** Forgets every state after an update: the run goes on from there. */
  truncate(update: number): void {
    for (const later of this.updates()) if (later > update) this.kept.delete(later);
    this.kept.get(update)?.reasons.delete('end');
    this.nameBest();
  }

  /** For a run that goes on from here, while this one is kept. */
  copy(): Timeline {
    const copy = new Timeline(this.budget);
    for (const [update, kept] of this.kept) copy.kept.set(update, { ...kept, reasons: new Map(kept.reasons) });
    return copy;
  }

  /** For the page, oldest first. */
  marks(): Mark[] {
    return this.updates()
      .map((update) => {
        const reasons = [...this.kept.get(update)!.reasons].filter(([kind]) => kind !== 'candidate');
        return { update, reasons: reasons.map(([kind, words]) => ({ kind, words })) };
      })
      .filter(({ reasons }) => reasons.length > 0);
  }

  /** What a page leaves behind, oldest first: what is listed, but for the start, which the config gives again. */
  points(): Point[] {
    return this.updates().flatMap((update) => {
      const { checkpoint, reasons } = this.kept.get(update)!;
      const listed = [...reasons].filter(([kind]) => kind !== 'candidate');
      return update > 0 && listed.length > 0 ? [{ checkpoint, reasons: listed }] : [];
    });
  }

  /** Takes back what a page has left behind; `scoreAt`: the evaluation of the state before an update, null without one. */
  recall(points: readonly Point[], scoreAt: (update: number) => number | null): void {
    for (const { checkpoint, reasons } of points) {
      const { update } = checkpoint.state;
      const bytes = bytesOf(checkpoint.state);
      this.kept.set(update, { checkpoint, bytes, reasons: new Map(reasons), score: scoreAt(update) });
    }
    this.nameBest();
    this.thin();
  }

  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.kept.values()) sum += bytes;
    return sum;
  }

  private updates(): number[] {
    return [...this.kept.keys()].sort((a, b) => a - b);
  }

  private thin(): void {
    while (this.bytes > this.budget) {
      const victim = this.victim();
      if (victim === null) return;
      this.kept.delete(victim);
    }
  }

  private victim(): number | null {
    const updates = this.updates();
    for (const kind of THINNED) {
      let found: number | null = null;
      let smallest = Infinity;
      for (let k = 1; k < updates.length - 1; k++) {
        const gap = updates[k + 1]! - updates[k - 1]!;
        if (gap >= smallest || worth(this.kept.get(updates[k]!)!) !== kind) continue;
        smallest = gap;
        found = updates[k]!;
      }
      if (found !== null) return found;
    }
    return null;
  }
}

/** The reason that keeps a checkpoint longest. */
function worth({ reasons }: Kept): KeptFor {
  if (['start', 'best', 'candidate'].some((kind) => reasons.has(kind as KeptFor))) return 'start';
  return THINNED.findLast((kind) => reasons.has(kind))!;
}

const isPower = (n: number): boolean => n > 0 && Number.isInteger(Math.log2(n));

function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + bytesOf(part), 0);
}
