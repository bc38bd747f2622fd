/** How many cores a run uses, from update to update. */
export type Cores = {
  /** in the next update */
  readonly now: number;
  /** as was found last: what is told to people, while another number is tried too */
  readonly found: number;
  /** that have to be there; 1: all others may go */
  readonly needed: number;
  /** As many others as were needed can be asked from now on. */
  arrived(): void;
  /** An update took so long for that much work; only ratios of work count. */
  took(ms: number, work: number): void;
};

/** Nothing is tried before a run has trained this long: first updates fill caches, and short runs gain nothing. */
const WARM_MS = 1000;
/** One measurement lasts this long at least, and an update. */
const SAMPLE_MS = 30;
/** Every number of cores is measured this often in turn, as a machine may change meanwhile. */
const ROUNDS = 5;
/** More cores are used where they are faster by this; where not, others on the machine have more from them. */
const CLEARLY = 1.08;
/** What takes so much longer is measured no more in this trial: in the first round, and later. */
const HOPELESS = [2, 1.5] as const;
/** Share of all time that trials may cost, by what other numbers of cores took longer. */
const SHARE = 0.02;
/** After a trial comes a rest; a longer one after each trial with the same result. */
const REST_MS = 10_000;
const LONGEST_REST_MS = 300_000;
/** A run that takes so much longer than in its trial is on another machine, as it were. */
const SLOWER = 1.3;
/** Measurements that this is seen by. */
const RECENT = 8;

/** The middle one; of an even number the larger of two. */
const median = (x: readonly number[]): number => [...x].sort((a, b) => a - b)[x.length >> 1]!;

/** What a trial found. */
export type Trial = {
  /** ms that the run had trained when it began */
  readonly at: number;
  /** by number of cores: ms for a piece of work, the middle one of what was measured */
  readonly rates: Readonly<Record<number, number>>;
  readonly found: number;
  /** ms that this and all earlier trials of the run took longer on numbers of cores that were not chosen */
  readonly wasted: number;
};

/** Numbers of cores that are tried where there are `most`: one, half of them and all. */
export const choicesOf = (most: number): readonly number[] => [...new Set([1, Math.ceil(most / 2), most])];

type Sample = { readonly cores: number; readonly rate: number; readonly work: number };

/**
 * Finds by trying how many cores are the fastest for a run: one, half of those that there are, or all. It is told what
 * updates took and reads no clock.
 */
export class Governor implements Cores {
  found = 1;
  private readonly choices: readonly number[];
  private areThere = false;
  private isDue = false;
  private samples: Sample[] | null = null;
  /** numbers of cores that are left in this trial, and the next of them */
  private left: readonly number[] = [];
  private turn = 0;
  private total = 0;
  private beganAt = 0;
  private wasted = 0;
  private restUntil = WARM_MS;
  private rest = REST_MS;
  /** ms for a piece of work, when it was measured last, and since */
  private rate = Infinity;
  private recent: number[] = [];
  private sample = { ms: 0, work: 0 };

  private readonly tell: (trial: Trial) => void;

  constructor(most: number, tell: (trial: Trial) => void = () => undefined) {
    this.choices = choicesOf(most);
    this.tell = tell;
  }

  get now(): number {
    return this.samples ? this.left[this.turn]! : this.found;
  }

  get needed(): number {
    return this.isDue || this.samples || this.found > 1 ? this.choices.at(-1)! : 1;
  }

  arrived(): void {
    this.areThere = true;
    if (this.isDue) this.begin();
  }

  took(ms: number, work: number): void {
    this.total += ms;
    this.sample.ms += ms;
    this.sample.work += work;
    if (this.sample.ms < SAMPLE_MS || this.sample.work === 0) return;
    const rate = this.sample.ms / this.sample.work;
    if (this.samples) this.tried(this.samples, { cores: this.now, rate, work: this.sample.work });
    else this.rested(rate);
    this.sample = { ms: 0, work: 0 };
  }

  private rested(rate: number): void {
    this.recent.push(rate);
    if (this.recent.length > RECENT) this.recent.shift();
    const isSlower = this.recent.length === RECENT && median(this.recent) > SLOWER * this.rate;
    const until = isSlower ? this.wasted / SHARE : this.restUntil;
    if (this.total < until) return;
    this.isDue = true;
    if (this.areThere) this.begin();
  }

  private begin(): void {
    this.isDue = false;
    this.beganAt = this.total;
    [this.samples, this.left, this.turn] = [[], this.choices, 0];
    this.sample = { ms: 0, work: 0 };
  }

  private tried(samples: Sample[], sample: Sample): void {
    samples.push(sample);
    if (++this.turn < this.left.length) return;
    this.turn = 0;
    const rateOf = (cores: number): number => median(samples.filter((s) => s.cores === cores).map((s) => s.rate));
    const best = Math.min(...this.left.map(rateOf));
    const round = samples.filter((s) => s.cores === this.left[0]).length;
    const hopeless = HOPELESS[Math.min(round, HOPELESS.length) - 1]!;
    this.left = this.left.filter((cores) => rateOf(cores) <= hopeless * best);
    if (round < ROUNDS && this.left.length > 1) return;
    this.decide(
      samples,
      this.left.find((cores) => rateOf(cores) <= CLEARLY * best)!,
      rateOf,
    );
  }

  private decide(samples: readonly Sample[], found: number, rateOf: (cores: number) => number): void {
    const rate = rateOf(found);
    for (const s of samples) if (s.cores !== found) this.wasted += Math.max(0, (s.rate - rate) * s.work);
    this.rest = found === this.found && this.rate < Infinity ? Math.min(2 * this.rest, LONGEST_REST_MS) : REST_MS;
    this.restUntil = Math.max(this.total + this.rest, this.wasted / SHARE);
    [this.found, this.rate, this.recent, this.samples] = [found, rate, [], null];
    if (found === 1) this.areThere = false;
    const rates = Object.fromEntries(this.choices.map((cores) => [cores, rateOf(cores)]));
    this.tell({ at: this.beganAt, rates, found, wasted: this.wasted });
  }
}

/** The same number of cores from the start, whatever it brings. */
export const always = (cores: number): Cores => ({
  now: cores,
  found: cores,
  needed: cores,
  arrived: () => undefined,
  took: () => undefined,
});
