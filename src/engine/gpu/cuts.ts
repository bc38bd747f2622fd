import { LONGER, OTHER, ROOM } from './bounds.ts';

/** A dispatch is cut into at most this many pieces. */
const MOST_CUTS = 1024;

/**
 *   pieces   of a dispatch
 *   before   ms when there were half as many; null: that is no question any more
 *   stuck    ms of a dispatch whose pieces would be no shorter
 *   least    fewer pieces were too long
 *   joined   there were twice as many until now
 */
type Cut = { pieces: number; before: number | null; stuck: number | null; least: number; joined: boolean };

/**
 * Dispatches that are too long by themselves, by name. Pieces are halved while that makes them shorter: one that waits for
 * the device rather than keeping it busy takes as long in pieces, and stays whole. They are joined again when there is room.
 */
export class Cuts {
  private readonly of = new Map<string, Cut>();

  get size(): number {
    return this.of.size;
  }

  piecesOf(name: string): number {
    return this.of.get(name)?.pieces ?? 1;
  }

  /** Pieces of each dispatch that is in some. */
  get pieces(): ReadonlyMap<string, number> {
    return new Map([...this.of].filter(([, { pieces }]) => pieces > 1).map(([name, { pieces }]) => [name, pieces]));
  }

  /** By the longest of the submissions in which each was alone, whole or in pieces; true where anything changed. */
  adjust(alone: ReadonlyMap<string, number>, frame: number): boolean {
    let isChanged = false;
    for (const [name, ms] of alone) {
      const cut = this.of.get(name) ?? { pieces: 1, before: null, stuck: null, least: 1, joined: false };
      const { pieces } = cut;
      if (ms > frame) longer(cut, ms);
      else shorter(cut, ms, frame);
      isChanged ||= cut.pieces !== pieces;
      if (cut.pieces === 1 && cut.stuck === null) this.of.delete(name);
      else this.of.set(name, cut);
    }
    return isChanged;
  }

  /** The device has become another one: everything may be tried again. */
  forget(): void {
    for (const cut of this.of.values()) Object.assign(cut, { before: null, stuck: null, least: 1 });
  }
}

function longer(cut: Cut, ms: number): void {
  if (cut.before !== null && ms > LONGER * cut.before) {
    [cut.pieces, cut.stuck, cut.before] = [cut.pieces / 2, cut.before, null];
    return;
  }
  cut.before = null;
  if (cut.pieces === MOST_CUTS || (cut.stuck !== null && ms <= OTHER * cut.stuck)) return;
  cut.pieces *= 2;
  if (cut.joined) [cut.least, cut.joined] = [cut.pieces, false];
  else [cut.before, cut.stuck] = [ms, null];
}

function shorter(cut: Cut, ms: number, frame: number): void {
  [cut.before, cut.joined] = [null, false];
  if (cut.pieces === 1) cut.stuck = null;
  else if (2 * ms <= ROOM * frame && cut.pieces > cut.least) [cut.pieces, cut.joined] = [cut.pieces / 2, true];
}
