import { beforeAll, describe, expect, test } from 'vitest';
import { withEvent } from '../config/events.ts';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { createRun, type Checkpoint, type Run } from '../engine/run.ts';
import { train } from '../engine/sampleRun.ts';
import { packMark, readMark } from './markFile.ts';
import { HEADER } from './packed.ts';

const config = configWith(
  {
    ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 8, 'policy.method': 'tabular' },
    ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4 },
  },
  presetConfig(presetById('key-door')!),
);

let run: Run;
let mark: Checkpoint;
let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  await prepareTask(config);
  run = must(await createRun(config));
  await train(run, 3);
  mark = await run.checkpoint();
  bytes = packMark(config, mark, run.series.part(2, 3));
  await train(run, 5);
});

const rowOf = (of: Run) => (u: number) => of.series.part(u, u + 1);

test('a mark comes back with the bits that it was kept with, and the run ends from it as it did', async () => {
  const found = readMark(bytes, { config, rowOf: rowOf(run) });
  expect(found).toEqual(mark);
  const again = must(await createRun(config));
  again.series.join(run.series.part(0, 3));
  await again.restore(found as Checkpoint);
  await train(again, 5);
  expect(await again.digest()).toEqual(await run.digest());
});

test('a mark of another past of the run is left out: there its curves have other numbers', async () => {
  const other = must(await createRun(configWith({ 'rollout.temperature': 1.5 }, config)));
  await train(other, 3);
  expect(readMark(bytes, { config, rowOf: rowOf(other) })).toBe('other');
});

test('a mark of the same curves before a change of another past is left out, too', () => {
  const changed = withEvent(config, { update: 2, path: 'optimizer.learningRate', value: 0.5 });
  expect(readMark(bytes, { config: changed, rowOf: rowOf(run) })).toBe('other');
  const later = withEvent(config, { update: 3, path: 'optimizer.learningRate', value: 0.5 });
  expect(readMark(bytes, { config: later, rowOf: rowOf(run) })).toEqual(mark);
});

test('a mark that another revision of a method trained is left out', () => {
  const grpo = configWith({ 'advantage.method': 'grpo' }, config);
  expect(readMark(bytes, { config: grpo, rowOf: rowOf(run) })).toBe('other');
});

describe('damage', () => {
  const continued = () => ({ config, rowOf: rowOf(run) });
  test.each([0, 9, 13, 17, 25, 29, HEADER, HEADER + 40, -20])('byte %i changed is found', (at) => {
    const damaged = bytes.slice();
    const k = at < 0 ? bytes.length + at : at;
    damaged[k] = damaged[k]! ^ 1;
    expect(readMark(damaged, continued())).toBe('damaged');
  });
  test('a mark that is cut, or was never written, is found', () => {
    for (const length of [0, 5, HEADER, bytes.length - 1])
      expect(readMark(bytes.slice(0, length), continued())).toBe('damaged');
  });
});
