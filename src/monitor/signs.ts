import { wilsonInterval } from '../core/math/wilson.ts';
import { metrics } from '../slots/metrics/metrics.ts';

/** The metric history of a run, as far as the monitor reads it. */
export type History = { at(update: number, s: number, metric: number): number };

/** Episodes whose success is averaged before it is judged: the standard error of a share is then at most 0.04. */
const TRIALS = 160;
/** The same as a number of updates: at least the first, at most the second, so that an alarm does not come too late. */
export const FEWEST = 5;
export const MOST = 20;
/** Width of its interval in standard errors: 99.7 %, because it is checked again after every update. */
const CERTAIN = 3;
/** Updates over which entropy and effective sample size are averaged: one odd batch is no trouble yet. */
const STEADY = 3;
/** Gradients with credit behind them that are needed before one can be unusual. */
const USUAL_FROM = 10;
/** A gradient that has grown over this many of them is not a spike: the larger of both medians is the usual one. */
const RECENT = 20;

/** What the signs need to know about an experiment in one update. */
export type SignFacts = {
  /**
   * independent draws of success in a batch: episodes on one fixed level, but only task groups where levels differ, since
   * episodes of one group share their level (spec metrics §7)
   */
  readonly trials: number;
  /** episodes of a batch: on levels that stay the same, each is its own draw */
  readonly episodes: number;
  /** what is trained on, and its stage where it grows: what was reached in one is no measure for the next */
  readonly task: string;
  readonly stage: number;
  /** a reward module pays in place of the world, so that equal returns of the world say nothing of the credit */
  readonly isReplaced: boolean;
  /** steps of the world in an episode at most, where a policy sets itself subgoals */
  readonly worldSteps: number;
  /** success of the best policy for each replica: 1, or what chance leaves of it */
  readonly ceilings: readonly number[];
};

/** A share of successes among n independent draws. */
type Draws = { readonly mean: number; readonly n: number };

/** A share of successes with its Wilson interval, see CERTAIN. */
export type Share = { readonly mean: number; readonly low: number; readonly high: number };

/** What is known about one replica after an update. NaN and null: not measured, or too early to say. */
export type Signs = {
  readonly update: number;
  /** slot that first gave a number that is not finite, or null */
  readonly bad: string | null;
  /** over the last updates, see TRIALS */
  readonly success: Share | null;
  readonly best: (Share & { readonly update: number }) | null;
  /** mean shaped return over the last updates, and over those until success was best */
  readonly shaped: number;
  readonly shapedThen: number;
  /** success of the best policy */
  readonly ceiling: number;
  readonly entropy: number;
  readonly entropyStart: number;
  /** I(a;s), and its largest value so far */
  readonly info: number;
  readonly infoMost: number;
  /** after the update, and before its first step; NaN on fresh data learned in several minibatches */
  readonly ess: number;
  readonly essStart: number;
  readonly ratioMean: number;
  /** updates in a row in which nearly all groups agreed */
  readonly silentFor: number;
  readonly gradNorm: number;
  /**
   * median of the gradients of earlier updates that had credit to give (of all, or of the last 20, whichever is larger),
   * and the largest that was no spike itself
   */
  readonly gradUsual: number;
  readonly gradMost: number;
  readonly panel: PanelSigns | null;
  /** switch rate of the last update, and for how many in a row it has been near 1, or less than once in an episode */
  readonly switchRate: number;
  readonly collapsedFor: number;
};

/** Success on the levels that train and on held-out ones, over the last evaluations. */
export type PanelSigns = {
  readonly seen: Share;
  readonly held: Share;
  /** update of the last evaluation at which held-out success had surely gained, and what both were then */
  readonly update: number;
  readonly seenThen: Share;
  readonly heldThen: number;
};

/** Held-out success that grows by less than this stalls. */
const GAIN = 0.05;

/** More than this share of the groups agree: a silent update. */
export const SILENT = 0.9;

/** A planner that switches in more than this share of its decisions keeps nothing. */
export const ALWAYS = 0.9;

/** Column of a metric in the record, or −1. */
export function columnOf(id: string): number {
  return metrics.findIndex((m) => m.id === id);
}

/** A gradient this many times its median is a spike (spec product U28). */
export const SPIKE = 10;

/** Median of numbers in ascending order. */
function medianOf(sorted: readonly number[]): number {
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/** Where x belongs in numbers in ascending order. */
function placeOf(sorted: readonly number[], x: number): number {
  let low = 0;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Follows one replica, update by update, and keeps what a condition needs of the past. */
export class Track {
  private readonly history: History;
  private readonly s: number;
  private readonly factsOf: (update: number) => SignFacts;
  /** first update that was followed: a run may continue from elsewhere */
  private first = -1;
  private stage: Pick<SignFacts, 'task' | 'stage'> | null = null;
  private stageFrom = 0;
  /** success of the last updates of the stage */
  private played: Draws[] = [];
  private entropyStart = NaN;
  private infoMost = NaN;
  private best: Signs['best'] = null;
  private shapedThen = NaN;
  private silentFor = 0;
  private collapsedFor = 0;
  private evaluations: { seen: Draws; held: Draws }[] = [];
  private known: PanelSigns | null = null;
  private gained: Pick<PanelSigns, 'update' | 'seenThen' | 'heldThen'> | null = null;
  /** in ascending order, and the last of them as they came */
  private readonly gradients: number[] = [];
  private recent: number[] = [];
  private gradMost = 0;

  constructor(history: History, s: number, factsOf: (update: number) => SignFacts) {
    this.history = history;
    this.s = s;
    this.factsOf = factsOf;
  }

  /** The signs after update u; every update is followed once, in order. */
  follow(u: number, bad: string | null): Signs {
    if (this.first < 0) this.first = u;
    const facts = this.factsOf(u);
    if (facts.task !== this.stage?.task) {
      this.evaluations = [];
      this.known = null;
      this.gained = null;
    }
    if (facts.task !== this.stage?.task || facts.stage !== this.stage.stage) {
      this.stage = facts;
      this.stageFrom = u;
      this.played = [];
      this.best = null;
      this.infoMost = NaN;
      this.silentFor = this.collapsedFor = 0;
      this.gradMost = 0;
      this.gradients.length = 0;
      this.recent = [];
    }
    const one = (id: string): number => this.mean(id, u, 1);
    if (u === this.first) this.entropyStart = one('entropy');
    this.played = [...this.played.slice(1 - MOST), { mean: one('success'), n: facts.trials }];
    const success = this.success();
    const shaped = u - FEWEST + 1 >= this.stageFrom ? this.mean('shapedReturn', u, FEWEST) : NaN;
    if (success && success.mean > (this.best?.mean ?? -1)) {
      this.best = { ...success, update: u };
      this.shapedThen = shaped;
    }
    const info = u - FEWEST + 1 >= this.stageFrom ? this.mean('infoAS', u, FEWEST) : NaN;
    if (!(info <= this.infoMost) && !Number.isNaN(info)) this.infoMost = info;
    const isSilent = one('degenerate') > SILENT && !(facts.isReplaced && one('creditRms') > 0);
    this.silentFor = isSilent ? this.silentFor + 1 : 0;
    const switchRate = one('switchRate');
    const isCollapsed = switchRate > ALWAYS || switchRate < 1 / facts.worldSteps;
    this.collapsedFor = isCollapsed ? this.collapsedFor + 1 : 0;
    const gradNorm = one('gradNorm');
    const usual = this.usual();
    // where all members agree there is no credit, and the gradient is that of a bonus alone
    if (one('creditRms') > 0 && gradNorm > 0) {
      this.gradients.splice(placeOf(this.gradients, gradNorm), 0, gradNorm);
      this.recent = [...this.recent.slice(1 - RECENT), gradNorm];
      if (!(gradNorm > SPIKE * usual.gradUsual)) this.gradMost = Math.max(this.gradMost, gradNorm);
    }
    return {
      update: u,
      bad,
      success,
      best: this.best,
      shaped,
      shapedThen: this.shapedThen,
      ceiling: facts.ceilings[this.s] ?? 1,
      entropy: this.mean('entropy', u, STEADY),
      entropyStart: this.entropyStart,
      info,
      infoMost: this.infoMost,
      ess: this.mean('ess', u, STEADY),
      essStart: this.mean('essStart', u, STEADY),
      ratioMean: one('ratioMean'),
      silentFor: this.silentFor,
      gradNorm,
      ...usual,
      ...{ switchRate, collapsedFor: this.collapsedFor },
      panel: (this.known = this.panel(u, facts) ?? this.known),
    };
  }

  /** What is known of both kinds of levels at an evaluation, from the fifth on; null between evaluations. */
  private panel(u: number, { trials, episodes }: SignFacts): PanelSigns | null {
    const at = (id: string): number => this.mean(id, u, 1);
    const now = { seen: { mean: at('evalSuccess'), n: trials }, held: { mean: at('heldOutSuccess'), n: episodes } };
    if (Number.isNaN(now.held.mean)) return null;
    this.evaluations = [...this.evaluations.slice(1 - FEWEST), now];
    if (this.evaluations.length < FEWEST) return null;
    const seen = share(this.evaluations.map((e) => e.seen));
    const held = share(this.evaluations.map((e) => e.held));
    if (!this.gained || held.mean > this.gained.heldThen + GAIN)
      this.gained = { update: u, seenThen: seen, heldThen: held.mean };
    return { seen, held, ...this.gained };
  }

  /** Success over as many of the last updates as hold enough draws; null where the stage or the run is younger. */
  private success(): Share | null {
    const { length } = this.played;
    let k = length;
    let n = 0;
    while (length - k < MOST && (length - k < FEWEST || n < TRIALS)) {
      if (k === 0) return null;
      n += this.played[--k]!.n;
    }
    const draws = this.played.slice(k);
    return draws.some(({ mean }) => Number.isNaN(mean)) ? null : share(draws);
  }

  private usual(): Pick<Signs, 'gradUsual' | 'gradMost'> {
    const isKnown = this.gradients.length >= USUAL_FROM;
    const recent = [...this.recent].sort((a, b) => a - b);
    const gradUsual = isKnown ? Math.max(medianOf(this.gradients), medianOf(recent)) : NaN;
    return { gradUsual, gradMost: this.gradMost };
  }

  /** Mean over the last n updates; NaN where one of them is missing or was not measured. */
  private mean(id: string, u: number, n: number): number {
    const metric = columnOf(id);
    if (metric < 0 || u - n + 1 < this.first) return NaN;
    let total = 0;
    for (let k = u - n + 1; k <= u; k++) total += this.history.at(k, this.s, metric);
    return total / n;
  }
}

/** Successes over independent draws put together. */
function share(draws: readonly Draws[]): Share {
  let [won, n] = [0, 0];
  for (const one of draws) {
    won += one.mean * one.n;
    n += one.n;
  }
  const [low, high] = wilsonInterval(won, n, CERTAIN);
  return { mean: won / n, low, high };
}
