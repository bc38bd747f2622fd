import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import { canonicalJson } from '../../config/canonical.ts';
import { configDigest } from '../../config/digest.ts';
import { parseConfig } from '../../config/schema.ts';
import { parse } from '../../core/settings.ts';
import { LAB_VERSION } from '../../core/version.ts';
import { readCell, writeCell, type Finished, type Trained } from '../../lab/sweep/cell.ts';
import type { Cell } from '../../lab/sweep/expand.ts';
import { suffixOf } from '../../lab/sweep/limit.ts';
import { measureOf, readMeasured } from '../../lab/sweep/measures/measured.ts';
import { revisionsOf } from '../../lab/sweep/revisions.ts';

/** A cell on its way to a worker: with what the worker has to be equal to, so that both would train the same numbers. */
const schema = v.strictObject({
  lab: v.string(),
  methods: v.record(v.string(), v.number()),
  cell: v.strictObject({
    ...{ address: v.string(), name: v.string(), group: v.number(), seed: v.number() },
    config: v.record(v.string(), v.unknown()),
    limit: v.nullable(v.strictObject({ of: v.picklist(['environmentSteps', 'seconds']), amount: v.number() })),
    measure: v.optional(
      v.strictObject({
        id: v.string(),
        params: v.record(
          v.string(),
          v.union([v.number(), v.string(), v.boolean(), v.pipe(v.array(v.number()), v.readonly())]),
        ),
        address: v.string(),
      }),
    ),
  }),
  /** put there by the worker */
  trained: v.optional(v.string()),
});
export type Parcel = v.InferOutput<typeof schema>;

/** What a worker sends back: the files of the cell, or the sentence of why there are none. */
const backSchema = v.union([
  v.strictObject({ text: v.string(), csv: v.string(), measured: v.optional(v.string()) }),
  v.strictObject({ problem: v.string() }),
]);

const squeeze = promisify(gzip);
const unsqueeze = promisify(gunzip);
/** More than the metrics of the longest run. */
const MOST_BYTES = 2 ** 30;

export const parcelOf = (cell: Cell): Parcel => ({
  lab: LAB_VERSION,
  methods: revisionsOf(cell.config),
  cell,
});

/** The cell of a parcel; a text is the sentence of why it cannot be trained here as where it was put into the queue. */
export async function cellIn(raw: unknown): Promise<Cell | string> {
  const lab = (raw as { lab?: unknown } | null)?.lab;
  if (typeof lab === 'string' && lab !== LAB_VERSION)
    return `The cells in the queue are of lab ${lab.slice(0, 20)} and this worker is lab ${LAB_VERSION}: start both from the same version.`;
  const parsed = parse(schema, raw);
  if (!parsed.ok) return 'What is in the queue was not put there by this version of the lab.';
  const { cell, methods } = parsed.value;
  const config = parseConfig(cell.config);
  const other =
    'was put into the queue by a lab with other methods than this worker: start both from the same version.';
  if (!config.ok) return `The cell ${cell.name} ${other}`;
  const revisions = revisionsOf(config.value);
  const differs = [...new Set([...Object.keys(methods), ...Object.keys(revisions)])].find(
    (id) => methods[id] !== revisions[id],
  );
  if (differs !== undefined)
    return `The cell ${cell.name} has revision ${methods[differs] ?? 'none'} of ${differs} and this worker revision ${revisions[differs] ?? 'none'}: start both from the same version.`;
  if (`${await configDigest(config.value)}${suffixOf(cell.limit)}` !== cell.address)
    return `The cell ${cell.name} ${other}`;
  if (cell.measure) {
    const { id, params, address } = cell.measure;
    const own = await measureOf({ ...params, method: id }, config.value);
    if (typeof own === 'string' || own.address !== address)
      return `What is measured beside the cell ${cell.name} ${other}`;
  }
  return { ...cell, config: config.value };
}

/** A result as text: the files as the folder of a sweep holds them. */
export async function packed(cell: Cell, trained: Trained): Promise<string> {
  const back =
    'problem' in trained
      ? { problem: trained.problem }
      : {
          ...{ text: writeCell(cell, trained.result, trained.csv), csv: trained.csv },
          ...(trained.measured === undefined ? {} : { measured: trained.measured }),
        };
  return (await squeeze(canonicalJson(back))).toString('base64');
}

/** Reads what `packed` wrote and checks it as a file of the folder is checked; a problem where it does not hold. */
export async function unpacked(cell: Cell, text: string): Promise<Finished | { problem: string }> {
  let raw: unknown;
  try {
    raw = JSON.parse((await unsqueeze(Buffer.from(text, 'base64'), { maxOutputLength: MOST_BYTES })).toString());
  } catch {
    return { problem: 'Its result arrived damaged.' };
  }
  const parsed = parse(backSchema, raw);
  if (!parsed.ok) return { problem: 'Its result arrived damaged.' };
  if ('problem' in parsed.value) return { problem: parsed.value.problem };
  const { text: file, csv, measured } = parsed.value;
  const found = readCell(cell, file, csv);
  if (found.kind !== 'result') return { problem: `Its result ${found.why}.` };
  if (!cell.measure) return { result: found.result, csv };
  const rows = readMeasured(cell, found.result.digest, measured ?? null);
  return typeof rows === 'string'
    ? { problem: `Its result ${rows}.` }
    : { result: found.result, csv, measured: measured! };
}
