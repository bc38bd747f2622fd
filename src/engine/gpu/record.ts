import { wordsOf } from '../../networks/policy.ts';
import { sectionBytes } from '../../gpu/recorder.ts';
import type { ReportFacts } from '../../slots/metrics/types.ts';
import { METRICS, metricsOf, putInto, unmeasured } from '../../slots/metrics/metrics.ts';
import type { UpdateRecord } from '../backend.ts';
import { valuesOf } from '../../networks/layout.ts';
import { joinHashes } from '../arrays.ts';
import { measuresAges, recordAges } from '../ages.ts';
import { isRounded, versionOf } from '../behavior.ts';
import { putIndependent } from '../independent.ts';
import { putWeights } from '../cpu/record.ts';
import { shapedReturn } from '../rewards.ts';
import { startsApart } from '../../config/fresh.ts';
import type { Plan } from '../plan.ts';
import { stepsOf as optimizerStepsOf } from './control.ts';
import type { Extras } from './lists.ts';
import { REPORT_LAYOUT } from '../../core/report.ts';
import { readReport, REPORT, REPORT_SECTIONS, REPORT_WORDS, wordOf } from './report.ts';

/** Of which update, and what it did: evaluated or not, which replicas it compared with the reference. */
type Reported = {
  readonly update: number;
  readonly evaluated: boolean;
  readonly compared: Uint8Array;
  readonly extras: Extras;
};

const ofReport = metricsOf('gpu');

type ReportPart = 'section' | 'flags' | 'hashes' | 'shaped' | 'versions';

/**
 * What comes back of an update: sections of so many bytes, then where the rest begins, which are flags, hashes of the
 * trajectories, returns as reward modules made them, and where there are turns units by version.
 */
export function reportOf({ S, B, rewards }: Plan): Readonly<Record<ReportPart, number>> {
  const section = sectionBytes(S * REPORT_WORDS);
  const flags = REPORT_SECTIONS * section;
  const hashes = flags + sectionBytes(S);
  const shaped = hashes + sectionBytes(2 * S * B);
  return { section, flags, hashes, shaped, versions: shaped + (rewards.length > 0 ? sectionBytes(S * B) : 0) };
}

/** The report of an update as its record. */
export function recordOf(
  plan: Plan,
  bytes: ArrayBuffer,
  { update, evaluated, compared, extras }: Reported,
): UpdateRecord {
  const { S, B, P } = plan;
  const { section, flags, hashes, shaped, versions: versionsAt } = reportOf(plan);
  const byVersion = new Uint32Array(bytes, versionsAt);
  const rowHash = new Uint32Array(bytes, hashes, 2 * S * B);
  const hash = new Uint32Array(2 * S);
  const metrics = new Float64Array(S * METRICS).fill(NaN);
  const chosen = unmeasured(plan.chosenMetrics, S);
  const stepsOf = new Float64Array(S);
  for (let s = 0; s < S; s++) {
    const put = putInto(metrics, s);
    const report = readReport(bytes, section, s);
    const facts: ReportFacts = {
      ...{ B, P, isWritten: wordsOf(plan.policy) !== null, temperature: plan.temperature },
      values: plan.critic ? valuesOf(plan.policy.shape) : 0,
      H: startsApart(plan) ? report.entropy.mean : report.batch.entropy / report.batch.steps,
      ...{ evaluated, heldOut: plan.heldOut, compares: compared[s] === 1 },
      ...{ hasStart: plan.minibatches === 1 || startsApart(plan), isRounded: isRounded(plan.behavior) },
      ...{
        isRestricted: extras.restriction !== null,
        hasProcess: extras.process !== null,
        isCut: plan.control.cutsAt !== null,
      },
      ...optimizerStepsOf(plan, report.control),
    };
    for (const { id, of } of ofReport) put(id, of(report, facts));
    for (const { id, gpu } of plan.chosenMetrics) if (gpu) chosen![id]![s] = gpu(report, facts);
    putWeights(put, report.weights);
    if (plan.rewards.length > 0) {
      const returns = new Float32Array(bytes, shaped + 4 * s * B, B);
      put('shapedReturn', shapedReturn(returns, extras.shown?.measured.subarray(s * B, (s + 1) * B)));
    }
    if (extras.shown) {
      const of = { branchParent: extras.shown.parent };
      putIndependent(plan, of, s, (_, id, value) => put(id, value));
    }
    if (measuresAges(plan)) {
      const versions = extras.turns?.unitVersions(byVersion, update, s) ?? [
        versionOf(plan, plan.seeds[s]!, update, 0, 0),
      ];
      recordAges(plan, versions, { update, s, steps: extras.past.steps }, (_, id, value) => put(id, value));
    }
    const beside = (extras.side ? readSide(bytes, section, s) : 0) + (extras.scores?.steps(s) ?? 0);
    const played = report.batch.steps + (extras.shown?.stepsBeyond(update, s) ?? 0) + beside;
    extras.past.steps.add(s, update, played);
    stepsOf[s] = played;
    joinHashes(rowHash, 2 * s * B, B, hash, 2 * s);
  }
  return {
    update,
    metrics,
    ...(chosen ? { chosen } : {}),
    hash,
    bad: new Uint32Array(bytes, flags, S).slice(),
    envSteps: stepsOf.reduce((sum, n) => sum + n, 0),
    stepsOf,
  };
}

/** Steps of side episodes, whose batch statistics are in place of what a process model reports. */
const readSide = (bytes: ArrayBuffer, section: number, s: number): number =>
  new Float32Array(bytes, REPORT.extra * section)[REPORT_LAYOUT.extra.words * s + wordOf('batch', 'steps')]!;
