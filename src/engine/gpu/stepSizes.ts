import { LONGER, ROOM } from './bounds.ts';

/** Steps of the first dispatch of a fused rollout: 2 to this power. */
const FIRST = 3;
/** Trajectories are cut into at most 2 to this power pieces; more than 2^16 steps no episode has. */
export const MOST_PIECES = 3;
const MOST_STEPS = 16;

/**
 * How much of a fused rollout is one dispatch, a chunk: 2^power steps of all trajectories; −k: one step of 1/2^k of them.
 * It is halved while it is too long and that makes it shorter, and doubled while there is room.
 */
export class StepSizes {
  power = FIRST;
  /** powers that are recorded */
  private ends: readonly [number, number] = [-MOST_PIECES, MOST_STEPS];
  private least = -MOST_PIECES;
  private most = MOST_STEPS;
  /** ms of the chunk before it was halved; null: that is no question any more */
  private before: number | null = null;
  /** how far it has just grown */
  private grown = 0;

  /** Which powers are recorded, from the smallest to the largest. */
  recorded(from: number, to: number): void {
    this.ends = [from, to];
    this.power = Math.max(from, Math.min(to, this.power));
  }

  /** By what submissions with chunks took; true where anything changed. */
  adjust(
    all: readonly { readonly ms: number; readonly units: number; readonly chunks: number }[],
    frame: number,
  ): boolean {
    const held = all.filter(({ chunks }) => chunks > 0);
    if (held.length === 0) return false;
    // alone, if there is one; what stands beside a chunk can only make it look longer
    const alone = held.filter(({ units }) => units === 1);
    const ms = Math.max(...(alone.length > 0 ? alone : held).map((one) => one.ms));
    const { power, before, grown } = this;
    [this.before, this.grown] = [null, 0];
    const isVain = before !== null && ms > LONGER * before;
    if (isVain) this.least = ++this.power;
    else if (ms > frame && grown > 0) this.most = this.power = power - 1;
    else if (ms > frame && alone.length > 0 && power > Math.max(this.least, this.ends[0]))
      [this.before, this.power] = [ms, power - 1];
    else if (held.length > 1) this.grow(ms, frame);
    return this.power !== power;
  }

  private grow(ms: number, frame: number): void {
    const room = Math.floor(Math.log2((ROOM * frame) / Math.max(ms, 1e-3)));
    this.grown = Math.max(0, Math.min(room, Math.min(this.most, this.ends[1]) - this.power));
    this.power += this.grown;
  }

  /** The device has become another one: everything may be tried again. */
  forget(): void {
    [this.least, this.most, this.before, this.grown] = [-MOST_PIECES, MOST_STEPS, null, 0];
  }
}
