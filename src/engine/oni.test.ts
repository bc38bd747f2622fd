import { expect, test } from 'vitest';
import { eventWords, labelPath, labelsAt, parseEvents, withEvent } from '../config/events.ts';
import { decodeLink, encodeLink } from '../config/link.ts';
import { configWith } from '../config/schema.ts';
import { answer, BOOK_ROWS, ROW_WORDS, rowOfMessage } from '../contract/labelBook.ts';
import { defaultsOf } from '../core/settings.ts';
import { messageReward, oni } from '../slots/reward/oni.ts';
import { sampleRun, train } from './sampleRun.ts';

const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 12, 'task.grid.level': 'keyDoor', 'reward.oni.on': true },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 8, 'policy.mlp.hidden': [5], 'analysis.evalEvery': 0 },
};
/** A grid-world took a key: flag 256, without the four that all worlds share. */
const KEY = 16;

test('an interesting message pays 1, 1/8 and 1/27 of its size, and every time the same without a decay', () => {
  const messages = [3, 5, 3, 3];
  expect([...messageReward(messages, (m) => m === 3, { size: 0.2, exponent: 3 })]).toEqual([0.2, 0, 0.2 / 8, 0.2 / 27]);
  expect([...messageReward(messages, (m) => m === 3, { size: 0.2, exponent: 0 })]).toEqual([0.2, 0, 0.2, 0.2]);
});

test('a queue is answered in the order in which messages came, so many after each batch, and pays only then', () => {
  const message = Float32Array.of(7, 4, 9, 4);
  const batch = { B: 1, T: 4, length: Uint32Array.of(4), message, reward: new Float32Array(4) };
  const seen = { ...batch, milestoneStep: Float32Array.of(1, -1) } as never;
  const memory = { book: new Uint32Array(BOOK_ROWS * ROW_WORDS) };
  const params = { ...defaultsOf(oni.params), perUpdate: 2, int: 1 };
  const paid = (): number[] => {
    const out = new Float32Array(4);
    oni.run(seen, params, out, memory);
    return [...out];
  };
  expect(paid()).toEqual([0, 0, 0, 0]);
  // 7 and 4 are answered: the milestone came with 4
  expect([...memory.book.subarray(0, 9)]).toEqual([8, 1, 0, 5, 2, 1, 10, 0, 0]);
  expect(paid()).toEqual([0, 1, 0, 0.125]);
  expect([...memory.book.subarray(6, 9)]).toEqual([10, 1, 0]);
  const wrong = { book: new Uint32Array(BOOK_ROWS * ROW_WORDS) };
  oni.run(seen, { ...params, annotator: 'noisy', flip: 1 }, new Float32Array(4), wrong);
  expect([wrong.book[1], wrong.book[4]]).toEqual([2, 1]);
});

test('a book that is full takes no further message and loses none', () => {
  const book = new Uint32Array(BOOK_ROWS * ROW_WORDS);
  for (let m = 0; m < BOOK_ROWS; m++) answer(book, m, m % 2 === 0);
  const before = book.slice();
  answer(book, 999, true);
  expect(book).toEqual(before);
  expect(rowOfMessage(book, 3)).toBe(3 * ROW_WORDS);
});

test('labels by hand are events: read, refused with a sentence, and kept in a link', () => {
  expect(parseEvents('4 label.16 1; 6 label.16 0')).toMatchObject({ ok: true });
  expect(parseEvents('4 label.16 2')).toMatchObject({
    ok: false,
    message: expect.stringContaining('1 for interesting'),
  });
  expect(parseEvents('4 label.x 1')).toMatchObject({ ok: false });
  const config = withEvent(configWith(SMALL), { update: 4, path: labelPath(16), value: 1 });
  // said once is enough
  expect(withEvent(config, { update: 5, path: labelPath(16), value: 1 })).toEqual(config);
  expect(eventWords({ update: 4, path: labelPath(16), value: 1 })).toBe('message 16 is interesting');
  expect(labelsAt(config, 4)).toEqual([{ message: 16, isInteresting: true }]);
  expect(labelsAt(config, 5)).toEqual([]);
  expect(labelsAt(config, 5, true)).toHaveLength(1);
  const back = decodeLink(encodeLink({ config }));
  expect(back).toMatchObject({ ok: true, value: { config: { run: { events: '4 label.16 1' } } } });
});

test('a label given during a run pays from that update on, in every seed, and a run that is resumed repeats it', async () => {
  const changes = { ...SMALL, 'reward.oni.annotator': 'click', 'reward.oni.int': 5, 'run.events': '3 label.16 1' };
  const whole = await sampleRun(changes);
  const most: number[] = [];
  for (let u = 0; u < 6; u++) {
    await train(whole, 1);
    const { batch } = await whole.backend.view(1);
    const keys = batch.message!.filter((m) => m === KEY).length;
    if (keys > 0) most.push(u, Math.round(Math.max(...batch.reward)));
  }
  const paid = new Map<number, number>();
  for (let k = 0; k < most.length; k += 2) paid.set(most[k]!, most[k + 1]!);
  expect(paid.size).toBeGreaterThan(3);
  for (const [u, r] of paid) expect(r, `update ${u}`).toBe(u < 3 ? Math.min(r, 1) : 5);
  const want = await whole.backend.save();
  const first = await sampleRun(changes);
  await train(first, 2);
  const second = await sampleRun(changes);
  await second.restore(await first.checkpoint());
  await train(second, 4);
  expect((await second.backend.save()).tensors).toEqual(want.tensors);
});
