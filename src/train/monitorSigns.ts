import { wilsonInterval } from '../methods/analysis/success.ts';
import { metrics } from '../methods/analysis/metrics.ts';

/** The metric history of a run, as far as the monitor reads it. */
export type History = { at(update: number, s: number, metric: number): number };

/** Episodes whose success is averaged before it is judged: the standard error of a share is then at most 0.04. */
export const TRIALS = 160;
/** The same as a number of updates: at least so many, and at most, so that an alarm does not come too late. */
export const FEWEST = 5;
export const MOST = 20;
/** Updates over which ratios and effective sample size are averaged: one odd batch is no trouble yet. */
export const STEADY = 3;
/** Updates that say what a usual gradient is, and how many are needed before anything can be unusual. */
export const USUAL_OVER = 50;
export const USUAL_FROM = 10;

/** What the signs need to know about an experiment. */
export type SignFacts = {
  /**
   * independent draws of success in a batch: episodes on one fixed level, but only task groups where levels differ, since
   * episodes of one group share their level (spec metrics §7)
   */
  readonly trials: number;
  /** the task that update u trains on: success of one stage is not compared with that of another */
  stage(update: number): number;
};

/** A share of successes with its interval at 95 % (Wilson). */
export type Share = { readonly mean: number; readonly low: number; readonly high: number };

/** What is known about one replica after an update. NaN and null: not measured, or too early to say. */
export type Signs = {
  readonly update: number;
  /** slot that first gave a number that is not finite, or null */
  readonly bad: string | null;
  /** over the last updates, see TRIALS */
  readonly success: Share | null;
  readonly best: (Share & { readonly update: number }) | null;
  readonly entropy: number;
  readonly entropyStart: number;
  /** I(a;s), and its largest value so far */
  readonly info: number;
  readonly infoMost: number;
  readonly ess: number;
  readonly ratioMean: number;
  /** updates in a row in which nearly all groups agreed */
  readonly silentFor: number;
  readonly gradNorm: number;
  /** median of the gradients before this one that were not 0 */
  readonly gradUsual: number;
};

/** More than this share of the groups agree: a silent update. */
export const SILENT = 0.9;

/** Column of a metric in the record, or −1. */
export function columnOf(id: string): number {
  return metrics.findIndex((m) => m.id === id);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/** Follows one replica, update by update, and keeps what a condition needs of the past. */
export class Track {
  private readonly history: History;
  private readonly s: number;
  private readonly facts: SignFacts;
  private readonly window: number;
  /** first update that was followed: a run may go on from elsewhere */
  private first = -1;
  private stage = 0;
  private stageFrom = 0;
  private entropyStart = NaN;
  private infoMost = NaN;
  private best: Signs['best'] = null;
  private silentFor = 0;
  private readonly gradients: number[] = [];

  constructor(history: History, s: number, facts: SignFacts) {
    this.history = history;
    this.s = s;
    this.facts = facts;
    this.window = Math.min(MOST, Math.max(FEWEST, Math.ceil(TRIALS / facts.trials)));
  }

  /** The signs after update u; every update is followed once, in order. */
  follow(u: number, bad: string | null): Signs {
    if (this.first < 0) this.first = u;
    if (this.facts.stage(u) !== this.stage) {
      this.stage = this.facts.stage(u);
      this.stageFrom = u;
      this.best = null;
    }
    const one = (id: string): number => this.mean(id, u, 1);
    if (u === this.first) this.entropyStart = one('entropy');
    const successMean = u - this.window + 1 >= this.stageFrom ? this.mean('success', u, this.window) : NaN;
    const success = Number.isNaN(successMean) ? null : this.share(successMean);
    if (success && success.mean > (this.best?.mean ?? -1)) this.best = { ...success, update: u };
    const info = this.mean('infoAS', u, FEWEST);
    if (!(info <= this.infoMost) && !Number.isNaN(info)) this.infoMost = info;
    this.silentFor = one('degenerate') > SILENT ? this.silentFor + 1 : 0;
    const gradNorm = one('gradNorm');
    const gradUsual = this.gradients.length >= USUAL_FROM ? median(this.gradients) : NaN;
    if (gradNorm > 0) this.gradients.push(gradNorm);
    if (this.gradients.length > USUAL_OVER) this.gradients.shift();
    return {
      update: u,
      bad,
      success,
      best: this.best,
      entropy: this.mean('entropy', u, STEADY),
      entropyStart: this.entropyStart,
      info,
      infoMost: this.infoMost,
      ess: this.mean('ess', u, STEADY),
      ratioMean: this.mean('ratioMean', u, STEADY),
      silentFor: this.silentFor,
      gradNorm,
      gradUsual,
    };
  }

  /** Mean over the last n updates; NaN where one of them is missing or was not measured. */
  private mean(id: string, u: number, n: number): number {
    const metric = columnOf(id);
    if (metric < 0 || u - n + 1 < this.first) return NaN;
    let total = 0;
    for (let k = u - n + 1; k <= u; k++) total += this.history.at(k, this.s, metric);
    return total / n;
  }

  private share(mean: number): Share {
    const n = this.facts.trials * this.window;
    const [low, high] = wilsonInterval(mean * n, n);
    return { mean, low, high };
  }
}
