import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { Series } from '../engine/series.ts';
import { CURVES } from '../slots/metrics/metrics.ts';
import { deleteParts, PART, runsOfParts } from '../store/curveParts.ts';
import { open } from '../store/database.ts';
import { curvesOf, runsOf } from '../store/runs.ts';
import { joinAll } from './inherited.ts';
import { Keeper, openKept, type Taken } from './keeper.ts';

// in a real browser, with its storage
const ID = 'parts';
const S = 2;
const config = configWith({ 'run.seeds': S, 'run.updates': 4000 });

function grow(series: Series, updates: number, branch: number): void {
  const count = updates - series.length;
  const first = series.length;
  const values = new Float32Array(count * S * CURVES).map((_, k) => branch + first + k / 3);
  series.join({ from: first, values, steps: new Float64Array(count).map((_, k) => 5 * (first + k + 1)) });
}

const takenOf = (series: Series): Taken => ({
  ...{ config, series, points: () => [], backend: 'cpu', seconds: 1 },
  checkpoint: {
    state: { update: series.length, steps: 0, tensors: { theta: new Float32Array(4) } },
    chain: [new Uint8Array(32), new Uint8Array(32)],
  },
});

/** Keeps a history, and another time, when parts of it are stored. */
async function keepTwice(keeper: Keeper, series: Series): Promise<void> {
  for (let k = 0; k < 2; k++) {
    keeper.take(takenOf(series), 'paused', true);
    await keeper.leave();
  }
}

async function opened() {
  const found = await openKept(ID);
  if (!found.ok) throw new Error(found.why);
  found.owned.release();
  const { columns, stored, curves } = found.kept;
  const series = new Series(S);
  const isWhole = await joinAll(series, [curves], { run: ID, columns, ...stored });
  return { series, isWhole, tail: curves.steps.length };
}

test('a long run is stored in parts that are written once: it comes back whole, also after it went another way', async () => {
  const told: string[] = [];
  const keeper = new Keeper(ID, ({ kind }) => told.push(kind));
  const parent = new Series(S);
  grow(parent, 2 * PART + 40, 0);
  await keepTwice(keeper, parent);
  const first = await opened();
  expect(first).toMatchObject({ isWhole: true, tail: 40 });
  expect(first.series.part(0, parent.length)).toEqual(parent.part(0, parent.length));
  const [, second] = await runsOf(ID);
  const own = (await curvesOf(second!.id))!.part;
  expect(own.steps).toEqual(parent.part(0, parent.length).steps);
  expect(own.values[(PART + 3) * CURVES + 1]).toBe(parent.at(PART + 3, 1, 1));
  // back into the first part, and on
  const child = parent.before(PART - 9);
  grow(child, 3 * PART, 7);
  keeper.take(takenOf(child), 'paused', true);
  await keeper.leave();
  expect((await opened()).series.part(0, child.length)).toEqual(child.part(0, child.length));
  await keepTwice(keeper, child);
  const other = await opened();
  expect(other).toMatchObject({ isWhole: true, tail: 0 });
  expect(other.series.part(0, child.length)).toEqual(child.part(0, child.length));
  // a part that is gone is not measured, and that is known
  await (await open()).delete('curveParts', [ID, PART]);
  const damaged = await opened();
  expect(damaged.isWhole).toBe(false);
  expect([damaged.series.length, damaged.series.at(PART, 0, 0)]).toEqual([3 * PART, NaN]);
  expect(damaged.series.at(2 * PART, 0, 0)).toBe(child.at(2 * PART, 0, 0));
  expect(told).toEqual([]);
  await deleteParts(ID);
  expect(await runsOfParts()).not.toContain(ID);
});
