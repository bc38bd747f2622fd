import { expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { LabHost } from './host.ts';
import type { Alarm, Answer, Frame, Mark } from './protocol.ts';

/** A host whose frames are answered, and what they said last about alarms and checkpoints. */
function open() {
  const { port1, port2 } = new MessageChannel();
  let alarms: readonly Alarm[] = [];
  let marks: readonly Mark[] = [];
  let next: (() => void) | null = null;
  let state = '';
  port2.onmessage = ({ data }: MessageEvent<Frame>) => {
    if (data.alarms) alarms = data.alarms;
    if (data.timeline) marks = data.timeline;
    state = data.state;
    port2.postMessage({ ack: data.seq, busyMs: 0 } satisfies Answer);
    next?.();
  };
  return {
    host: new LabHost(port1, true),
    alarms: () => alarms,
    marks: () => marks,
    until: (wanted: string) =>
      new Promise<void>((done) => {
        next = () => void (state === wanted && done());
        next();
      }),
    close: () => port2.close(),
  };
}

const lowEss = configWith(
  { 'run.backend': 'cpu', 'run.seeds': 1, 'run.updates': 8 },
  presetConfig(presetById('alarm-ess')!),
);

test('an alarm travels to the page, keeps a checkpoint, and is forgotten when the run goes back before it', async () => {
  const { host, alarms, marks, until, close } = open();
  await host.load(lowEss);
  await host.start();
  await until('finished');
  expect(alarms().map((a) => a.id)).toEqual(['lowEss']);
  const [alarm] = alarms();
  expect(alarm).toMatchObject({ replicas: [0], S: 1, action: 'lowerRate' });
  const kept = marks().filter((m) => m.reasons.some((r) => r.kind === 'alarm'));
  expect(kept.map((m) => m.update)).toEqual([alarm!.since + 1]);
  expect(kept[0]!.reasons.find((r) => r.kind === 'alarm')!.words).toBe(alarm!.title);
  await host.rewind(1);
  await until('paused');
  expect(alarms()).toEqual([]);
  await host.start();
  await until('finished');
  expect(alarms().map((a) => a.key)).toEqual([alarm!.key]);
  close();
});

test('the monitor changes nothing: the digest is that of the run without it', async () => {
  const { host, until, close } = open();
  await host.load(configWith({ 'run.updates': 6 }, lowEss));
  await host.start();
  await until('finished');
  const watched = await host.digest();
  const { createRun } = await import('../engine/run.ts');
  const made = must(await createRun(configWith({ 'run.updates': 6 }, lowEss)));
  for (let u = 0; u < 6; u++) await made.submit();
  expect(watched.perSeed).toEqual((await made.digest()).perSeed);
  close();
});

test('a run that stopped on a number that is not finite says so as an alarm, too', async () => {
  const { host, alarms, until, close } = open();
  await host.load(lowEss);
  await host.inject('nonFinite');
  await host.start();
  await until('failed');
  expect(alarms()).toMatchObject([{ id: 'nonFinite', evidence: 'First seen in the optimizer slot, at update 1.' }]);
  close();
});
