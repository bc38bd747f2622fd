import { configDigest } from '../../config/digest.ts';
import { configWith, getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { LAB_VERSION } from '../../core/version.ts';
import { DigestChain } from '../../engine/digest.ts';
import { outcomeOf, type Evaluated } from '../../engine/outcome.ts';
import { Series, type SeriesPart } from '../../engine/series.ts';
import { CURVES, metricIndex, metrics, type MetricId } from '../../slots/metrics/metrics.ts';
import { groupOf, type Evaluations, type KeptState, type RunCurves, type RunRecord } from './record.ts';

/** What a run of S seeds has come to between two updates. */
export type RunSoFar = {
  /** [S] of the records that it becomes */
  readonly ids: readonly string[];
  readonly batch: string;
  readonly origin: RunRecord['origin'];
  /** of the whole run, with all its seeds and changes */
  readonly config: Config;
  readonly state: KeptState;
  readonly problem: string | null;
  /** every update from the first on, but for those that are stored in parts */
  readonly part: SeriesPart;
  /** [S] what a table shows of its seeds, where that is known; of a run of the page that is stored in parts, where */
  readonly past?: {
    readonly stored?: NonNullable<RunCurves['older']>['stored'];
    readonly measured: readonly Measured[];
  };
  /** [S] links of the digest chain; none before the first update */
  readonly chain: readonly Uint8Array[];
  readonly seconds: number;
  readonly backend: RunRecord['backend'];
  readonly startedAt: number;
};

/** Seeds of a run in the order of its replicas. */
export function seedsOf(config: Config): number[] {
  const first = getValue(config, 'run.seed') as number;
  return Array.from({ length: getValue(config, 'run.seeds') as number }, (_, s) => first + s);
}

/** The run of one of its seeds alone: the same bits as in company. */
export const ofSeed = (config: Config, seed: number): Config =>
  configWith({ 'run.seed': seed, 'run.seeds': 1 }, config);

/** The curves of replica s of S. */
export function partOfSeed({ from, values, steps }: SeriesPart, S: number, s: number): SeriesPart {
  const own = new Float32Array(steps.length * CURVES);
  for (let u = 0; u < steps.length; u++) {
    const at = (u * S + s) * CURVES;
    own.set(values.subarray(at, at + CURVES), u * CURVES);
  }
  return { from, values: own, steps: steps.slice() };
}

/** The history of one seed from its kept curves. */
export function seriesOf(part: SeriesPart): Series {
  const series = new Series(1);
  series.join(part);
  return series;
}

/** Names of the columns of kept curves, so that a version with other metrics reads them right. */
export const COLUMNS: readonly MetricId[] = metrics.map(({ id }) => id);

/** Kept curves of S seeds in the columns of this version; what they do not have is not measured. */
export function inColumns(part: SeriesPart, columns: readonly string[], S = 1): SeriesPart {
  if (columns.length === CURVES && columns.every((id, m) => id === COLUMNS[m])) return part;
  const rows = part.steps.length * S;
  const values = new Float32Array(rows * CURVES).fill(NaN);
  const places = COLUMNS.map((id) => columns.indexOf(id));
  for (let row = 0; row < rows; row++)
    for (let m = 0; m < CURVES; m++)
      if (places[m]! >= 0) values[row * CURVES + m] = part.values[row * columns.length + places[m]!]!;
  return { ...part, values };
}

type Told = Evaluated & Pick<Series, 'envSteps'>;

/** Success on episodes that never train, of seed s. An evaluation belongs to the policy before the update it came with. */
export function evaluationsOf(series: Told, s = 0, until = series.length): Evaluations {
  const updates: number[] = [];
  const steps: number[] = [];
  const success: number[] = [];
  for (const evaluation of series.evaluations()) {
    const [u, value] = [evaluation.update, evaluation.success[s]!];
    if (u >= until) break;
    if (Number.isNaN(value)) continue;
    updates.push(u);
    steps.push(u === 0 ? 0 : series.envSteps(u - 1));
    success.push(value);
  }
  return { updates, steps, success };
}

/** What a table shows of one seed. */
export type Measured = Pick<RunRecord, 'update' | 'envSteps' | 'score' | 'best' | 'entropy' | 'ess' | 'evaluations'>;

/** What it shows of replica s after its first `length` updates. */
export function measuredOf(series: Told, s = 0, length = series.length): Measured {
  const { scores, best } = outcomeOf(series, [s], length);
  const newest = (metric: number): number | null => {
    const value = length === 0 ? NaN : series.at(length - 1, s, metric);
    return Number.isNaN(value) ? null : value;
  };
  return {
    update: length,
    envSteps: length === 0 ? 0 : series.envSteps(length - 1),
    ...{ score: scores?.[0] ?? null, best: best?.iqm ?? null },
    ...{ entropy: newest(metricIndex.entropy), ess: newest(metricIndex.ess) },
    evaluations: evaluationsOf(series, s, length),
  };
}

/** [S] the digest that each seed has as a run of its own; null before the first update. */
export function digestsOf(chain: readonly Uint8Array[], update: number): Promise<(string | null)[]> {
  return Promise.all(chain.map(async (link) => (update === 0 ? null : (await new DigestChain(1, [link]).read()).all)));
}

/** A run as it is kept: one record per seed, and its curves. Nobody has labeled them yet. */
export async function recordsOf(run: RunSoFar): Promise<{ records: RunRecord[]; curves: RunCurves[] }> {
  const { ids, batch, origin, config, state, problem, part, chain, seconds, backend, startedAt } = run;
  const seeds = seedsOf(config);
  const { past } = run;
  const update = part.from + part.steps.length;
  const [group, digests] = [await groupOf(config), await digestsOf(chain, update)];
  const updates = getValue(config, 'run.updates') as number;
  const changedAt = Date.now();
  const records: RunRecord[] = [];
  const curves: RunCurves[] = [];
  for (const [s, seed] of seeds.entries()) {
    const id = ids[s]!;
    const own = ofSeed(config, seed);
    const ownPart = partOfSeed(part, seeds.length, s);
    records.push({
      ...{ id, batch, origin, config: own, address: await configDigest(own), group, title: '', seed },
      ...{ state, problem, updates, seconds, backend, digest: digests[s] ?? null, version: LAB_VERSION },
      ...(past?.measured[s] ?? measuredOf(seriesOf(ownPart))),
      ...{ startedAt, changedAt, tags: [], note: '', isPinned: false },
    });
    const older = past?.stored && { older: { run: batch, S: seeds.length, s, stored: past.stored } };
    curves.push({ id, columns: COLUMNS, part: ownPart, ...older });
  }
  return { records, curves };
}
