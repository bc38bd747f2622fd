/** Parameters of a replica and its last gradient, each beside that of the update before. */
export type Moved = Readonly<Record<'theta' | 'last' | 'gradient' | 'lastGradient', Float32Array>>;

/** Sums over weights and gradients: Σ(θ − θ_old)², Σθ², Σ g·g_old, Σg², Σg_old². */
export type WeightSums = {
  readonly moved: number;
  readonly size: number;
  readonly dot: number;
  readonly now: number;
  readonly before: number;
};

/** The sums in the order of the parameters. Plain constants: taken out of an array of four, the loop takes four times as long. */
export function weightSums({ theta, last, gradient, lastGradient }: Moved): WeightSums {
  let moved = 0;
  let size = 0;
  let dot = 0;
  let now = 0;
  let before = 0;
  for (let k = 0; k < theta.length; k++) {
    const x = theta[k]!;
    const step = x - last[k]!;
    const g = gradient[k]!;
    const old = lastGradient[k]!;
    moved += step * step;
    size += x * x;
    dot += g * old;
    now += g * g;
    before += old * old;
  }
  return { moved, size, dot, now, before };
}
