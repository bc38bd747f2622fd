/** Characters of a text that are compared. */
const COMPARED = 1000;
/** Pairs of characters that one reading looks at: with more texts, further ones only count as equal or not. */
const MOST_WORK = 2e9;

/**
 * How alike two texts are, 0 to 1: 2·M/(|a| + |b|), where M counts the characters of the longest block that both share, and
 * then of the longest ones on its left and on its right, and so on (Ratcliff and Obershelp 1988). The released code of
 * GiGPO compares observations so, with a threshold of 0.95.
 */
export function similarity(a: string, b: string, work: { pairs: number } = { pairs: 0 }): number {
  const total = a.length + b.length;
  return total === 0 ? 1 : (2 * matched(unitsOf(a), unitsOf(b), work)) / total;
}

const unitsOf = (text: string): Uint16Array => Uint16Array.from({ length: text.length }, (_, k) => text.charCodeAt(k));

function matched(a: Uint16Array, b: Uint16Array, work: { pairs: number }): number {
  let sum = 0;
  const left: [Uint16Array, Uint16Array][] = [[a, b]];
  while (left.length > 0) {
    const [x, y] = left.pop()!;
    work.pairs += x.length * y.length;
    const { at, bt, size } = longest(x, y);
    if (size === 0) continue;
    sum += size;
    if (at > 0 && bt > 0) left.push([x.subarray(0, at), y.subarray(0, bt)]);
    if (at + size < x.length && bt + size < y.length) left.push([x.subarray(at + size), y.subarray(bt + size)]);
  }
  return sum;
}

/** The longest block that both share: the first one in a, and of those the first in b. */
function longest(a: Uint16Array, b: Uint16Array): { at: number; bt: number; size: number } {
  let [at, bt, size] = [0, 0, 0];
  /** length of the block that ends at each place of b, in the row of a before */
  const ends = new Uint16Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const unit = a[i]!;
    let before = 0;
    for (let j = 1; j <= b.length; j++) {
      const length = b[j - 1] === unit ? before + 1 : 0;
      before = ends[j]!;
      ends[j] = length;
      if (length > size) [at, bt, size] = [i - length + 1, j - length, length];
    }
  }
  return { at, bt, size };
}

/** At most this much of two texts can agree: by their lengths, and by how often each character is in both. */
function canReach(a: string, b: string, threshold: number): boolean {
  const total = a.length + b.length;
  if (2 * Math.min(a.length, b.length) < threshold * total) return false;
  const count = new Map<string, number>();
  for (const c of a) count.set(c, (count.get(c) ?? 0) + 1);
  let shared = 0;
  for (const c of b) {
    const n = count.get(c) ?? 0;
    if (n === 0) continue;
    shared += c.length;
    count.set(c, n - 1);
  }
  return 2 * shared >= threshold * total;
}

/**
 * Texts that look alike, task by task: in the order of the file a text joins the first cluster whose first member is at
 * least `threshold` alike, else it opens one. Clusters never merge, so the order matters, as in the released code.
 */
export class Clusters {
  private readonly threshold: number;
  private readonly byTask = new Map<number, { readonly heads: string[]; readonly known: Map<string, string> }>();
  private readonly most: number;
  private readonly work = { pairs: 0 };
  /** true once there were too many texts to compare them all */
  isCut = false;

  /** @param most pairs of characters that are looked at */
  constructor(threshold: number, most = MOST_WORK) {
    this.threshold = threshold;
    this.most = most;
  }

  /** The text that stands for the cluster of this one. */
  headOf(task: number, whole: string): string {
    const text = whole.slice(0, COMPARED);
    let own = this.byTask.get(task);
    if (!own) this.byTask.set(task, (own = { heads: [], known: new Map() }));
    const known = own.known.get(text);
    if (known !== undefined) return known;
    const found = this.find(own.heads, text);
    if (found === null) own.heads.push(text);
    own.known.set(text, found ?? text);
    return found ?? text;
  }

  private find(heads: readonly string[], text: string): string | null {
    for (const head of heads) {
      if (this.work.pairs >= this.most) {
        this.isCut = true;
        return null;
      }
      this.work.pairs += head.length + text.length;
      if (canReach(head, text, this.threshold) && similarity(head, text, this.work) >= this.threshold) return head;
    }
    return null;
  }
}
