import type { TrainedOn } from '../core/trainedOn.ts';

/** Updates from this one on, and the path that trained them. */
export type Stretch = { readonly from: number; readonly on: TrainedOn };

/** Which path trained which updates of a run: only one of them alone can repeat a digest on every machine. */
export class Stretches {
  list: readonly Stretch[] = [];

  /** Update `from` and those after it are trained there. */
  note(from: number, on: TrainedOn): void {
    if (this.list.at(-1)?.on !== on) this.list = [...this.list, { from, on }];
  }

  /** Updates from this one on are forgotten. */
  cut(update: number): void {
    this.list = this.list.filter(({ from }) => from < update);
  }

  /** What the first updates of this history are for one that continues from there. */
  goOnIn(next: Stretches, update: number): void {
    next.list = this.list;
    next.cut(update);
  }

  /** Null before the first update. */
  get all(): TrainedOn | null {
    const [first, second] = this.list;
    return second ? 'both' : (first?.on ?? null);
  }
}
