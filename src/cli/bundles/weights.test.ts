import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { thetaOf } from '../../contract/state.ts';
import { createRun } from '../../engine/run.ts';
import { readBundle } from '../../lab/bundle/readBundle.ts';
import { limitsOf } from '../../lab/bundle/names.ts';
import { archiveOf } from '../../lab/bundle/archive.ts';
import { wholeOf } from '../../lab/bundle/wholeOf.ts';
import { readZip } from '../../lab/bundle/zip.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { limitOf, limitOfAddress, suffixOf } from '../../lab/sweep/limit.ts';
import { fillFolder } from '../sweeps/filledFolder.ts';
import { bundleCommand } from './bundle.ts';

const UPDATES = 3;
const at = mkdtempSync(join(tmpdir(), 'horizon-lab-'));
afterAll(() => rmSync(at, { recursive: true }));

/** A folder with two finished cells, and the bundle that is made of it with their weights. */
async function packed(): Promise<{ sweep: Sweep; bytes: Uint8Array<ArrayBuffer> }> {
  const set = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4 };
  const description = { base: {}, set: { ...set, 'analysis.evalEvery': 1 }, seeds: 2, updates: UPDATES };
  const sweep = (await expand(description, defaultConfig())) as Sweep;
  await fillFolder(join(at, 'sweep'), sweep);
  const out = join(at, 'x.labsweep.zip');
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(
    await bundleCommand({ words: ['bundle', join(at, 'sweep')], options: { weights: 'true', out }, sets: [] }),
  ).toBe(0);
  return { sweep, bytes: new Uint8Array(readFileSync(out)) };
}

test('on request every cell of a bundle has its weights and last trajectories, which are checked when it is opened', async () => {
  const { sweep, bytes } = await packed();
  const read = await readBundle(bytes);
  if (read.kind !== 'sweep') throw new Error(JSON.stringify(read));
  expect(read.runs).toHaveLength(2);
  for (const [k, { state, whyNot }] of read.runs.entries()) {
    const made = await createRun(sweep.cells[k]!.config);
    if (!made.ok) throw new Error('the run could not be made');
    for (let u = 0; u < UPDATES; u++) await made.value.submit();
    expect(whyNot).toBeNull();
    const found = await state!();
    expect(found.update).toBe(UPDATES);
    expect(thetaOf(found)).toEqual(thetaOf((await made.value.checkpoint()).state));
  }
  const zip = await readZip(bytes, limitsOf);
  if (typeof zip === 'string') throw new Error(zip);
  const names = [...zip.keys()].filter((name) => name.endsWith('trajectories.jsonl'));
  expect(names).toHaveLength(2);
  const lines = new TextDecoder().decode(zip.get(names[0]!)).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { update: number }).update)).toEqual(Array(4).fill(UPDATES));
  // one byte of the weights of one cell is another
  const files = [...zip].map(([name, data]) => ({ name, data: data.slice() }));
  const weights = files.find(({ name }) => name.endsWith('weights.safetensors'))!;
  weights.data[weights.data.length - 1]! ^= 1;
  const damaged = await readBundle(await wholeOf(archiveOf(files, new Date(0))));
  expect(damaged.kind).toBe('refused');
});

test('the address of a cell says what ends it', () => {
  for (const match of [
    { match: 'environmentSteps', steps: 500 },
    { match: 'seconds', seconds: 7 },
  ] as const) {
    const limit = limitOf({ base: {}, seeds: 1, ...match });
    expect(limitOfAddress(`abcdefghij${suffixOf(limit)}`)).toEqual(limit);
  }
  expect(limitOfAddress('abcdefghij')).toBeNull();
});
