import { essLearningRateFactor } from '../../methods/analysis/ess.ts';
import { sectionBytes } from '../../gpu/recorder.ts';
import { METRICS, putInto, type Put } from '../../methods/analysis/metrics.ts';
import type { UpdateRecord } from '../backend.ts';
import { valuesOf } from '../../policies/network.ts';
import { joinHashes } from '../arrays.ts';
import { measuresAges, recordAges } from '../ages.ts';
import { isRounded } from '../behaviour.ts';
import { putWeights } from '../cpu/record.ts';
import { startsApart } from '../cpu/start.ts';
import type { Plan } from '../plan.ts';
import { stepsOf } from './control.ts';
import type { Extras } from './lists.ts';
import { REPORT, REPORT_SECTIONS, REPORT_WORDS } from './report.ts';

/** Of which update, and what it did: evaluated or not, which replicas it compared with the reference. */
type Reported = {
  readonly update: number;
  readonly evaluated: boolean;
  readonly compared: Uint8Array;
  readonly extras: Extras;
};
type Numbers = readonly number[];

/**
 * What comes back of an update: sections of so many bytes, then where the rest begins, which are flags, hashes of the
 * trajectories, and where there are turns units by version.
 */
export function reportOf({ S, B }: Plan): Readonly<Record<'section' | 'flags' | 'hashes' | 'versions', number>> {
  const section = sectionBytes(S * REPORT_WORDS);
  const flags = REPORT_SECTIONS * section;
  const hashes = flags + sectionBytes(S);
  return { section, flags, hashes, versions: hashes + sectionBytes(2 * S * B) };
}

/** The report of an update as its record. */
export function recordOf(
  plan: Plan,
  bytes: ArrayBuffer,
  { update, evaluated, compared, extras }: Reported,
): UpdateRecord {
  const { S, B, P } = plan;
  const { section, flags, hashes, versions: versionsAt } = reportOf(plan);
  const part = (k: number): Float32Array => new Float32Array(bytes, k * section, S * REPORT_WORDS);
  const row = (k: number, s: number, words: number): Numbers =>
    part(k).subarray(words * s, words * (s + 1)) as unknown as Numbers;
  const byVersion = new Uint32Array(bytes, versionsAt);
  const rowHash = new Uint32Array(bytes, hashes, 2 * S * B);
  const hash = new Uint32Array(2 * S);
  const metrics = new Float64Array(S * METRICS).fill(NaN);
  let envSteps = 0;
  for (let s = 0; s < S; s++) {
    const put = putInto(metrics, s);
    const [wins, returns, steps, entropy, anchored, agree] = row(REPORT.batch, s, 8);
    const [essStep, k3, ratioMax, klRef, , decisions] = row(REPORT.update, s, 8);
    const ratios = row(REPORT.ratios, s, REPORT_WORDS);
    const [ess, units] = [ratios[0], ratios[14]!];
    const credit = row(REPORT.credit, s, REPORT_WORDS);
    const own = credit[11]!;
    put('success', wins! / own);
    put('returnMean', returns! / own);
    put('lengthMean', steps! / own);
    const H = startsApart(plan) ? row(REPORT.entropy, s, 4)[1]! : entropy! / steps!;
    put('entropy', H);
    put('anchorShare', anchored! / steps!);
    put('degenerate', agree! / P);
    if (evaluated) put('evalSuccess', part(REPORT.eval)[8 * s]! / B);
    if (evaluated && plan.heldOut) put('heldOutSuccess', part(REPORT.panel)[8 * s]! / B);
    put('creditRms', part(REPORT.rms)[s]!);
    putCredit(put, plan, credit);
    const [marginal, normalized, gap, most, plain] = row(REPORT.mix, s, REPORT_WORDS);
    if (valuesOf(plan.policy.shape) === 2) put('criticGap', gap!);
    put('entropyMarginal', marginal!);
    put('infoAS', marginal! - H);
    put('entropyNormalised', normalized!);
    put('entropyMost', most!);
    if (plan.policy.kind === 'transformer') put('entropyToken', (H * steps!) / decisions!);
    else if (plan.temperature !== 1) put('entropyPlain', plain!);
    put('ess', ess!);
    put('essStep', essStep!);
    put('approxKL', k3! / units);
    put('ratioMax', ratioMax!);
    put('klRef', compared[s] === 1 ? klRef! / steps! : NaN);
    putRatios(put, ratios);
    if (measuresAges(plan)) {
      const versions = extras.turns?.unitVersions(byVersion, update, s) ?? [Math.max(0, update - plan.behaviour.lag)];
      recordAges(plan, versions, update, s, extras.past.steps, (_, id, value) => put(id, value));
    }
    put('lrFactor', essLearningRateFactor(ess!, 1));
    if (plan.minibatches === 1 || startsApart(plan)) putStart(put, row(REPORT.start, s, REPORT_WORDS));
    if (isRounded(plan.behaviour)) {
      put('klMismatch', row(REPORT.mismatch, s, 4)[1]!);
      put('mismatchMax', part(REPORT.mismatchMax)[s]!);
    }
    const [moved, size, dot, now, before] = row(REPORT.weights, s, REPORT_WORDS) as unknown as Five;
    putWeights(put, { moved, size, dot, now, before });
    const { taken, looks, kept } = stepsOf(plan, row(REPORT.control, s, REPORT_WORDS));
    if (plan.control.klPreview) put('stepKept', kept / taken);
    put('gradNorm', part(REPORT.norms)[2 * s + 1]! / taken);
    put('policyLoss', part(REPORT.losses)[2 * s]! / looks);
    put('valueLoss', plan.critic ? part(REPORT.losses)[2 * s + 1]! / looks : NaN);
    const [pairs, pairLoss, ranked] = row(REPORT.extra, s, 8);
    if (extras.process && pairs! > 0) {
      put('pairLoss', pairLoss!);
      put('pairAccuracy', ranked!);
    }
    const [legal, removed] = new Uint32Array(bytes, REPORT.mask * section + 8 * s, 2);
    if (extras.mask) put('maskedShare', removed! / legal!);
    const played = steps! + (extras.shown?.steps[s] ?? 0) + (extras.greedy ? part(REPORT.extra)[8 * s + 2]! : 0);
    extras.past.steps.add(s, update, played);
    envSteps += played;
    joinHashes(rowHash, 2 * s * B, B, hash, 2 * s);
  }
  return {
    update,
    metrics,
    hash,
    bad: new Uint32Array(bytes, flags, S).slice(),
    envSteps,
  };
}

type Five = [number, number, number, number, number];

/** The kernel writes −1 where there were no successes or no failures. */
const orGap = (x: number): number => (x < 0 ? NaN : x);

function putCredit(put: Put, plan: Plan, credit: Numbers): void {
  const [effective, mixed, solved, failed, mean, std, positive, wins, fails, explained, spread] = credit;
  put('effectiveGroups', effective!);
  put('mixedOutcomeGroups', mixed!);
  put('allSolved', solved!);
  put('allFailed', failed!);
  put('creditMean', mean!);
  put('creditStd', std!);
  put('creditPositive', positive!);
  put('lengthSuccess', orGap(wins!));
  put('lengthFailure', orGap(fails!));
  if (plan.critic) put('explainedVariance', spread! > 0 ? explained! : NaN);
}

function putRatios(put: Put, ratios: Numbers): void {
  const [, cut, group, share, weight, rho, delta, squares, high, low, dual, outside, cov, , units] = ratios;
  put('essClipped', cut!);
  put('essGroup', group!);
  put('maxShare', share!);
  put('weightMean', weight!);
  put('cov', cov!);
  put('k1', -delta! / units!);
  put('ratioMean', rho! / units!);
  put('k2', squares! / 2 / units!);
  put('clipFraction', (high! + low! + dual!) / units!);
  put('clipHigh', high! / units!);
  put('clipLow', low! / units!);
  put('clipDual', dual! / units!);
  put('clipOutside', outside! / units!);
}

function putStart(put: Put, start: Numbers): void {
  put('essStart', start[0]!);
  put('klStart', start[13]! / start[14]!);
}
