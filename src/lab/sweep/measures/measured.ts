import * as v from 'valibot';
import { canonicalJson } from '../../../config/canonical.ts';
import { crc32 } from '../../../config/crc.ts';
import { shortName } from '../../../config/digest.ts';
import { prepareTask } from '../../../config/level.ts';
import { problemLine } from '../../../config/problems.ts';
import type { Config } from '../../../config/slots.ts';
import { defaultsOf, parse, settingsSchema, type AnyValues } from '../../../core/settings.ts';
import { makePlan } from '../../../engine/plan.ts';
import { trainRun, type Trained } from '../cell.ts';
import type { Cell } from '../expand.ts';
import { measureById, measures } from './registry.ts';
import type { AskedMeasure, CellMeasure, MeasuredRow } from './types.ts';

/**
 * The measure of a cell as a description asks for it, checked against the experiment. A text is the end of a sentence on
 * what is wrong with it.
 */
export async function measureOf({ method, ...given }: AskedMeasure, config: Config): Promise<CellMeasure | string> {
  const measure = measureById(method);
  if (!measure) return `there is no measure “${method.slice(0, 80)}”, only ${measures.map(({ id }) => id).join(', ')}.`;
  const parsed = parse(settingsSchema(measure.params), { ...defaultsOf(measure.params), ...given });
  if (!parsed.ok) {
    const { path, message } = parsed.issues[0]!;
    return `in its “measure”, “${path.slice(0, 80)}” ${message}.`;
  }
  const params = parsed.value as AnyValues;
  if (config.run['backend'] !== 'cpu') return 'a measure follows runs of the CPU path; train it without “backend”.';
  await prepareTask(config);
  const plan = makePlan(config);
  if (!plan.ok) return problemLine(plan.problem);
  const refused = measure.refusal(plan.value, params as never);
  if (refused !== null) return refused;
  const { id, rev } = measure;
  return { id, params, address: await shortName({ id, rev, params, uses: measure.uses(config, params as never) }) };
}

/** Trains a cell on the CPU path, and measures beside it what it asks for. `between` may take its time. */
export async function trainMeasured(cell: Cell, between: (share: number) => Promise<void>): Promise<Trained> {
  const { measure: asked = null, config } = cell;
  await prepareTask(config);
  const plan = makePlan(config);
  if (!plan.ok) return { problem: problemLine(plan.problem) };
  const observer = asked && measureById(asked.id)!.begin(plan.value, asked.params as never);
  const trained = await trainRun(cell, {
    async between(share, run) {
      await observer?.after(run);
      await between(share);
    },
  });
  if ('problem' in trained) return trained;
  const { result, run } = trained;
  const found = { result, csv: run.csv() };
  return observer ? { ...found, measured: writeMeasured(cell, result.digest, observer.rows()) } : found;
}

const KIND = 'horizon-lab measure';
const VERSION = 1;
/** With its checksum, as it is written. */
const textOf = (body: object): string => `${canonicalJson({ ...body, check: check(body) })}\n`;
const check = (body: object): number => crc32(new TextEncoder().encode(canonicalJson(body)));

/** The file of what was measured beside a cell: equal rows give equal text. `digest` is that of the run. */
export function writeMeasured({ address, measure }: Cell, digest: string, rows: readonly MeasuredRow[]): string {
  const { id, params, address: of } = measure!;
  const { columns } = measureById(id)!;
  const body = {
    kind: KIND,
    version: VERSION,
    cell: address,
    digest,
    measure: { id, params, address: of },
    columns,
    rows,
  };
  return textOf(body);
}

const fileSchema = v.strictObject({
  kind: v.literal(KIND),
  version: v.literal(VERSION),
  ...{ cell: v.string(), digest: v.string() },
  measure: v.strictObject({ id: v.string(), params: v.record(v.string(), v.unknown()), address: v.string() }),
  columns: v.array(v.string()),
  rows: v.array(v.array(v.union([v.string(), v.number(), v.null()]))),
  check: v.number(),
});

/** Rows with the names of their columns. */
export type MeasuredRows = { readonly columns: readonly string[]; readonly rows: readonly MeasuredRow[] };

/**
 * Reads the file of what was measured beside a cell that has a result. A text says why it does not count, and the cell
 * trains again. @param digest that of the run
 */
export function readMeasured(
  { address, measure }: Pick<Cell, 'address' | 'measure'>,
  digest: string,
  text: string | null,
): MeasuredRows | string {
  if (text === null) return 'has lost what was measured beside it';
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return 'has what was measured beside it damaged';
  }
  const parsed = parse(fileSchema, raw);
  if (!parsed.ok) return 'has what was measured beside it damaged';
  const { check: sum, ...body } = parsed.value;
  // digits beyond those of a number change nothing of it, and are no digits of ours
  if (check(body) !== sum || text !== textOf(body)) return 'has what was measured beside it damaged';
  if (body.cell !== address || body.digest !== digest || body.measure.address !== measure?.address)
    return 'has beside it what was measured of another run';
  return { columns: body.columns, rows: body.rows };
}

/** The rows as a table for people and programs. */
export function measuredCsv({ columns, rows }: MeasuredRows): string {
  return `${[columns, ...rows.map((row) => row.map((x) => x ?? ''))].map((line) => line.join()).join('\n')}\n`;
}
