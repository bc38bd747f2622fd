import { expect, test } from 'vitest';
import { presetById, presetConfig } from '../../config/presets.ts';
import { defaultConfig } from '../../config/schema.ts';
import { sampleRun, train } from '../../engine/sampleRun.ts';
import type { Run } from '../../engine/run.ts';
import { readCell, trainCell, trainRun, writeCell, type Begun, type CellResult } from './cell.ts';
import type { Description } from './description.ts';
import { expand, type Cell, type Sweep } from './expand.ts';
import { readPlan, writePlan } from './plan.ts';

const SMALL = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2 };

async function sweepOf(changes: Partial<Description> = {}): Promise<Sweep> {
  const sweep = await expand(
    { base: 'key-door', set: { ...SMALL, 'analysis.evalEvery': 2 }, seeds: 2, updates: 5, ...changes },
    changes.base === undefined ? defaultConfig() : presetConfig(presetById(changes.base as string)!),
  );
  if (typeof sweep === 'string') throw new Error(sweep);
  return sweep;
}

async function finished(cell: Cell): Promise<{ result: CellResult; csv: string }> {
  const trained = await trainCell(cell, () => Promise.resolve());
  if ('problem' in trained) throw new Error(trained.problem);
  return trained;
}

test('a cell is the run of its seed: the digest of that seed among others', async () => {
  const { cells } = await sweepOf();
  const run = await sampleRun({ ...SMALL, 'run.seeds': 2, 'run.updates': 5, 'analysis.evalEvery': 2 });
  await train(run, 5);
  const { perSeed } = await run.digest();
  for (const [k, cell] of cells.entries()) {
    const alone = await sampleRun({ ...SMALL, 'run.seed': cell.seed, 'run.seeds': 1, 'run.updates': 5 });
    await train(alone, 5);
    expect((await alone.digest()).perSeed[0]).toBe(perSeed[k]);
    expect((await finished(cell)).result.digest).toBe((await alone.digest()).all);
  }
});

test('evaluations stand at the steps that were taken before them, the score is the mean of their last tenth', async () => {
  const { result } = await finished((await sweepOf()).cells[0]!);
  // before updates 1, 3 and 5, which is the last
  expect(result.evaluations.steps).toHaveLength(3);
  expect(result.evaluations.steps[0]).toBe(0);
  expect(result.evaluations.steps[2]).toBeLessThan(result.envSteps);
  expect(result.score).toBe(result.evaluations.success[2]);
});

test('a cell with a number of environment steps ends with the update that reaches it', async () => {
  const steps = 200;
  const { cells } = await sweepOf({ updates: undefined, match: 'environmentSteps', steps });
  const { result, csv } = await finished(cells[0]!);
  expect(result.envSteps).toBeGreaterThanOrEqual(steps);
  const taken = csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',')[2]));
  expect(taken.filter((x) => x >= steps)).toEqual([result.envSteps]);
});

test('a cell with a number of seconds trains as long, without what happens between its updates', async () => {
  const { cells } = await sweepOf({ updates: undefined, match: 'seconds', seconds: 1 });
  const trained = await trainRun(cells[0]!, { between: () => Promise.resolve() });
  if ('problem' in trained) throw new Error(trained.problem);
  expect(trained.seconds).toBeGreaterThanOrEqual(1);
  expect(trained.run.series.length).toBe(trained.result.updates);
  expect(trained.result.updates).toBeLessThan(trained.run.updates);
});

test('a cell that is interrupted and continued from a kept state has the digest and the metrics of one that was not', async () => {
  const [cell] = (await sweepOf({ updates: 6 })).cells;
  const whole = await trainRun(cell!, { between: () => Promise.resolve() });
  for (const at of [1, 3, 5]) {
    let begun: Begun | null = null;
    const stop = async (_share: number, run: Run, seconds: number): Promise<void> => {
      if (run.update !== at) return;
      begun = { checkpoint: await run.checkpoint(), curves: run.series.part(0, at), seconds };
      throw new Error('interrupted');
    };
    await expect(trainRun(cell!, { between: stop })).rejects.toThrow('interrupted');
    const resumed = await trainRun(cell!, { between: () => Promise.resolve(), begun });
    if ('problem' in resumed || 'problem' in whole) throw new Error('it has no result');
    expect(resumed.result).toEqual(whole.result);
    expect(resumed.run.csv()).toBe(whole.run.csv());
  }
});

test('a run that diverges has a result: its score is 0, and so is its curve from there on', async () => {
  const sweep = await sweepOf({ base: 'alarm-non-finite', set: { 'analysis.evalEvery': 1 }, updates: undefined });
  const [cell] = sweep.cells;
  const { result, csv } = await finished(cell!);
  const { diverged, updates, score, envSteps, evaluations } = result;
  expect(diverged).toBe(updates);
  expect(updates).toBeLessThan(cell!.config.run['updates'] as number);
  expect(score).toBe(0);
  expect([evaluations.steps.at(-1), evaluations.success.at(-1)]).toEqual([envSteps, 0]);
  expect(evaluations.success.slice(0, -1).every(Number.isFinite)).toBe(true);
  expect(readCell(cell!, writeCell(cell!, result, csv), csv)).toEqual({ kind: 'result', result });
  expect(await finished(cell!)).toEqual({ result, csv });
});

test('no byte of a cell file can change unseen', async () => {
  const [cell] = (await sweepOf({ updates: 2 })).cells;
  const { result, csv } = await finished(cell!);
  const text = writeCell(cell!, result, csv);
  expect(readCell(cell!, text, csv)).toEqual({ kind: 'result', result });
  for (let k = 0; k < text.length - 1; k += 11) {
    const other = text.slice(0, k) + (text[k] === '0' ? '1' : '0') + text.slice(k + 1);
    expect(readCell(cell!, other, csv).kind).not.toBe('result');
    expect(readCell(cell!, text.slice(0, k), csv).kind).not.toBe('result');
  }
  for (const lost of ['', csv.replace('1', '2'), null]) expect(readCell(cell!, text, lost).kind).toBe('again');
});

test('a cell of a newer version, or of something else, is never written over', async () => {
  const [cell] = (await sweepOf({ updates: 2 })).cells;
  const { result, csv } = await finished(cell!);
  const text = writeCell(cell!, result, csv);
  expect(readCell(cell!, text.replace('"version":1', '"version":2'), csv)).toEqual({
    kind: 'refused',
    why: 'was written by a newer version of the lab',
  });
  for (const other of ['{}', '[]', 'null', '3']) expect(readCell(cell!, other, csv).kind).toBe('refused');
});

test('what a sweep consists of is read back as it was written, and nothing else is', async () => {
  const sweep = await sweepOf({ vary: { 'advantage.method': ['grpo', 'rloo'] }, threshold: 0.5 });
  const plan = readPlan(writePlan(sweep))!;
  expect(plan.threshold).toBe(0.5);
  expect(plan.groups).toEqual(sweep.groups);
  expect(plan.cells).toEqual(sweep.cells.map(({ address, group, seed, config }) => ({ address, group, seed, config })));
  const text = writePlan(sweep);
  for (const other of ['', '{}', text.slice(1), text.replace('"group":1', '"group":7'), text.replace('grpo', 'tusk')])
    expect(readPlan(other)).toBeNull();
});
