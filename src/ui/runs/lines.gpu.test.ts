import { expect, test } from 'vitest';
import type { Measurements } from '../../lab/runs/measured.ts';
import { deleteParts, keepPart, PART } from '../../store/curveParts.ts';
import { open } from '../../store/database.ts';
import { metricOf } from '../../store/metricOf.ts';
import { curvesOf } from '../../store/runs.ts';
import { drawable } from './lines.ts';

// in a real browser, with its storage
const RUN = 'longest';
const [S, UPDATES] = [2, 20_000];
const columns = ['success', 'loss', 'entropy'];
const width = columns.length;

/** Seed s, update u: a wave with one spike and one hole, and nothing in every seventh update. */
const loss = (u: number, s: number): number =>
  u % 7 === 3 ? NaN : u === 9001 ? 50 + s : u === 17_002 ? -50 - s : Math.sin(u / 100) + s;

const rowsOf = (from: number, to: number, seeds: readonly number[]) => ({
  from,
  values: Float32Array.from({ length: (to - from) * seeds.length * width }, (_, k) => {
    const row = Math.floor(k / width);
    return k % width === 1 ? loss(from + Math.floor(row / seeds.length), seeds[row % seeds.length]!) : k;
  }),
  steps: Float64Array.from({ length: to - from }, (_, k) => 512 * (from + k + 1)),
});

test('a metric of a run of 20,000 updates is read from its parts alone, and held in few bytes with the same extremes', async () => {
  const database = await open();
  const sums: number[] = [];
  for (let from = 0; from + PART <= UPDATES; from += PART)
    sums.push(await keepPart(RUN, rowsOf(from, from + PART, [0, 1])));
  const until = sums.length * PART;
  for (const s of [0, 1]) {
    const older = { run: RUN, S, s, stored: { until, sums } };
    await database.put('curves', { id: `${RUN}.${s}`, columns, part: rowsOf(until, UPDATES, [s]), older });
  }
  const ids = [`${RUN}.0`, `${RUN}.1`];
  const read = async (runs: readonly string[], id: string) => {
    const all = new Map<string, Measurements | null>();
    for await (const [run, one] of metricOf(runs, { id })) all.set(run, one);
    return all;
  };
  const found = await read(ids, 'loss');
  for (const [s, id] of ids.entries()) {
    const { columns: names, part } = (await curvesOf(id))!;
    const whole = Array.from(part.steps, (_, u) => part.values[u * names.length + 1]!).filter((x) => !Number.isNaN(x));
    expect(Array.from(found.get(id)!.values)).toEqual(whole);
    expect(found.get(id)!.steps.at(-1)).toBe(512 * UPDATES);
    const { line, even } = drawable(found.get(id)!, 2 ** 12);
    expect([Math.max(...line.values), Math.min(...line.values)]).toEqual([50 + s, -50 - s]);
    const bytes = [line, even].flatMap((one) => Object.values(one)).reduce((sum, one) => sum + one.byteLength, 0);
    expect(bytes).toBeLessThanOrEqual(16 * 2 ** 12 * 1.5);
  }
  expect(await read([ids[0]!], 'unknown')).toEqual(new Map([[ids[0], null]]));
  expect(await read(['nobody'], 'loss')).toEqual(new Map([['nobody', null]]));
  await deleteParts(RUN);
  for (const id of ids) await database.delete('curves', id);
});
