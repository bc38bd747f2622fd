import * as v from 'valibot';
import { canonicalJson } from '../../config/canonical.ts';
import { crc32 } from '../../config/crc.ts';
import { prepareTask } from '../../config/level.ts';
import { withLaterSettings } from '../../config/migrations.ts';
import { problemLine } from '../../config/problems.ts';
import { updateNumber } from '../../core/counting.ts';
import { parse } from '../../core/settings.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { makePlan } from '../../engine/plan.ts';
import { Run, type Checkpoint } from '../../engine/run.ts';
import { Series, type SeriesPart } from '../../engine/series.ts';
import { measuredOf } from '../runs/soFar.ts';
import type { Cell } from './expand.ts';
import type { Limit } from './limit.ts';
import { revisionsOf } from './revisions.ts';

/** What a cell leaves behind. Nothing in it depends on when, where or how fast it was trained, unless seconds end it. */
export type CellResult = {
  readonly address: string;
  readonly seed: number;
  /** updates that were trained, and the environment steps that they took */
  readonly updates: number;
  readonly envSteps: number;
  /** chain over what happened in every update: equal digests are equal runs */
  readonly digest: string;
  /** mean of the last tenth of the evaluations; 0 where the run diverged */
  readonly score: number;
  /** number of the update in which a number was not finite; without it the run went to its end */
  readonly diverged?: number | undefined;
  /** success on episodes that never train, and the environment steps that had been taken before */
  readonly evaluations: { readonly steps: readonly number[]; readonly success: readonly number[] };
};

/** A cell that was trained: its result, its metrics as a table; or the sentence of why there is none. */
export type Trained = Finished | Untrained;
export type Finished = {
  readonly result: CellResult;
  readonly csv: string;
  /** the file of what was measured beside it, where the cell has a measure */
  readonly measured?: string | undefined;
};
/** The sentence of why there is no result. */
export type Untrained = { readonly problem: string };

/** A run in the middle, to be continued: its state, its curves until there, and the seconds that it has trained. */
export type Begun = { readonly checkpoint: Checkpoint; readonly curves: SeriesPart; readonly seconds: number };

export type Training = {
  /** called after every update with the share that is done, and may take its time; what it throws ends the training */
  readonly between: (share: number, run: Run, seconds: number) => Promise<void>;
  readonly begun?: Begun | null;
};

/** Trains a cell on the CPU path; its metrics as text. `between` may take its time. */
export async function trainCell(cell: Cell, between: (share: number) => Promise<void>): Promise<Trained> {
  const trained = await trainRun(cell, { between });
  return 'problem' in trained ? trained : { result: trained.result, csv: trained.run.csv() };
}

/**
 * Trains a cell on the CPU path, from its beginning or on from where it stands. The run has let go of its arrays.
 *
 * A run that diverges is an outcome, and its group would look better without it: it scores 0, and its curve is 0 from
 * there on. Whatever else ends a cell early says nothing about its experiment, and the cell has no result.
 */
export async function trainRun(
  { config, address, seed, limit }: Cell,
  { between, begun = null }: Training,
): Promise<{ readonly result: CellResult; readonly run: Run; readonly seconds: number } | Untrained> {
  await prepareTask(config);
  const plan = makePlan(config);
  if (!plan.ok) return { problem: problemLine(plan.problem) };
  const series = new Series(plan.value.S);
  if (begun) series.join(begun.curves);
  const run = await Run.create(plan.value, makeCpuBackend, begun?.checkpoint, series);
  try {
    let seconds = begun?.seconds ?? 0;
    const taken = (): number => (run.series.length === 0 ? 0 : run.series.envSteps(run.series.length - 1));
    const spent = (): number => (limit?.of === 'seconds' ? seconds : taken());
    let isFinite = true;
    while (run.update < run.updates && (limit === null || spent() < limit.amount)) {
      const from = performance.now();
      isFinite = (await run.submit()).bad[0] === 0;
      // what happens between two updates does not count
      seconds += (performance.now() - from) / 1000;
      if (!isFinite) break; // nobody is to go on from there
      await between(limit === null ? run.update / run.updates : Math.min(1, spent() / limit.amount), run, seconds);
    }
    if (isFinite && limit !== null && spent() < limit.amount) return { problem: tooShort(run.updates, spent(), limit) };
    const { all: digest } = await run.digest();
    return { result: resultOf({ address, seed }, run.series, { digest, isFinite }), run, seconds };
  } finally {
    run.dispose();
  }
}

/** What a cell that has ended leaves behind; `isFinite` false: its last update is the one in which it diverged. */
export function resultOf(
  cell: Pick<Cell, 'address' | 'seed'>,
  series: Series,
  { digest, isFinite }: { readonly digest: string; readonly isFinite: boolean },
): CellResult {
  const { update: updates, envSteps, score, evaluations } = measuredOf(series);
  const { steps, success } = evaluations;
  const about = { address: cell.address, seed: cell.seed, updates, envSteps, digest };
  return isFinite
    ? { ...about, score: score!, evaluations: { steps, success } } // what is never evaluated is no cell
    : { ...about, score: 0, diverged: updateNumber(updates - 1), evaluations: fallen({ steps, success }, envSteps) };
}

/** The sentence of why a cell has no result: it took too few steps before its updates were over. */
export function tooShort(updates: number, spent: number, { of, amount }: Limit): string {
  const [had, what] = of === 'seconds' ? ['trained', 'seconds'] : ['taken', 'environment steps'];
  const number = (n: number): string => Math.round(n).toLocaleString('en');
  return `After ${number(updates)} updates, the most there are, it had ${had} ${number(spent)} of ${number(amount)} ${what}.`;
}

/** A curve that is 0 from these steps on: an evaluation of the update that diverged was still made before it. */
const fallen = ({ steps, success }: CellResult['evaluations'], at: number): CellResult['evaluations'] => ({
  steps: [...steps, at],
  success: [...success, 0],
});

const KIND = 'horizon-lab cell';
const VERSION = 1;
const bytes = (text: string): number => crc32(new TextEncoder().encode(text));

/** The file of a finished cell: equal results give equal text. */
export function writeCell({ config }: Cell, result: CellResult, csv: string): string {
  const body = { kind: KIND, version: VERSION, methods: revisionsOf(config), metrics: bytes(csv), result, config };
  return `${canonicalJson({ ...body, check: bytes(canonicalJson(body)) })}\n`;
}

const list = v.array(v.number());
const fileSchema = v.strictObject({
  kind: v.literal(KIND),
  version: v.literal(VERSION),
  methods: v.record(v.string(), v.number()),
  metrics: v.number(),
  result: v.strictObject({
    ...{ address: v.string(), seed: v.number(), updates: v.number(), envSteps: v.number() },
    ...{ digest: v.string(), score: v.number(), diverged: v.optional(v.number()) },
    evaluations: v.strictObject({ steps: list, success: list }),
  }),
  config: v.record(v.string(), v.unknown()),
  check: v.number(),
});

/** What a file is to a cell: its result; no result, and the cell trains again; or something that nobody may overwrite. */
export type Found =
  | { readonly kind: 'result'; readonly result: CellResult }
  | { readonly kind: 'again'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

const again = (why: string): Found => ({ kind: 'again', why });
const refused = (why: string): Found => ({ kind: 'refused', why });

/**
 * Reads the file of a cell and judges whether it counts.
 * @param csv the text of its metrics; null where that file is missing
 */
export function readCell(
  { address, config }: Pick<Cell, 'address' | 'config'>,
  text: string,
  csv: string | null,
): Found {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return again('is damaged');
  }
  const { kind, version } = (raw ?? {}) as { kind?: unknown; version?: unknown };
  if (kind !== KIND) return refused('was not written by a sweep');
  if (typeof version === 'number' && version > VERSION) return refused('was written by a newer version of the lab');
  const parsed = parse(fileSchema, raw);
  if (!parsed.ok) return again('is damaged');
  const { check, ...body } = parsed.value;
  if (bytes(canonicalJson(body)) !== check) return again('is damaged');
  if (body.result.address !== address || canonicalJson(withLaterSettings(body.config)) !== canonicalJson(config))
    return again('belongs to another cell');
  if (canonicalJson(body.methods) !== canonicalJson(revisionsOf(config)))
    return again('was trained with an earlier or later revision of a method');
  if (csv === null || bytes(csv) !== body.metrics) return again('has lost its metrics or they were changed');
  return { kind: 'result', result: body.result };
}
