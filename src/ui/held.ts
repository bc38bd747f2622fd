import { heldOf, type HeldFile } from '../lab/runs/heldFile.ts';
import type { Kept, LeftRun, SeriesPart } from '../worker/protocol.ts';

/** A state of a run with the curves until there. */
export type Heritage = Omit<LeftRun, 'id'>;

/** Curves of more bytes than this are given to the browser, which need not hold them in the memory of the page. */
const MOST_BYTES = 2 * 2 ** 20;

const bytesOf = ({ values, steps }: SeriesPart): number => values.byteLength + steps.byteLength;

/** The newest state of the worker's run that the page holds on to: another worker continues from it. */
export class Held {
  private run = 0;
  private state: Pick<Kept, 'checkpoint' | 'trainedOn'> | null = null;
  private files: readonly HeldFile[] = [];
  private curves: readonly SeriesPart[] = [];

  /** Another run begins at its start; a state of an older one that is still on its way is not taken. */
  begin(run: number): void {
    this.run = run;
    this.state = null;
    this.files = this.curves = [];
  }

  /** The same run under the number that another worker gives it. */
  goOn(run: number): void {
    this.run = run;
  }

  /** A fork continues under a higher number; what it has dropped of the curves is dropped here too. */
  take({ run, checkpoint, trainedOn, curves }: Kept): void {
    if (run < this.run) return;
    this.run = run;
    this.state = { checkpoint, trainedOn };
    const isBefore = ({ from }: { readonly from: number }): boolean => from < curves.from;
    this.files = this.files.filter(isBefore);
    this.curves = [...this.curves.filter(isBefore), curves];
    if (this.bytes <= MOST_BYTES) return;
    this.files = [...this.files, heldOf(this.curves)];
    this.curves = [];
  }

  /** Of curves in the memory of the page. */
  get bytes(): number {
    return this.curves.reduce((sum, part) => sum + bytesOf(part), 0);
  }

  /** Null where nothing has been kept yet: the run is repeated from its start. */
  get newest(): Heritage | null {
    return this.state && { ...this.state, curves: [...this.files, ...this.curves] };
  }
}

const LOSSES = 3;
const WITHIN_MS = 5 * 60 * 1000;

/** What goes wrong again and again is not repaired again and again: the same limits as for a lost device. */
export class Losses {
  private at: readonly number[] = [];

  /** One more; true while it is worth another try. */
  count(now: number): boolean {
    this.at = [...this.at.filter((then) => then > now - WITHIN_MS), now];
    return this.at.length < LOSSES;
  }

  forget(): void {
    this.at = [];
  }
}
