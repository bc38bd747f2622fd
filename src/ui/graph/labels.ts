/** A word in the picture: where its middle is, how much room it takes, and whether it must be drawn. */
export type Label = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** what is pointed at, chosen or begins is told before anything else */
  readonly isFirst: boolean;
};

/** Something that words must not cover: a state. */
export type Disc = { readonly x: number; readonly y: number; readonly r: number };

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

const boxOf = ({ x, y, width, height }: Label): Box => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Side of a square of the index, in pixels at scale 1: about the room of a word. */
const CELL = 64;

/** Boxes by the squares that they touch: a picture may have hundreds of words. */
class Taken {
  private readonly squares = new Map<string, Box[]>();

  private *keys({ left, right, top, bottom }: Box): Generator<string> {
    for (let i = Math.floor(left / CELL); i <= Math.floor(right / CELL); i++)
      for (let j = Math.floor(top / CELL); j <= Math.floor(bottom / CELL); j++) yield `${i} ${j}`;
  }

  isFree(box: Box): boolean {
    for (const key of this.keys(box)) if (this.squares.get(key)?.some((other) => meet(other, box))) return false;
    return true;
  }

  take(box: Box): void {
    for (const key of this.keys(box)) this.squares.set(key, [...(this.squares.get(key) ?? []), box]);
  }
}

/**
 * Which words are drawn: those that come first, then the others in their order as long as they cover no word and no
 * state. [labels] 1: drawn.
 */
export function placed(labels: readonly (Label | null)[], discs: readonly Disc[]): Uint8Array {
  const taken = new Taken();
  for (const { x, y, r } of discs) taken.take({ left: x - r, right: x + r, top: y - r, bottom: y + r });
  const isDrawn = new Uint8Array(labels.length);
  for (const isFirst of [true, false]) {
    labels.forEach((label, k) => {
      if (!label || label.isFirst !== isFirst) return;
      const box = boxOf(label);
      if (!isFirst && !taken.isFree(box)) return;
      taken.take(box);
      isDrawn[k] = 1;
    });
  }
  return isDrawn;
}
