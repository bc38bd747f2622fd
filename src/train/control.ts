import type { SlotConfig } from '../config/slots.ts';
import { log } from '../core/fmath.ts';
import { METRICS, metricIndex, type MetricId } from '../methods/analysis/metrics.ts';
import { adaptKlCoefficient, type KlPenalty } from '../methods/objective/kl.ts';
import { SAFE_STATE, SafeController, type SafeSettings, type SafeStep } from '../methods/objective/safe.ts';
import type { ControlState, Live } from './backend.ts';

/** What holds the policy back over a run: form and place of the KL term, controllers, stop and resets of the reference. */
export type ControlSettings = {
  readonly klForm: KlPenalty;
  readonly klIn: 'loss' | 'reward';
  /** the slider (times the adaptive factor), or SAFE's controller, which has nothing to set but the entropy floor in nats */
  readonly klControl: 'set' | 'safe';
  readonly entropyFloor: number;
  /** adaptive coefficient: KL to aim at (0 = off), and trajectories over which it adapts */
  readonly klTarget: number;
  readonly klHorizon: number;
  /** inner epochs end when the KL of the update passes 1.5 times this; 0 = off */
  readonly klStop: number;
  /** a step is cut where the KL to the reference after it passes 0.5 */
  readonly klPreview: boolean;
  /** entropy to aim at (0 = off), and how fast */
  readonly entropyTarget: number;
  readonly entropyGain: number;
  readonly reset: 'never' | 'stalled' | 'every';
  readonly resetEvery: number;
};

/** SAFE's own numbers (arXiv 2602.04651), but for the entropy floor: its 2 nats are meant for a vocabulary. */
const SAFE: Omit<SafeSettings, 'entropyFloor'> = {
  ...{ baseThreshold: 0.3, kp: 0.3, ki: 0.01, kd: 0.05, targetVelocity: 0.001 },
};
/** The floor as a share of the entropy of a policy that knows nothing. */
const FLOOR_SHARE = 0.35;

function safeSettings(entropyFloor: number): SafeSettings {
  return { ...SAFE, entropyFloor };
}

export function controlOf(objective: SlotConfig, actions: number): ControlSettings {
  const number = (name: string): number => objective[name] as number;
  return {
    klForm: objective['klForm'] as KlPenalty,
    klIn: objective['klIn'] as ControlSettings['klIn'],
    klControl: objective['klControl'] as ControlSettings['klControl'],
    entropyFloor: FLOOR_SHARE * log(actions),
    klTarget: number('klTarget'),
    klHorizon: number('klHorizon'),
    klStop: number('klStop'),
    klPreview: objective['klPreview'] === true,
    entropyTarget: number('entropyTarget'),
    entropyGain: number('entropyGain'),
    reset: objective['reset'] as ControlSettings['reset'],
    resetEvery: number('resetEvery'),
  };
}

/** True if something is decided between updates or between the steps of one, from what was measured. */
export function isControlled(c: ControlSettings): boolean {
  const follows = c.klControl === 'safe' || c.klTarget > 0 || c.entropyTarget > 0;
  return follows || c.klStop > 0 || c.klPreview || c.reset !== 'never' || c.klIn === 'reward';
}

/** True if replicas may skip optimizer steps or begin anew by themselves, so that each counts its own. */
export function countsOwnSteps(c: ControlSettings): boolean {
  return c.reset !== 'never' || c.klStop > 0;
}

/** What goes on in a fork: controllers that it does not have forget, so that nothing they left acts in it. */
export function handedOn(state: ControlState, to: ControlSettings): ControlState {
  const { klFactor, entropyOffset, best, bestAt, safe, safeThreshold, safeSlope } = new Control(to, state.taken.length)
    .state;
  const isSafe = to.klControl === 'safe';
  return {
    ...state,
    ...(isSafe || to.klTarget === 0 ? { klFactor } : {}),
    ...(to.entropyTarget === 0 ? { entropyOffset } : {}),
    ...(to.reset === 'stalled' ? {} : { best, bestAt }),
    ...(isSafe ? {} : { safe, safeThreshold, safeSlope }),
  };
}

/** True if a KL term enters the loss, or KL to the reference is measured for a controller. */
export function comparesInLoss(c: ControlSettings, { klCoef }: Live): boolean {
  return c.klControl === 'safe' || c.klPreview || (klCoef > 0 && c.klIn === 'loss');
}

/** True if rewards pay for what the reference finds unlikely. */
export function paysReference(c: ControlSettings, { klCoef }: Live): boolean {
  return klCoef > 0 && c.klIn === 'reward';
}

/**
 * Reset rule of the lab (spec objective §6, O4): an evaluation finds no gain of 0.02 over 40 updates, and the last reset is
 * at least 60 updates ago.
 */
const STALL = { gain: 0.02, updates: 40, apart: 60 } as const;
/** Inner epochs end at so many times the KL that was set (the rule of SB3). */
export const STOP_FACTOR = 1.5;
/** Largest entropy coefficient a controller gives. */
const MOST_ENTROPY = 1;

/** What one update measured of one replica. */
export type Measured = {
  readonly update: number;
  readonly klRef: number;
  readonly entropy: number;
  /** mean return */
  readonly reward: number;
  /** evaluation success, NaN where it was not measured */
  readonly success: number;
  readonly trajectories: number;
};

/**
 * Coefficients that follow what is measured, for every replica by itself:
 *
 *   β ← β·(1 + clip(KL/target − 1, ±0.2)·min(1, n/horizon))      β_H ← clamp(β_H + gain·(H₀ − H), 0, 1)
 *
 * (a batch larger than the horizon counts as one horizon, else β could turn negative) and the moments at which the
 * reference becomes the present policy (ProRL, arXiv 2505.24864). Sliders still act: β is a factor on the live coefficient,
 * β_H an offset to it. Under SAFE β is the slope of its penalty instead, from the KL, the entropy and the mean return of
 * the updates before, and the slider does nothing.
 */
export class Control {
  readonly settings: ControlSettings;
  readonly state: ControlState;
  /** what SAFE decided last for each replica, for metrics only */
  private readonly safeSteps: SafeStep[] = [];

  constructor(settings: ControlSettings, S: number) {
    this.settings = settings;
    this.state = {
      klFactor: new Float64Array(S).fill(1),
      entropyOffset: new Float64Array(S),
      best: new Float64Array(S).fill(-1),
      bestAt: new Float64Array(S),
      resetAt: new Float64Array(S),
      resets: new Float64Array(S),
      taken: new Float64Array(S),
      safe: new Float64Array(S * SAFE_STATE),
      safeThreshold: new Float64Array(S),
      safeSlope: new Float64Array(S),
    };
  }

  /** Without a state of its own a run begins: every replica has taken `steps` optimizer steps. */
  load(state: ControlState | undefined, steps: number): void {
    const fresh = new Control(this.settings, this.state.taken.length).state;
    fresh.taken.fill(steps);
    for (const name of Object.keys(fresh) as (keyof ControlState)[]) this.state[name].set(state?.[name] ?? fresh[name]);
  }

  save(): ControlState {
    return Object.fromEntries(Object.entries(this.state).map(([name, x]) => [name, x.slice()])) as ControlState;
  }

  /** True where KL to the reference is measured even while it costs nothing. */
  get looksAtKl(): boolean {
    return this.isSafe || this.settings.klPreview;
  }

  /** True where SAFE sets the weight of the KL term. */
  get isSafe(): boolean {
    return this.settings.klControl === 'safe';
  }

  /** The live coefficients as they hold for replica s. */
  liveOf(live: Live, s: number): Live {
    const { klFactor, entropyOffset, safeSlope } = this.state;
    const entropyCoef = Math.max(0, Math.min(MOST_ENTROPY, live.entropyCoef + entropyOffset[s]!));
    return {
      ...live,
      klCoef: this.isSafe ? safeSlope[s]! : live.klCoef * klFactor[s]!,
      entropyCoef: this.settings.entropyTarget > 0 ? entropyCoef : live.entropyCoef,
    };
  }

  /** True if an update that has come to this KL from where it started takes no further step. */
  stopsAt(kl: number): boolean {
    return this.settings.klStop > 0 && kl > STOP_FACTOR * this.settings.klStop;
  }

  /** Lets replica s follow the record of an update, and adds what was in force to it; true if its reference is to be reset. */
  settle(s: number, metrics: Float64Array, update: number, live: Live, trajectories: number): boolean {
    const at = (id: MetricId): number => s * METRICS + metricIndex[id];
    const of = (id: MetricId): number => metrics[at(id)]!;
    const { klCoef, entropyCoef } = this.liveOf(live, s);
    metrics[at('klCoef')] = klCoef;
    metrics[at('entropyCoef')] = entropyCoef;
    const measured = {
      klRef: of('klRef'),
      entropy: of('entropy'),
      success: of('evalSuccess'),
      reward: of('returnMean'),
    };
    const isDue = this.after(s, live, { update, ...measured, trajectories });
    metrics[at('resets')] = this.state.resets[s]!;
    const safe = this.safeSteps[s];
    if (safe) {
      metrics[at('klShort')] = safe.klShort;
      metrics[at('safeThreshold')] = safe.threshold;
      metrics[at('safePhase')] = safe.phase;
      metrics[at('safePenalty')] = safe.penalty;
    }
    return isDue;
  }

  /**
   * Adapts the coefficients of replica s after an update; true if its reference is to be reset now. A number that was not
   * measured, or could not be, moves nothing: what is remembered stays finite.
   */
  after(s: number, live: Live, measured: Measured): boolean {
    const { settings, state } = this;
    const { update, klRef, entropy, success, trajectories } = measured;
    if (this.isSafe) this.stepSafe(s, measured);
    else if (settings.klTarget > 0 && live.klCoef > 0 && !Number.isNaN(klRef)) {
      const { klTarget, klHorizon } = settings;
      const n = Math.min(trajectories, klHorizon);
      state.klFactor[s] = adaptKlCoefficient(state.klFactor[s]!, klRef, klTarget, n, klHorizon);
    }
    if (settings.entropyTarget > 0 && !Number.isNaN(entropy)) {
      const now = this.liveOf(live, s).entropyCoef;
      const next = now + settings.entropyGain * (settings.entropyTarget - entropy);
      state.entropyOffset[s] = Math.max(0, Math.min(MOST_ENTROPY, next)) - live.entropyCoef;
    }
    if (!this.isDue(s, update, success)) return false;
    state.resetAt[s] = update + 1;
    state.resets[s]!++;
    state.taken[s] = 0;
    // what comes now is compared with what comes now
    state.best[s] = -1;
    return true;
  }

  private stepSafe(s: number, { klRef, entropy, reward }: Measured): void {
    if (![klRef, entropy, reward].every(Number.isFinite)) return;
    const { safe, safeThreshold, safeSlope } = this.state;
    const memory = safe.subarray(s * SAFE_STATE, (s + 1) * SAFE_STATE);
    const controller = new SafeController(safeSettings(this.settings.entropyFloor));
    controller.load(memory);
    const step = controller.step(klRef, entropy, reward);
    controller.save(memory);
    safeThreshold[s] = step.threshold;
    safeSlope[s] = step.slope;
    this.safeSteps[s] = step;
  }

  private isDue(s: number, update: number, success: number): boolean {
    const { settings, state } = this;
    const since = update + 1 - state.resetAt[s]!;
    if (settings.reset === 'every') return since >= settings.resetEvery;
    // only an evaluation can say that nothing was gained
    if (settings.reset === 'never' || !Number.isFinite(success)) return false;
    if (success >= state.best[s]! + STALL.gain) {
      state.best[s] = success;
      state.bestAt[s] = update;
      return false;
    }
    return update - state.bestAt[s]! >= STALL.updates && since >= STALL.apart;
  }
}
