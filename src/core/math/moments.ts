/** A flat vector of parameters with its gradient, and two more of the same length that an optimizer remembers. */
export type Moments = Readonly<Record<'theta' | 'gradient' | 'm' | 'v', Float32Array>>;

/**
 * Numbers of a step θ ← θ − η·((m/c₁)/(√(v/c₂) + ε) + λθ) with means m ← β₁m + (1−β₁)g and v ← β₂v + (1−β₂)g²: what the
 * kernel of the CPU path is told beside η.
 */
export type MomentStep = Readonly<Record<'beta1' | 'beta2' | 'epsilon' | 'weightDecay' | 'c1' | 'c2', number>>;
