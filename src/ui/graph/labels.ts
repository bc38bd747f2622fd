/** Where a word may stand: the middle of it. */
export type Place = { readonly x: number; readonly y: number; readonly words: string };

/** A word in the picture: the places where it may stand, the best first, and whether it must be drawn. */
export type Label = {
  readonly places: readonly Place[];
  /** what is pointed at, chosen or begins is told before anything else */
  readonly isFirst: boolean;
};

export type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

/** Room of a letter, and of a line of them. */
export type Letters = { readonly width: number; readonly height: number };

/** What is drawn beside words: they never cover a block, and lines (as points along them) only where nothing else is left. */
export type Drawn = { readonly blocks: readonly Box[]; readonly points: readonly (readonly [number, number])[] };

export const boxAround = (x: number, y: number, width: number, height: number): Box => ({
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

  /** How many of them the box meets; one in several squares counts more than once. */
  met(box: Box): number {
    let sum = 0;
    for (const key of this.keys(box)) for (const other of this.squares.get(key) ?? []) sum += meet(other, box) ? 1 : 0;
    return sum;
  }

  take(box: Box): void {
    for (const key of this.keys(box)) {
      const there = this.squares.get(key);
      if (there) there.push(box);
      else this.squares.set(key, [box]);
    }
  }
}

/**
 * Where each word is drawn, null where it is not: those that come first, then the others in their order as long as they
 * cover no word and no block. Of the places that are left, the one that covers the least of the lines.
 */
export function placed(labels: readonly (Label | null)[], letters: Letters, drawn: Drawn): (Place | null)[] {
  const taken = new Taken();
  const lines = new Taken();
  for (const block of drawn.blocks) taken.take(block);
  for (const [x, y] of drawn.points) lines.take(boxAround(x, y, 1, 1));
  const found: (Place | null)[] = labels.map(() => null);
  for (const isFirst of [true, false])
    labels.forEach((label, k) => {
      if (!label || label.isFirst !== isFirst) return;
      let best: { place: Place; box: Box } | null = null;
      let least = Infinity;
      for (const place of label.places) {
        const box = boxAround(place.x, place.y, place.words.length * letters.width, letters.height);
        const blocks = taken.met(box);
        if (blocks > 0 && !isFirst) continue;
        const cost = 1000 * blocks + lines.met(box);
        if (cost < least) [best, least] = [{ place, box }, cost];
      }
      if (!best) return;
      taken.take(best.box);
      found[k] = best.place;
    });
  return found;
}
