import type { History } from '../../contract/network.ts';

/** Under what a network remembers: parameters, and the episodes that are played. */
type Under = { readonly theta: Float32Array; readonly tasks: object };

type Playing = { readonly rows: readonly number[]; readonly from: number; readonly n: number };

/**
 * What a network with a memory holds of episodes while they are played, so that a step need not read all steps before it.
 * Other parameters, other episodes or a step that does not follow the last one: then it is computed anew.
 */
export class PlayMemory {
  private readonly width: number;
  private under: Under | null = null;
  private history: History | null = null;
  private recalling: History | null = null;
  private anew: History | null = null;
  /** last step that the memory of a row has seen; −1: none */
  private seen = new Int32Array(0);

  constructor(width: number) {
    this.width = width;
  }

  /** The history to read step t of rows[from … from + n) of. */
  playing(history: History, under: Under, { rows, from, n }: Playing, t: number): History {
    this.turnTo(history);
    if (this.under?.theta !== under.theta || this.under.tasks !== under.tasks) {
      this.seen.fill(-1);
      this.under = { theta: under.theta, tasks: under.tasks };
    }
    let recalls = true;
    for (let k = from; k < from + n; k++) {
      if (t > 0 && this.seen[rows[k]!] !== t - 1) recalls = false;
      this.seen[rows[k]!] = t;
    }
    return recalls ? this.recalling! : this.anew!;
  }

  /** The same for the states after the last steps of rows from … from + n − 1, which end what is remembered. */
  ending(history: History, theta: Float32Array, length: Uint32Array, from: number, n: number): History {
    this.turnTo(history);
    let recalls = this.under?.theta === theta;
    for (let row = from; row < from + n; row++) {
      if (this.seen[row] !== length[row]! - 1) recalls = false;
      this.seen[row] = -1;
    }
    return recalls ? this.recalling! : this.anew!;
  }

  private turnTo(history: History): void {
    if (history === this.history) return;
    const rows = history.obs.length / ((history.T + 1) * history.obsWords);
    const memory = new Float32Array(rows * this.width);
    this.history = history;
    this.seen = new Int32Array(rows).fill(-1);
    this.recalling = { ...history, memory, recalls: true };
    this.anew = { ...history, memory, recalls: false };
  }
}
