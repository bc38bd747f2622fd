import { expect, test, vi } from 'vitest';

/** A column that only this test knows: one line in the table, as a module with a new number of each step would add. */
vi.mock('../contract/columnTable.ts', async (original) => {
  const table = await original<typeof import('../contract/columnTable.ts')>();
  const probe = { per: 'step', type: 'f32', width: () => 3, made: 'always', shown: true, device: 'draws', doc: 'new' };
  return { ...table, columns: { ...table.columns, probe } };
});

/** The same for what an update makes of a batch. */
vi.mock('../contract/updateColumns.ts', async (original) => {
  const table = await original<typeof import('../contract/updateColumns.ts')>();
  const made = { per: 'decision', type: 'f64', width: () => 5, inner: true, device: 'own', doc: 'new in updates' };
  return { ...table, updateColumns: { ...table.updateColumns, made } };
});

const { configWith } = await import('../config/schema.ts');
const { estimateCost } = await import('../config/cost.ts');
const { memoryOf } = await import('../config/memory.ts');
const { columnsOf } = await import('../contract/columns.ts');
const { sectionsOf } = await import('../contract/sections.ts');
const { selectGroups, joinBatches } = await import('../contract/creditSubset.ts');
const { makeArrays, makeUpdateArrays, sizesOf } = await import('./arrays.ts');
const { updateColumnsOfRun } = await import('../config/runColumns.ts');
const { sampleRun } = await import('./sampleRun.ts');
const { Snapshots } = await import('../lab/snapshot.ts');

const SMALL = { 'run.backend': 'cpu', 'run.seeds': 2, 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 3 };
/** It is in no type. */
const probeOf = (x: unknown): Float32Array => (x as { probe: Float32Array }).probe;

test('a line in the table is all that a new column takes: arrays, batch, copies, parts, snapshot, device, memory', async () => {
  const run = await sampleRun(SMALL);
  const { plan } = run;
  const steps = plan.B * plan.T;
  expect(probeOf(makeArrays(plan))).toHaveLength(2 * 3 * steps);
  await run.submit();
  const view = await run.backend.view(1);
  expect(probeOf(view.batch)).toHaveLength(3 * steps);
  const { batch } = selectGroups(view.batch, [[3, 4, 5]]);
  expect(probeOf(batch)).toHaveLength((3 * steps) / 2);
  expect(probeOf(joinBatches([batch, view.batch]))).toHaveLength((9 * steps) / 2);
  expect(probeOf(await new Snapshots().make(run, 0))).toHaveLength(3 * steps);
  const { of, buffers } = sectionsOf(columnsOf([], []), sizesOf(plan), plan.S);
  expect(of.get('probe' as never)).toMatchObject({ buffer: 'draws', words: 2 * 3 * steps });
  expect(buffers.draws).toBeGreaterThan(of.get('probe' as never)!.at);
});

test('a line in the table is all that a new column of an update takes, too', async () => {
  const run = await sampleRun(SMALL);
  const { plan } = run;
  const numbers = 2 * 5 * plan.B * plan.T;
  expect((makeUpdateArrays(plan) as unknown as { made: Float64Array }).made).toHaveLength(numbers);
  expect(sectionsOf(updateColumnsOfRun(plan), sizesOf(plan), plan.S).buffers).toMatchObject({ made: numbers });
  // what the backend says that it holds
  const own = (columns: object): number =>
    Object.values(columns).reduce((sum: number, x) => sum + (x as Float64Array).byteLength, 0);
  expect(run.backend.memory()['batch']).toBe(own(makeArrays(plan)) + own(makeUpdateArrays(plan)));
});

test('the estimates of memory count both', () => {
  const config = configWith(SMALL);
  vi.doUnmock('../contract/columnTable.ts');
  vi.doUnmock('../contract/updateColumns.ts');
  const [mine, gpu] = [memoryOf(config)!.cpu, estimateCost(config, null)!.bytes];
  vi.resetModules();
  return Promise.all([import('../config/memory.ts'), import('../config/cost.ts')]).then(([memory, cost]) => {
    // at least two steps of six rows of two seeds, 3 f32 and 5 numbers of an update each
    const steps = 2 * 6 * 2 * 4 * (3 + 5);
    expect(mine - memory.memoryOf(config)!.cpu).toBeGreaterThan(steps);
    expect(gpu - cost.estimateCost(config, null)!.bytes).toBeGreaterThan(steps);
  });
});
