import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import type { TrainedOn } from '../core/trainedOn.ts';
import { onBeat } from '../engine/cpu/beat.ts';
import { LabHost } from './host.ts';
import type { Answer, Checkpoint, Frame, Kept, SeriesPart, Sign } from './protocol.ts';

/** What a page holds on to: the newest state, and curves until there. */
type Held = { checkpoint: Checkpoint | null; curves: SeriesPart[]; trainedOn?: TrainedOn };

function hold(held: Held, { checkpoint, curves, trainedOn }: Kept): void {
  held.trainedOn = trainedOn;
  held.checkpoint = checkpoint;
  held.curves = [...held.curves.filter(({ from }) => from < curves.from), curves];
}

/** A worker host with a page that holds on to what it is given. */
function open() {
  const [data, life] = [new MessageChannel(), new MessageChannel()];
  const held: Held = { checkpoint: null, curves: [] };
  const signs: Sign['kind'][] = [];
  let wake: () => void = () => undefined;
  let state = '';
  life.port2.onmessage = ({ data: sign }: MessageEvent<Sign>) => {
    signs.push(sign.kind);
    if (sign.kind === 'kept') hold(held, sign.kept);
    wake();
  };
  data.port2.onmessage = ({ data: frame }: MessageEvent<Frame>) => {
    data.port2.postMessage({ ack: frame.seq, busyMs: 0 } satisfies Answer);
    state = frame.state;
    wake();
  };
  const until = async (is: () => boolean): Promise<void> => {
    while (!is()) await new Promise<void>((done) => (wake = done));
  };
  return {
    host: new LabHost(data.port1, true, 1, life.port1),
    held,
    signs,
    ping: () => life.port2.postMessage({ ping: 1 }),
    until,
    becomes: (wanted: string) => until(() => state === wanted),
    close: () => [data, life].forEach(({ port2 }) => port2.close()),
  };
}

const small = configWith({
  'rollout.groupSize': 4,
  'rollout.tasksPerBatch': 2,
  'run.backend': 'cpu',
  'run.updates': 30,
});
const heldAt = (held: Held): number => held.checkpoint?.state.update ?? -1;

async function straight() {
  const { host, becomes, close } = open();
  await host.load(small);
  await host.start();
  await becomes('finished');
  const found = [await host.digest(), await host.csv()];
  close();
  return found;
}

test('a run that another worker takes over has the digest and every curve of one that was never interrupted', async () => {
  const first = open();
  const loaded = await first.host.load(small);
  expect(loaded).toMatchObject({ ok: true, run: 1 });
  for (let u = 0; u < 7; u++) await first.host.step();
  await first.until(() => heldAt(first.held) === 7);
  first.close();
  const { checkpoint, curves } = first.held;
  const left = { checkpoint: checkpoint!, curves, trainedOn: 'cpu' } as const;
  const second = open();
  expect(await second.host.takeOver(small, left)).toMatchObject({ ok: true });
  await second.becomes('paused');
  expect((await second.host.digest()).update).toBe(7);
  // what the second worker keeps can be taken over in turn
  for (let u = 0; u < 4; u++) await second.host.step();
  await second.until(() => heldAt(second.held) === 11);
  second.close();
  const third = open();
  const next = second.held;
  await third.host.takeOver(small, { checkpoint: next.checkpoint!, curves: next.curves, trainedOn: 'webgpu' });
  await third.host.start();
  await third.becomes('finished');
  expect([await third.host.digest(), await third.host.csv()]).toEqual(await straight());
  // what was trained elsewhere is not told to be of this path
  await third.until(() => third.held.checkpoint?.state.update === 30);
  expect([first.held.trainedOn, second.held.trainedOn, third.held.trainedOn]).toEqual(['cpu', 'cpu', 'both']);
  third.close();
});

test('after going back the page holds the state that was gone back to, and the way on from it', async () => {
  const { host, held, until, close } = open();
  await host.load(small);
  for (let u = 0; u < 6; u++) await host.step();
  await until(() => heldAt(held) === 6);
  await host.rewind(4);
  await until(() => heldAt(held) === 4);
  await host.step();
  await until(() => heldAt(held) === 5);
  expect(held.curves.reduce((n, { steps }) => n + steps.length, 0)).toBe(5);
  close();
});

test('a worker answers between two pieces of work, and shows from the middle of an update that it works', async () => {
  const { host, signs, ping, until, close } = open();
  await until(() => signs.includes('beat'));
  ping();
  await until(() => signs.includes('pong'));
  await host.load(small);
  let passes = 0;
  onBeat(() => void passes++);
  await host.step();
  onBeat(null);
  // at least one pass through the network for every step of the longest episode
  expect(passes).toBeGreaterThan(10);
  close();
});
