import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { readBundle } from '../../lab/bundle/readBundle.ts';
import { readZip } from '../../lab/bundle/zip.ts';
import { limitsOf } from '../../lab/bundle/names.ts';
import type { Finished } from '../../lab/sweep/cell.ts';
import type { Description } from '../../lab/sweep/description.ts';
import { expand, type Cell, type Sweep } from '../../lab/sweep/expand.ts';
import { measureOf, trainMeasured } from '../../lab/sweep/measures/measured.ts';
import { bundleCommand } from '../bundles/bundle.ts';
import { cellIn, packed, parcelOf, unpacked } from '../queue/parcel.ts';
import { keyOf } from '../queue/cellQueue.ts';
import { compareCommand } from './compare.ts';
import { measuredIn, readFolder, SweepFolder } from './folder.ts';

const MEASURED: Description = {
  base: 'key-door',
  set: { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4, 'analysis.evalEvery': 1 },
  measure: { method: 'creditFidelity', moments: [0], judges: 'own' },
  seeds: 2,
  updates: 2,
};
const sweepOf = async (changes: Partial<Description> = {}): Promise<Sweep> =>
  (await expand({ ...MEASURED, ...changes }, defaultConfig(), measureOf)) as Sweep;

let sweep: Sweep;
const known = new Map<string, Finished>();
beforeAll(async () => {
  sweep = await sweepOf();
  for (const cell of sweep.cells) known.set(cell.address, await finished(cell));
});

async function finished(cell: Cell): Promise<Finished> {
  const trained = await trainMeasured(cell, () => Promise.resolve());
  if ('problem' in trained) throw new Error(trained.problem);
  return trained;
}

/** Works in a folder; the names of the cells that were trained, and the sentences about others. */
async function work(at: string, of: Sweep): Promise<{ trained: string[]; told: string[] }> {
  const told: string[] = [];
  const trained: string[] = [];
  const folder = new SweepFolder(at);
  expect(await folder.enter(of)).toBeNull();
  expect(await folder.open(of, (sentence) => told.push(sentence.replace(/^“[^”]*” /, '')))).toBeNull();
  for (const cell of of.cells.filter((one) => !folder.resultOf(one))) {
    trained.push(cell.name);
    expect(
      await folder.keep(
        cell,
        cell.measure === sweep.groups[0]!.measure ? known.get(cell.address)! : await finished(cell),
      ),
    ).toBeNull();
  }
  await folder.leave();
  return { trained, told };
}
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'horizon-measured-'));
const NAMES = ['base, seed 1', 'base, seed 2'];

test('the rows of a cell are in a file beside its own, named by both, and are read from there', async () => {
  const at = newFolder();
  await work(at, sweep);
  const { address, measure } = sweep.cells[0]!;
  expect(readdirSync(join(at, 'cells'))).toContain(`${address}.creditFidelity-${measure!.address}.json`);
  const found = await readFolder(at);
  if (typeof found === 'string') throw new Error(found);
  const [cell] = found.plan.cells;
  const { rows } = await measuredIn(at, cell!, found.results.get(address)!);
  expect(rows.map((row) => row.slice(0, 3))).toEqual([[0, 1, 'gigpo']]);
});

test('a cell whose rows are lost, damaged or of another measure trains again; one without a measure is finished', async () => {
  const at = newFolder();
  expect(await work(at, sweep)).toEqual({ trained: NAMES, told: [] });
  expect(await work(at, sweep)).toEqual({ trained: [], told: [] });
  expect((await work(at, await sweepOf({ measure: undefined }))).trained).toEqual([]);
  const pathOf = ({ address, measure }: Cell): string =>
    join(at, 'cells', `${address}.creditFidelity-${measure!.address}.json`);
  const [a, b] = sweep.cells.map(pathOf) as [string, string];
  const before = readFileSync(a, 'utf8');
  writeFileSync(a, before.replace('"rows":[[0,1', '"rows":[[0,2'));
  rmSync(b);
  expect(await readFolder(at)).toMatchObject({ results: expect.anything() as object }); // the plan is that without a measure
  expect(await work(at, sweep)).toEqual({
    trained: NAMES,
    told: [
      'has what was measured beside it damaged; the cell base, seed 1 trains again.',
      'has lost what was measured beside it; the cell base, seed 2 trains again.',
    ],
  });
  expect(readFileSync(a, 'utf8')).toBe(before);
  const other = await sweepOf({ measure: { method: 'creditFidelity', moments: [0] } });
  expect((await work(at, other)).trained).toEqual(NAMES);
  expect(readFileSync(a, 'utf8')).toBe(before); // both are there
});

test('a cell goes to a worker and back with its measure, and has a name of its own in the queue', async () => {
  const sent = (x: unknown): unknown => JSON.parse(JSON.stringify(x));
  const [cell] = sweep.cells as [Cell];
  const [plain] = (await sweepOf({ measure: undefined })).cells as [Cell];
  expect(keyOf(cell)).not.toBe(keyOf(plain));
  expect(keyOf(plain)).toBe(plain.address);
  const parcel = parcelOf(cell);
  expect(await cellIn(sent(parcel))).toEqual(cell);
  // another revision of an estimator that judges gives another address
  const old = { ...cell, measure: { ...cell.measure!, address: 'aaaaaaaaaa' } };
  expect(await cellIn(sent({ ...parcel, cell: old }))).toMatch(
    /^What is measured beside the cell base, seed 1 .+same version\.$/,
  );
  const trained = known.get(cell.address)!;
  expect(await unpacked(cell, await packed(cell, trained))).toEqual(trained);
  const { measured: _, ...without } = trained;
  expect(await unpacked(cell, await packed(cell, without))).toEqual({
    problem: 'Its result has lost what was measured beside it.',
  });
});

test('a comparison says what it leaves out, and a bundle carries it where the page opens it', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const at = newFolder();
  await work(at, sweep);
  expect(await compareCommand({ words: ['compare', at], options: {}, sets: [] })).toBe(0);
  expect(readFileSync(join(at, 'comparison', 'comparison.md'), 'utf8')).toContain(
    'Also measured, and not compared here: Credit fidelity.',
  );
  const out = join(at, 'all.labsweep.zip');
  expect(await bundleCommand({ words: ['bundle', at], options: { out }, sets: [] })).toBe(0);
  said.mockRestore();
  const bytes = new Uint8Array(readFileSync(out));
  expect((await readBundle(bytes)).kind).toBe('sweep');
  const files = await readZip(bytes, limitsOf);
  if (typeof files === 'string') throw new Error(files);
  const { address } = sweep.cells[0]!;
  const [head, line] = new TextDecoder().decode(files.get(`cells/${address}/measured.csv`)).split('\n');
  expect(head).toBe('moment,update,estimator,rev,correlation,cosine,sign,weighted');
  expect(line).toMatch(/^0,1,gigpo,\d,/);
});
