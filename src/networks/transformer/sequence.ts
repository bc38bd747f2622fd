import { TOKEN } from './grammar.ts';
import { positionsOf, type TransformerShape } from './shape.ts';

/**
 * Sequences of several rows, packed one after the other without padding:
 *
 *   last commands, oldest first · observation · all prefixes of the grammar
 *
 * The context is read causally; a prefix sees the context, its own beginnings and itself.
 */
export class Sequences {
  rows = 0;
  /** tokens of all rows */
  count = 0;
  /** [rows + 1] first token of each row */
  readonly start: Int32Array;
  /** [tokens] */
  readonly token: Int32Array;
  /** [tokens] row of the table of places: absolute slots of history and observation, then depth of a prefix */
  readonly place: Int32Array;
  /** [tokens] distance is measured in these: place in the sequence, prefixes of equal depth share one */
  readonly order: Int32Array;
  /** [tokens] 0 for the context, else ancestors of the prefix as bits */
  readonly ancestors: Int32Array;
  /** [tokens] index of the prefix, −1 for the context */
  readonly prefix: Int32Array;
  /** [rows · prefixes] token index of every prefix of every row */
  readonly prefixAt: Int32Array;
  private readonly shape: TransformerShape;
  private readonly historyPlaces: number;

  constructor(shape: TransformerShape, tokens: number, rows: number) {
    this.shape = shape;
    this.historyPlaces = shape.history * shape.grammar.length;
    this.start = new Int32Array(rows + 1);
    this.token = new Int32Array(tokens);
    this.place = new Int32Array(tokens);
    this.order = new Int32Array(tokens);
    this.ancestors = new Int32Array(tokens);
    this.prefix = new Int32Array(tokens);
    this.prefixAt = new Int32Array(rows * shape.grammar.prefixes.length);
  }

  clear(): void {
    this.rows = 0;
    this.count = 0;
  }

  /**
   * Adds a row: observation tokens packed four per word at obs[obsAt …], and the commands of the steps before,
   * commands[commandsAt + t′], of which the last `history` are read. <pad> tokens are skipped, their places stay.
   */
  add(obs: Uint32Array, obsAt: number, commands: Uint32Array, commandsAt: number, t: number): void {
    const { history, observation, grammar } = this.shape;
    const first = this.count;
    for (let age = Math.min(history, t); age >= 1; age--) {
      const command = commands[commandsAt + t - age]!;
      for (let k = 0; k < grammar.length; k++) {
        this.put((command >>> (8 * k)) & 255, (history - age) * grammar.length + k, first);
      }
    }
    for (let k = 0; k < observation; k++) {
      this.put((obs[obsAt + (k >>> 2)]! >>> (8 * (k & 3))) & 255, this.historyPlaces + k, first);
    }
    const context = this.count - first;
    const deepest = positionsOf(this.shape) - grammar.length;
    grammar.prefixes.forEach((p, j) => {
      const at = this.count++;
      this.token[at] = p.token;
      this.place[at] = deepest + p.depth;
      this.order[at] = context + p.depth;
      this.ancestors[at] = p.ancestors | 0;
      this.prefix[at] = j;
      this.prefixAt[this.rows * grammar.prefixes.length + j] = at;
    });
    this.start[++this.rows] = this.count;
  }

  private put(token: number, place: number, first: number): void {
    if (token === TOKEN.pad) return;
    const at = this.count++;
    this.token[at] = token;
    this.place[at] = place;
    this.order[at] = at - first;
    this.ancestors[at] = 0;
    this.prefix[at] = -1;
  }
}
