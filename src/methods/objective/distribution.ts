import { exp, log } from '../../core/fmath.ts';
import { klTerm, type KlPenalty, type KlTerm } from './kl.ts';

/** A row of numbers over actions. Probability rows hold exactly 0 for illegal actions. */
export type Row = Float32Array | Float64Array;

/**
 * Probabilities, and log π_b = z_b − log Z beside them: log π of an action too unlikely for p keeps its digits. What
 * `logp` holds at illegal actions is never read.
 */
export type Distribution = { readonly p: Row; readonly logp: Row };

/** log π_b = z_b/τ − log Z of the actions of one unit. */
export function fillLogProbs(
  z: ArrayLike<number>,
  at: number,
  actions: number,
  inverseTemperature: number,
  logZ: number,
  logp: Row,
  logpAt: number,
): void {
  for (let b = 0; b < actions; b++) logp[logpAt + b] = z[at + b]! * inverseTemperature - logZ;
}

/**
 * Softmax over the legal actions of one unit. Illegal logits are never read; their probability is exactly 0.
 * Returns log Σ exp(z) over legal actions, so that log π_b = z_b − (returned value).
 */
export function maskedSoftmax(
  z: ArrayLike<number>,
  at: number,
  actions: number,
  legal: ArrayLike<number>,
  p: Row,
  pAt: number,
): number {
  let max = -Infinity;
  for (let b = 0; b < actions; b++) if (legal[at + b] !== 0 && z[at + b]! > max) max = z[at + b]!;
  let total = 0;
  for (let b = 0; b < actions; b++) {
    const e = legal[at + b] !== 0 ? exp(z[at + b]! - max) : 0;
    p[pAt + b] = e;
    total += e;
  }
  for (let b = 0; b < actions; b++) p[pAt + b]! /= total;
  return max + log(total);
}

/** H = −Σ_b p_b log p_b in nats; one legal action: 0. */
export function entropyOf(p: Row, at: number, actions: number): number {
  let entropy = 0;
  for (let b = 0; b < actions; b++) if (p[at + b]! > 0) entropy -= p[at + b]! * log(p[at + b]!);
  return entropy;
}

/** KL(p‖q) = Σ_b p_b (log p_b − log q_b) over actions with p_b > 0. */
export function klOf(from: Distribution, at: number, to: Distribution, toAt: number, actions: number): number {
  let kl = 0;
  for (let b = 0; b < actions; b++) {
    const pb = from.p[at + b]!;
    if (pb > 0) kl += pb * (from.logp[at + b]! - to.logp[toAt + b]!);
  }
  return kl;
}

/** ∂H/∂z_b = −π_b (log π_b + H), added to `out` times `scale`. */
export function addEntropyGradient(
  p: Row,
  at: number,
  actions: number,
  entropy: number,
  scale: number,
  out: Row,
  outAt: number,
): void {
  for (let b = 0; b < actions; b++) {
    const pb = p[at + b]!;
    if (pb > 0) out[outAt + b]! -= scale * pb * (log(pb) + entropy);
  }
}

/** ∂KL(π‖π_ref)/∂z_b = π_b (log π_b − log π_ref,b − KL), added to `out` times `scale`. */
export function addKlGradient(
  now: Distribution,
  at: number,
  ref: Distribution,
  refAt: number,
  actions: number,
  kl: number,
  scale: number,
  out: Row,
  outAt: number,
): void {
  for (let b = 0; b < actions; b++) {
    const pb = now.p[at + b]!;
    if (pb > 0) out[outAt + b]! += scale * pb * (now.logp[at + b]! - ref.logp[refAt + b]! - kl);
  }
}

/** ∂KL(π_ref‖π)/∂z_b = π_b − π_ref,b, added to `out` times `scale`. */
export function addForwardKlGradient(
  now: Distribution,
  at: number,
  ref: Distribution,
  refAt: number,
  actions: number,
  scale: number,
  out: Row,
  outAt: number,
): void {
  for (let b = 0; b < actions; b++) out[outAt + b]! += scale * (now.p[at + b]! - ref.p[refAt + b]!);
}

/** What `logitGradient` found on its way: entropy of π and KL(π‖π_ref) (0 when its coefficient is 0). */
export type DistributionTerms = { entropy: number; kl: number };

/**
 * The whole gradient of one unit by its logits, the definition of the coefficients kernel (spec objective §0):
 *
 *   ∂L/∂z_b = w · ( κ(1[b = a] − π_b) + β_H π_b(log π_b + H) + β π_b(log π_b − log π_ref,b − KL) )
 *
 * With another form the last part is β(π_b − π_ref,b) for the forward KL, or κ grows by β·∂k/∂log π(a) of a sampled form.
 * `ref` and the log-probabilities of `now` are read only when klCoef > 0. Overwrites out[outAt … + actions).
 * With logits divided by a temperature, pass w/temperature.
 */
export function logitGradient(
  now: Distribution,
  at: number,
  ref: Distribution,
  refAt: number,
  actions: number,
  action: number,
  w: number,
  kappa: number,
  entropyCoef: number,
  klCoef: number,
  out: Row,
  outAt: number,
  terms: DistributionTerms,
  klForm: KlPenalty = 'exact',
): void {
  const { p } = now;
  const isSampled = klCoef > 0 && klForm !== 'exact' && klForm !== 'exactForward';
  if (isSampled) klTerm(klForm, now.logp[at + action]! - ref.logp[refAt + action]!, sampled);
  const slope = isSampled ? kappa + klCoef * sampled.kappa : kappa;
  for (let b = 0; b < actions; b++) out[outAt + b] = w * slope * ((b === action ? 1 : 0) - p[at + b]!);
  terms.entropy = entropyOf(p, at, actions);
  terms.kl = 0;
  if (entropyCoef > 0) addEntropyGradient(p, at, actions, terms.entropy, -w * entropyCoef, out, outAt);
  if (!(klCoef > 0)) return;
  terms.kl = klOf(now, at, ref, refAt, actions);
  if (klForm === 'exact') addKlGradient(now, at, ref, refAt, actions, terms.kl, w * klCoef, out, outAt);
  else if (klForm === 'exactForward') addForwardKlGradient(now, at, ref, refAt, actions, w * klCoef, out, outAt);
}

const sampled: KlTerm = { loss: 0, kappa: 0 };
