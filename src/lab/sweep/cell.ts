import * as v from 'valibot';
import { canonicalJson } from '../../config/canonical.ts';
import { crc32 } from '../../config/crc.ts';
import { withLaterSettings } from '../../config/migrations.ts';
import { problemLine } from '../../config/problems.ts';
import { parse } from '../../core/settings.ts';
import { CHECKED_SLOTS } from '../../engine/backend.ts';
import { outcomeOf } from '../../engine/outcome.ts';
import { createRun } from '../../engine/run.ts';
import type { Series } from '../../engine/series.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import type { Cell } from './expand.ts';
import { revisionsOf } from './revisions.ts';

/** What a cell leaves behind. Nothing in it depends on when, where or how fast it was trained. */
export type CellResult = {
  readonly address: string;
  readonly seed: number;
  /** updates that were trained, and the environment steps that they took */
  readonly updates: number;
  readonly envSteps: number;
  /** chain over what happened in every update: equal digests are equal runs */
  readonly digest: string;
  /** mean of the last tenth of the evaluations */
  readonly score: number;
  /** success on episodes that never train, and the environment steps that had been taken before */
  readonly evaluations: { readonly steps: readonly number[]; readonly success: readonly number[] };
};

/** The result, its metrics as a table; or the sentence of why there is none. */
export type Trained = { readonly result: CellResult; readonly csv: string } | { readonly problem: string };

/**
 * Trains a cell on the CPU path. `between` is called after every update with the share that is done, and may take its time.
 */
export async function trainCell(
  { config, address, seed, steps }: Cell,
  between: (share: number) => Promise<void>,
): Promise<Trained> {
  const made = await createRun(config);
  if (!made.ok) return { problem: problemLine(made.problem) };
  const run = made.value;
  try {
    const taken = (): number => (run.series.length === 0 ? 0 : run.series.envSteps(run.series.length - 1));
    while (run.update < run.updates && (steps === null || taken() < steps)) {
      const { bad, update } = await run.submit();
      const slot = bad[0]!;
      if (slot !== 0)
        return {
          problem: problemLine({ kind: 'nonFinite', slot: CHECKED_SLOTS[slot - 1]!, update, lastGood: update }),
        };
      await between(steps === null ? run.update / run.updates : Math.min(1, taken() / steps));
    }
    if (steps !== null && taken() < steps)
      return {
        problem: `After ${run.updates.toLocaleString('en')} updates, the most there are, it had taken ${Math.round(taken()).toLocaleString('en')} of ${steps.toLocaleString('en')} environment steps.`,
      };
    const evaluations = evaluationsOf(run.series);
    const result: CellResult = {
      ...{ address, seed, updates: run.series.length, envSteps: taken() },
      ...{ digest: (await run.digest()).all, score: outcomeOf(run.series).scores![0]!, evaluations },
    };
    return { result, csv: run.csv() };
  } finally {
    run.dispose();
  }
}

function evaluationsOf(series: Series): CellResult['evaluations'] {
  const steps: number[] = [];
  const success: number[] = [];
  for (let u = 0; u < series.length; u++) {
    const value = series.at(u, 0, metricIndex.evalSuccess);
    if (Number.isNaN(value)) continue;
    steps.push(u === 0 ? 0 : series.envSteps(u - 1));
    success.push(value);
  }
  return { steps, success };
}

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
    ...{ digest: v.string(), score: v.number(), evaluations: v.strictObject({ steps: list, success: list }) },
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
