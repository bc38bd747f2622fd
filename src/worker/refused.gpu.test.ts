import { expect, test } from 'vitest';
import { problemText } from '../config/problems.ts';
import { configWith } from '../config/schema.ts';
import { LabHost } from './host.ts';
import type { Frame } from './protocol.ts';

const small = configWith({
  'rollout.groupSize': 4,
  'rollout.tasksPerBatch': 2,
  'task.grid.level': 'corridor',
  'policy.mlp.hidden': [4],
  'analysis.evalEvery': 0,
  'run.backend': 'webgpu',
  'run.seeds': 1,
  'run.updates': 12,
});

test('a device that refuses work stops the run with a sentence; what was trained stays, and the run can go back and on', async () => {
  const { port1, port2 } = new MessageChannel();
  const frames: Frame[] = [];
  let look: (frame: Frame) => void = () => undefined;
  port2.onmessage = ({ data }: MessageEvent<Frame>) => {
    frames.push(data);
    port2.postMessage({ ack: data.seq });
    look(data);
  };
  const host = new LabHost(port1, true, 1);
  const begins = async (state: Frame['state']): Promise<Frame> => {
    const seen = new Promise<Frame>((done) => (look = (frame) => frame.state === state && done(frame)));
    await host.start();
    return seen;
  };
  expect(await host.load(small)).toMatchObject({ ok: true });
  await host.step();
  await host.step();
  await host.inject('refuseWork');
  const failed = await begins('failed');
  expect(failed.problem).toMatchObject({ kind: 'workRefused' });
  expect(problemText(failed.problem!).sentence).toMatch(/^The run stopped because the device did not do .*kept\.$/s);
  expect((await host.digest()).update).toBe(2);
  expect((await host.csv()).trim().split('\n')).toHaveLength(1 + 2);

  // the old device is gone; from a checkpoint the run goes on upon another one, to the numbers of a run without trouble
  expect(await host.rewind(0)).toMatchObject({ ok: true });
  expect(await begins('finished')).toMatchObject({ backend: 'webgpu', update: 12 });
  const { result } = await host.digest();
  await host.load(small);
  await begins('finished');
  expect((await host.digest()).result).toBe(result);
  expect(frames.filter(({ problem }) => problem?.kind === 'workRefused')).toHaveLength(1);
  await host.inject('loseDevice');
  port2.close();
});
