import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SharedGroup } from '../../contract/peers.ts';
import { PeerLine, type OpenWire } from './line.ts';
import { LONGEST, PROTOCOL, readMessage, writeMessage } from './message.ts';

const GROUP: SharedGroup = {
  ...{ name: { levelSeed: 5, maxSteps: 0, variant: 0 }, version: 3 },
  rows: [
    { episodeSeed: 1, actions: [0, 1, 2], outcome: 1, logp: [-0.5, -1, 0] },
    { episodeSeed: 2, actions: [3], outcome: 0 },
  ],
};
const TOLD = { task: 'world', sender: 'a', kind: 'group', group: GROUP } as const;
const EXCHANGE = { sent: [GROUP], refused: [], taken: 0 };

/** A channel in memory: what one end posts arrives at all the others at once. */
function channel(): { open: OpenWire; post: (data: unknown) => void } {
  const ends = new Set<(data: unknown) => void>();
  const open: OpenWire = (hear) => {
    ends.add(hear);
    return {
      post: (text) => ends.forEach((end) => end !== hear && end(text)),
      close: () => ends.delete(hear),
    };
  };
  return { open, post: (data) => ends.forEach((end) => end(data)) };
}

function lines(count: number, task = 'world') {
  const { open, post } = channel();
  const all = Array.from({ length: count }, (_, k) => new PeerLine(open, `tab${k}`));
  for (const line of all) line.join(task);
  for (const line of all) line.open();
  return { all, post, open };
}

describe('a message', () => {
  test('says the same after its way', () => {
    expect(readMessage(writeMessage(TOLD))).toEqual(TOLD);
    for (const kind of ['hello', 'bye'] as const) {
      const message = { task: 'world', sender: 'a', kind };
      expect(readMessage(writeMessage(message))).toEqual(message);
    }
  });

  test('names no observations, weights or code', () => {
    const said = JSON.parse(writeMessage(TOLD)!) as Record<string, unknown>;
    expect(Object.keys(said)).toEqual(['protocol', 'task', 'sender', 'kind', 'level', 'version', 'rows']);
    expect(Object.keys((said['rows'] as object[])[0]!)).toEqual(['seed', 'length', 'actions', 'outcome', 'logp']);
  });

  test('that would be longer than 64 KiB is not written, and not read', () => {
    const rows = Array.from({ length: 40 }, () => ({ ...GROUP.rows[0]!, actions: Array<number>(1000).fill(10) }));
    expect(writeMessage({ ...TOLD, group: { ...GROUP, rows } })).toBeNull();
    expect(readMessage(writeMessage(TOLD)! + ' '.repeat(LONGEST))).toBeNull();
  });

  test('of another form is not understood: one field at a time', () => {
    const said = JSON.parse(writeMessage(TOLD)!) as Record<string, unknown>;
    const row = (said['rows'] as Record<string, unknown>[])[0]!;
    const wrong: readonly Record<string, unknown>[] = [
      ...[{ protocol: 'other' }, { task: 5 }, { task: 'no name' }, { sender: '' }, { kind: 'code' }],
      ...[
        { level: [1, 2] },
        { level: [-1, 0, 0] },
        { level: [0.5, 0, 0] },
        { level: [1, 5000, 0] },
        { level: [1, 0, 600] },
      ],
      ...[{ level: [2 ** 32, 0, 0] }, { version: -1 }, { rows: [] }, { rows: [row] }, { rows: { length: 2 } }],
      ...[{ seed: 2 ** 32 }, { length: 4 }, { actions: 'abc' }, { actions: [0, 1, 32] }, { actions: [0, 1, null] }].map(
        (part) => ({ rows: [row, { ...row, ...part }] }),
      ),
      ...[{ outcome: '1' }, { outcome: null }, { logp: [1, 0, 0] }, { logp: 'x' }].map((part) => ({
        rows: [row, { ...row, ...part }],
      })),
    ];
    for (const part of wrong)
      expect({ part, read: readMessage(JSON.stringify({ ...said, ...part })) }).toEqual({ part, read: null });
    expect(readMessage(JSON.stringify(said))).not.toBeNull();
  });

  test('may be anything at all', () => {
    fc.assert(fc.property(fc.anything(), (data) => readMessage(data) === null));
    fc.assert(fc.property(fc.json(), (text) => readMessage(text) === null));
    const head = { protocol: PROTOCOL, task: 'world', sender: 'a', kind: 'group' };
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (level, rows) => {
        expect(readMessage(JSON.stringify({ ...head, level, rows, version: 0 }))).toBeNull();
      }),
    );
  });
});

describe('a line', () => {
  test('is closed until it is opened, and says nothing then', () => {
    const { all, open } = lines(1);
    const closed = new PeerLine(open, 'other');
    closed.join('world');
    closed.tell(EXCHANGE);
    expect(closed.take()).toBeNull();
    expect(all[0]!.status).toEqual({ isOpen: true, seen: 0, sent: 0, taken: 0, refused: 0, ignored: 0 });
    all[0]!.close();
    expect(all[0]!.take()).toBeNull();
  });

  test('knows who is there, whoever came first, until they leave', () => {
    const { all } = lines(3);
    expect(all.map(({ status }) => status.seen)).toEqual([2, 2, 2]);
    all[0]!.close();
    expect(all.map(({ status }) => status.seen)).toEqual([0, 1, 1]);
  });

  test('brings what others tell, once, with a number for who it was', () => {
    const { all } = lines(3);
    all[0]!.tell(EXCHANGE);
    all[1]!.tell(EXCHANGE);
    expect(all[2]!.take()).toEqual([
      { ...GROUP, sender: 1 },
      { ...GROUP, sender: 2 },
    ]);
    expect(all[2]!.take()).toEqual([]);
    expect(all[0]!.take()).toHaveLength(1);
    expect(all[0]!.status.sent).toBe(2);
  });

  test('ignores and counts what it does not understand, and what is said of another task', () => {
    const { all, post } = lines(1);
    for (const data of [5, 'x', '{', null, writeMessage({ ...TOLD, task: 'elsewhere' })]) post(data);
    expect(all[0]!.take()).toEqual([]);
    expect(all[0]!.status.ignored).toBe(5);
  });

  test('keeps the newest 256 groups for a tab that waits, and knows 64 others', () => {
    const { all, post } = lines(1);
    for (let k = 0; k < 300; k++) post(writeMessage({ ...TOLD, group: { ...GROUP, version: k } }));
    const waiting = all[0]!.take()!;
    expect([waiting.length, waiting[0]!.version, waiting.at(-1)!.version]).toEqual([256, 44, 299]);
    for (let k = 0; k < 100; k++) post(writeMessage({ ...TOLD, sender: `s${k}` }));
    expect(all[0]!.status).toMatchObject({ seen: 64, ignored: 37 });
  });

  test('does not listen any more to a tab of which 32 rows were refused', () => {
    const { all, post } = lines(1);
    post(writeMessage(TOLD));
    const { sender } = all[0]!.take()![0]!;
    all[0]!.tell({ sent: [], refused: Array<number>(32).fill(sender), taken: 0 });
    post(writeMessage(TOLD));
    post(writeMessage({ ...TOLD, sender: 'honest' }));
    expect(all[0]!.take()).toEqual([{ ...GROUP, sender: 2 }]);
    expect(all[0]!.status).toMatchObject({ refused: 32, ignored: 1 });
  });

  test('starts over with another run: nothing of the old one waits, and others of its task are greeted', () => {
    const { all } = lines(2);
    all[0]!.tell(EXCHANGE);
    all[1]!.join('elsewhere');
    expect(all[1]!.take()).toEqual([]);
    expect(all.map(({ status }) => status.seen)).toEqual([0, 0]);
    all[1]!.join('world');
    expect(all.map(({ status }) => status.seen)).toEqual([1, 1]);
  });
});
