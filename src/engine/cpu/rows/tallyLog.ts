import { emptyTally, type Tally } from '../policy.ts';

/** Sums of a tally whose value depends on the order of their terms. */
export const SUMS = ['policyLoss', 'valueLoss', 'klRef', 'approxKL', 'ratio', 'delta', 'deltaSquares'] as const;
/** Numbers of a tally where it does not: whole numbers, and a maximum. */
const COUNTS = ['ratioMax', 'outside', 'units', 'steps'] as const;
const CLIPS = emptyTally().clips.length;

/**
 * A tally that keeps the terms of its sums instead of adding them, so that whoever holds the sums of all rows adds them in
 * the order of the rows. In f64: for every sum the number of its terms and the terms, then the counts.
 */
export class TallyLog implements Tally {
  readonly clips: number[] = emptyTally().clips;
  ratioMax = 0;
  outside = 0;
  units = 0;
  steps = 0;
  private log: Float64Array = new Float64Array(0);
  private readonly most: number;
  private readonly used = new Int32Array(SUMS.length);

  /** `units`: terms of a sum at most */
  constructor(units: number) {
    this.most = units;
  }

  /** Numbers of a log. */
  static size(units: number): number {
    return SUMS.length * (1 + units) + COUNTS.length + CLIPS;
  }

  /** Begins with nothing, and keeps it in `log`. */
  begin(log: Float64Array): void {
    this.log = log;
    this.used.fill(0);
    this.clips.fill(0);
    this.ratioMax = this.outside = this.units = this.steps = 0;
  }

  private put(sum: number, term: number): void {
    this.log[sum * (1 + this.most) + 1 + this.used[sum]!++] = term;
  }

  // what is added to 0 arrives as it is
  get policyLoss(): number {
    return 0;
  }
  set policyLoss(term: number) {
    this.put(0, term);
  }
  get valueLoss(): number {
    return 0;
  }
  set valueLoss(term: number) {
    this.put(1, term);
  }
  get klRef(): number {
    return 0;
  }
  set klRef(term: number) {
    this.put(2, term);
  }
  get approxKL(): number {
    return 0;
  }
  set approxKL(term: number) {
    this.put(3, term);
  }
  get ratio(): number {
    return 0;
  }
  set ratio(term: number) {
    this.put(4, term);
  }
  get delta(): number {
    return 0;
  }
  set delta(term: number) {
    this.put(5, term);
  }
  get deltaSquares(): number {
    return 0;
  }
  set deltaSquares(term: number) {
    this.put(6, term);
  }

  /** Everything is in the log. */
  end(): void {
    const { log, most } = this;
    this.used.forEach((n, sum) => (log[sum * (1 + most)] = n));
    let at = SUMS.length * (1 + most);
    for (const name of COUNTS) log[at++] = this[name];
    for (const n of this.clips) log[at++] = n;
  }
}

/** Adds what a log holds to a tally, term by term. */
export function addLog(tally: Tally, log: Float64Array, units: number): void {
  SUMS.forEach((name, sum) => {
    const from = sum * (1 + units) + 1;
    const to = from + log[from - 1]!;
    let total = tally[name];
    for (let k = from; k < to; k++) total += log[k]!;
    tally[name] = total;
  });
  const at = SUMS.length * (1 + units);
  tally.ratioMax = Math.max(tally.ratioMax, log[at]!);
  tally.outside += log[at + 1]!;
  tally.units += log[at + 2]!;
  tally.steps += log[at + 3]!;
  for (let k = 0; k < CLIPS; k++) tally.clips[k]! += log[at + 4 + k]!;
}
