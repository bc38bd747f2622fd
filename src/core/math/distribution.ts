import { expOfEach, log, logOfEach } from '../fmath.ts';
import { isExact, klTerm, type KlPenalty, type KlTerm } from './kl.ts';

/** A row of numbers over choices. Probability rows hold exactly 0 for what is not legal. */
export type Row = Float32Array | Float64Array;

/**
 * Probabilities, and log π_b = z_b − log Z beside them: log π of a choice too unlikely for p keeps its digits. What
 * `logp` holds at illegal choices is never read.
 */
export type Distribution = { readonly p: Row; readonly logp: Row };

/**
 * The logits z[at … at + count) of one unit, divided by a temperature. Choice b is legal where its `bits` and the word
 * `legal` share a bit. One object serves many units, so that nothing is allocated per unit.
 */
export type Choices = {
  z: ArrayLike<number>;
  at: number;
  count: number;
  bits: ArrayLike<number>;
  bitsAt: number;
  legal: number;
  /** 1 / temperature */
  inverse: number;
};

/** The logits of a unit whose choice b is legal where legal[at + b] is not 0; temperature 1. */
export function choicesOf(z: ArrayLike<number>, at: number, count: number, legal: ArrayLike<number>): Choices {
  return { z, at, count, bits: legal, bitsAt: at, legal: -1, inverse: 1 };
}

/** Scratch for the choices of one unit. */
let scratch = new Float64Array(64);
function roomFor(count: number): Float64Array {
  if (scratch.length < count) scratch = new Float64Array(2 * count);
  return scratch;
}

/**
 * Softmax over the legal choices of one unit, into p[pAt …). Illegal logits are never read; their probability is exactly 0.
 * Returns log Σ exp(z/τ) over legal choices, so that log π_b = z_b/τ − (returned value).
 */
export function softmax({ z, at, count, bits, bitsAt, legal, inverse }: Choices, p: Row, pAt: number): number {
  let top = -Infinity;
  for (let b = 0; b < count; b++) {
    if ((bits[bitsAt + b]! & legal) === 0) continue;
    const x = z[at + b]! * inverse;
    if (x > top) top = x;
  }
  const powers = roomFor(count);
  let n = 0;
  for (let b = 0; b < count; b++) if ((bits[bitsAt + b]! & legal) !== 0) powers[n++] = z[at + b]! * inverse - top;
  expOfEach(powers, n);
  let total = 0;
  n = 0;
  for (let b = 0; b < count; b++) {
    if ((bits[bitsAt + b]! & legal) === 0) p[pAt + b] = 0;
    else {
      const e = powers[n++]!;
      p[pAt + b] = e;
      total += e;
    }
  }
  for (let b = 0; b < count; b++) p[pAt + b]! /= total;
  return top + log(total);
}

/** ‖e_a − π‖² = 1 − 2π(a) + Σ_b π(b)² of probabilities p[at … at + count): the squared length of ∂ log π(a) by the logits. */
export function scoreNorm(p: ArrayLike<number>, at: number, count: number, a: number): number {
  let total = 0;
  for (let b = 0; b < count; b++) {
    const score = (b === a ? 1 : 0) - p[at + b]!;
    total += score * score;
  }
  return total;
}

/** log π_b = z_b/τ − log Z of the choices of one unit. */
export function fillLogProbs({ z, at, count, inverse }: Choices, logZ: number, logp: Row, logpAt: number): void {
  for (let b = 0; b < count; b++) logp[logpAt + b] = z[at + b]! * inverse - logZ;
}

/** log p_b of the choices with p_b > 0, one after the other, until it is asked again. */
function logsOf(p: ArrayLike<number>, at: number, count: number): Float64Array {
  const logs = roomFor(count);
  let n = 0;
  for (let b = 0; b < count; b++) if (p[at + b]! > 0) logs[n++] = p[at + b]!;
  logOfEach(logs, n);
  return logs;
}

/** H = −Σ_b p_b log p_b in nats; one legal choice: 0. */
export function entropyOf(p: ArrayLike<number>, at: number, count: number, logs = logsOf(p, at, count)): number {
  let entropy = 0;
  let n = 0;
  for (let b = 0; b < count; b++) if (p[at + b]! > 0) entropy -= p[at + b]! * logs[n++]!;
  return entropy;
}

/** Logits of n rows, each of one unit: those of row k begin at first + k·stride, and bit b of legal[k] says whether b may be chosen. */
export type LogitRows = {
  readonly z: Float32Array;
  readonly first: number;
  readonly stride: number;
  readonly count: number;
  readonly legal: Uint32Array;
  readonly inverse: number;
};

/** π [n, count], log Z and entropy of rows. */
export type DistributionRows = {
  readonly p: Float32Array;
  readonly logZ: Float64Array;
  readonly entropy: Float64Array;
};

const BITS = Uint32Array.from({ length: 32 }, (_, b) => 1 << b);

/** Softmax and, where `measures`, entropy of each of n rows; there is a choice in all of them. */
export function softmaxRows(rows: LogitRows, n: number, out: DistributionRows, measures: boolean): void {
  const { first, stride, count, legal } = rows;
  const choices = { ...rows, at: 0, bits: BITS, bitsAt: 0, legal: 0 };
  for (let k = 0; k < n; k++) {
    choices.at = first + k * stride;
    choices.legal = legal[k]!;
    out.logZ[k] = softmax(choices, out.p, k * count);
    if (measures) out.entropy[k] = entropyOf(out.p, k * count, count);
  }
}

/** One unit of two policies: its `count` choices begin at `at` of π and at `refAt` of π_ref. */
export type Pair = { now: Distribution; at: number; ref: Distribution; refAt: number; count: number };

/** KL(π‖π_ref) = Σ_b p_b (log p_b − log q_b) over choices with p_b > 0. */
export function klOf({ now, at, ref, refAt, count }: Pair): number {
  let kl = 0;
  for (let b = 0; b < count; b++) {
    const pb = now.p[at + b]!;
    if (pb > 0) kl += pb * (now.logp[at + b]! - ref.logp[refAt + b]!);
  }
  return kl;
}

/** KL(π_ref‖π). */
export const forwardKlOf = ({ now, at, ref, refAt, count }: Pair): number =>
  klOf({ now: ref, at: refAt, ref: now, refAt: at, count });

/** ∂H/∂z_b = −π_b (log π_b + H), added to `out` times `scale`. */
export function addEntropyGradient(
  { now: { p }, at, count }: Pick<Pair, 'now' | 'at' | 'count'>,
  entropy: number,
  scale: number,
  out: Row,
  outAt: number,
  logs = logsOf(p, at, count),
): void {
  let n = 0;
  for (let b = 0; b < count; b++) {
    const pb = p[at + b]!;
    if (pb > 0) out[outAt + b]! -= scale * pb * (logs[n++]! + entropy);
  }
}

/** ∂KL(π‖π_ref)/∂z_b = π_b (log π_b − log π_ref,b − KL), added to `out` times `scale`. */
export function addKlGradient(
  { now, at, ref, refAt, count }: Pair,
  kl: number,
  scale: number,
  out: Row,
  outAt: number,
): void {
  for (let b = 0; b < count; b++) {
    const pb = now.p[at + b]!;
    if (pb > 0) out[outAt + b]! += scale * pb * (now.logp[at + b]! - ref.logp[refAt + b]! - kl);
  }
}

/** ∂KL(π_ref‖π)/∂z_b = π_b − π_ref,b, added to `out` times `scale`. */
export function addForwardKlGradient(
  { now, at, ref, refAt, count }: Pair,
  scale: number,
  out: Row,
  outAt: number,
): void {
  for (let b = 0; b < count; b++) out[outAt + b]! += scale * (now.p[at + b]! - ref.p[refAt + b]!);
}

/** What `logitGradient` found on its way: entropy of π and KL(π‖π_ref), each 0 when its coefficient is 0. */
export type DistributionTerms = { entropy: number; kl: number };

/** The parts of the loss of one unit: the choice that was made, weight over temperature, κ, and the two regularizers. */
export type UnitLoss = {
  chosen: number;
  w: number;
  kappa: number;
  entropyCoef: number;
  klCoef: number;
  klForm: KlPenalty;
};

/**
 * The whole gradient of one unit by its logits, the definition of the coefficients kernel (spec objective §0):
 *
 *   ∂L/∂z_b = w · ( κ(1[b = a] − π_b) + β_H π_b(log π_b + H) + β π_b(log π_b − log π_ref,b − KL) )
 *
 * With another form the last part is β(π_b − π_ref,b) for the forward KL, or κ grows by β·∂k/∂log π(a) of a sampled form.
 * `ref` and the log-probabilities of `now` are read only when klCoef > 0. Overwrites out[outAt … + count).
 * With logits divided by a temperature, w is the weight over the temperature.
 */
export function logitGradient(
  pair: Pair,
  { chosen, w, kappa, entropyCoef, klCoef, klForm }: UnitLoss,
  out: Row,
  outAt: number,
  terms: DistributionTerms,
): void {
  const { now, at, ref, refAt, count } = pair;
  const { p } = now;
  const isSampled = klCoef > 0 && !isExact(klForm);
  if (isSampled) klTerm(klForm, now.logp[at + chosen]! - ref.logp[refAt + chosen]!, sampled);
  const slope = isSampled ? kappa + klCoef * sampled.kappa : kappa;
  for (let b = 0; b < count; b++) out[outAt + b] = w * slope * ((b === chosen ? 1 : 0) - p[at + b]!);
  terms.entropy = terms.kl = 0;
  if (entropyCoef > 0) {
    const logs = logsOf(p, at, count);
    terms.entropy = entropyOf(p, at, count, logs);
    addEntropyGradient(pair, terms.entropy, -w * entropyCoef, out, outAt, logs);
  }
  if (!(klCoef > 0)) return;
  terms.kl = klOf(pair);
  if (klForm === 'exact') addKlGradient(pair, terms.kl, w * klCoef, out, outAt);
  else if (klForm === 'exactForward') addForwardKlGradient(pair, w * klCoef, out, outAt);
}

const sampled: KlTerm = { loss: 0, kappa: 0 };

/** Probabilities that an f32 cannot hold count as the smallest that it can. */
const LEAST = 1.1754943508222875e-38;

/** m(π): mean of log π over the legal actions. */
export function meanLogp(p: Row, at: number, actions: number, legal: number): number {
  let sum = 0;
  let n = 0;
  for (let b = 0; b < actions; b++) {
    if (((legal >>> b) & 1) === 0) continue;
    sum += log(Math.max(p[at + b]!, LEAST));
    n++;
  }
  return sum / n;
}
