import { mean, std } from '../../core/stats.ts';

/** Updates that count as "lately". */
const WINDOW = 50;
const PHASE_FACTOR = [1.5, 1.2, 0.8, 1] as const;

/** Numbers a controller remembers: four averages, how many rewards it holds (two windows at most), the rewards. */
export const SAFE_STATE = 5 + 2 * WINDOW;

export type SafeSettings = {
  readonly baseThreshold: number;
  readonly entropyFloor: number;
  readonly kp: number;
  readonly ki: number;
  readonly kd: number;
  readonly targetVelocity: number;
};

export type SafeStep = {
  /** slow mean of KL, and the threshold above which it costs */
  readonly klShort: number;
  readonly threshold: number;
  /** 0.1·(klShort − threshold)²·gate, and its derivative by the KL of this update */
  readonly penalty: number;
  readonly slope: number;
  /** 1 while KL is below the threshold and nothing is paid */
  readonly gate: number;
  /** 0 warm-up, 1 climbing, 2 plateau, 3 converged */
  readonly phase: number;
};

/**
 * Entropy-gated KL penalty with a moving threshold (SAFE, arXiv 2602.04651). Per update, with KL, entropy H, mean reward r:
 *
 *   kl ← 0.9kl + 0.1KL      EMA ← 0.95EMA + 0.05r      e = (EMA − EMA before) − target velocity
 *   I ← clamp(I + e, ±1)      adj = k_p·e + k_i·I + k_d·(e − e before)      τ = clamp((τ₀ + adj)·phase factor, 0.1, 0.6)
 *   kl > τ: penalty = 0.1(kl − τ)²·g, g = max(0.5, floor/(H + 0.1)), slope = 0.1·2·0.1·(kl − τ)·g
 *
 * In the released scripts the penalty is a constant and has no gradient; the slope is what the paper means.
 */
export class SafeController {
  private readonly settings: SafeSettings;
  private readonly rewards: number[] = [];
  private klShort = 0;
  private average = 0;
  private integral = 0;
  private errorBefore = 0;

  constructor(settings: SafeSettings) {
    this.settings = settings;
  }

  /** Goes on from SAFE_STATE numbers that `save` wrote; zeros are a beginning. */
  load(from: Float64Array): void {
    [this.klShort, this.average, this.integral, this.errorBefore] = from as unknown as [number, number, number, number];
    this.rewards.length = 0;
    this.rewards.push(...from.subarray(5, 5 + from[4]!));
  }

  save(to: Float64Array): void {
    to.set([this.klShort, this.average, this.integral, this.errorBefore, this.rewards.length, ...this.rewards]);
  }

  step(kl: number, entropy: number, reward: number): SafeStep {
    const { baseThreshold, entropyFloor } = this.settings;
    this.klShort = 0.9 * this.klShort + 0.1 * kl;
    const adjustment = this.adjust(reward);
    this.rewards.push(reward);
    if (this.rewards.length > 2 * WINDOW) this.rewards.shift();
    const phase = this.phase();
    const threshold = Math.max(0.1, Math.min(0.6, (baseThreshold + adjustment) * PHASE_FACTOR[phase]!));
    const over = Math.max(0, this.klShort - threshold);
    const gate = over > 0 ? Math.max(0.5, entropyFloor / (entropy + 0.1)) : 1;
    return {
      klShort: this.klShort,
      threshold,
      penalty: 0.1 * over * over * gate,
      slope: 0.1 * 2 * 0.1 * over * gate,
      gate,
      phase,
    };
  }

  private adjust(reward: number): number {
    const { kp, ki, kd, targetVelocity } = this.settings;
    if (this.rewards.length === 0) {
      this.average = reward;
      return 0;
    }
    const before = this.average;
    this.average = 0.95 * this.average + 0.05 * reward;
    const error = this.average - before - targetVelocity;
    this.integral = Math.max(-1, Math.min(1, this.integral + error));
    const adjustment = kp * error + ki * this.integral + kd * (error - this.errorBefore);
    this.errorBefore = error;
    return adjustment;
  }

  private phase(): number {
    const n = this.rewards.length;
    if (n < WINDOW) return 0;
    const late = this.rewards.slice(n - WINDOW);
    const early = n >= 2 * WINDOW ? this.rewards.slice(n - 2 * WINDOW, n - WINDOW) : late;
    const level = mean(late);
    if (level > mean(early) + 0.01) return 1;
    if (std(late, true) < 0.02 && level > 0.7) return 3;
    return 2;
  }
}
