import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Line } from './line.ts';
import { LIMITS, PROTOCOL, readMessage, writeMessage, type ToHost } from './protocol.ts';

const HOST = 'https://example.org';
const json = (message: object): string => JSON.stringify({ lab: PROTOCOL, ...message });
const hello = json({ type: 'hello', nonce: 'a-1' });

/** A line whose host and clock are of the test. */
function lineOfTest() {
  const sent: { data: string; origin: string; at: number }[] = [];
  const timers: { at: number; act: () => void }[] = [];
  let time = 0;
  const host = { postMessage: (data: string, origin: string) => void sent.push({ data, origin, at: time }) };
  const line = new Line(host, { now: () => time, later: (act, ms) => void timers.push({ at: time + ms, act }) });
  const wait = (ms: number): void => {
    const end = time + ms;
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      timers.splice(timers.indexOf(next), 1);
      time = next.at;
      next.act();
    }
    time = end;
  };
  const hear = (data: unknown, origin = HOST, source: unknown = host) => line.hear({ source, origin, data });
  return { line, hear, wait, sent, host };
}

const state = (update: number): ToHost => ({
  type: 'state',
  what: 'state',
  value: { state: 'running', update, updates: 9, experiment: 'x', isSeen: true, waitsForSight: false, ignored: 0 },
});

/** What nobody should be able to start, change or break anything with. */
const HOSTILE: readonly unknown[] = [
  null,
  undefined,
  0,
  NaN,
  '',
  'run',
  '{}',
  '[]',
  'null',
  '"run"',
  { lab: PROTOCOL, type: 'run' },
  json({ type: 'run', extra: 1 }),
  json({ type: 'RUN' }),
  json({ type: ['run'] }),
  json({ type: 'run', re: -1 }),
  json({ type: 'run', re: 1.5 }),
  json({ type: 'run', re: '1' }),
  JSON.stringify({ type: 'run' }),
  JSON.stringify({ lab: 'lab/2', type: 'run' }),
  json({ type: 'hello' }),
  json({ type: 'hello', nonce: '' }),
  json({ type: 'hello', nonce: '<script>' }),
  json({ type: 'hello', nonce: 'a'.repeat(65) }),
  json({ type: 'load' }),
  json({ type: 'load', payload: 7 }),
  json({ type: 'load', payload: 'x'.repeat(16_385) }),
  json({ type: 'seek', update: -1 }),
  json({ type: 'seek', update: 1e300 }),
  json({ type: 'select', trajectory: 0 }),
  json({ type: 'select', trajectory: 0, step: null }),
  json({ type: 'view', overlay: 'constructor' }),
  json({ type: 'view', metrics: [] }),
  json({ type: 'view', metrics: Array.from({ length: 7 }, () => 'success') }),
  json({ type: 'view', updatesPerSecond: 0 }),
  json({ type: 'view', controls: 'full' }),
  json({ type: 'get', what: 'config' }),
  json({ type: 'state', what: 'state' }),
  `{"lab":"${PROTOCOL}","type":"run","__proto__":{"a":1}}`,
  `{"lab":"${PROTOCOL}","type":"view","constructor":{"prototype":{"a":1}}}`,
  `{"__proto__":{"lab":"${PROTOCOL}","type":"run"}}`,
  `${json({ type: 'run' })} ${json({ type: 'run' })}`,
  '['.repeat(60_000),
  `${json({ type: 'run' })}${' '.repeat(LIMITS.bytes)}`,
  json({ type: 'load', payload: 'ü'.repeat(16_000) }).replaceAll('ü', 'üüü'),
];

describe('the protocol', () => {
  test('nothing hostile is a message, and none of it changes what objects are', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    expect(HOSTILE.filter((data) => readMessage(data) !== null)).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  test('any value and any JSON is read without a throw; what is read is in the list, with nothing added', () => {
    const types = ['hello', 'load', 'run', 'pause', 'step', 'seek', 'select', 'view', 'get'];
    const loose = fc.record(
      {
        lab: fc.constantFrom(PROTOCOL, 'lab/2'),
        type: fc.oneof(fc.constantFrom(...types), fc.string()),
        nonce: fc.string(),
        payload: fc.string(),
        update: fc.oneof(fc.integer(), fc.double()),
        step: fc.oneof(fc.integer(), fc.string()),
        what: fc.oneof(fc.constantFrom('state', 'link'), fc.string()),
        re: fc.oneof(fc.nat(), fc.anything()),
      },
      { requiredKeys: ['lab', 'type'] },
    );
    const data = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.json(),
      loose.map((x) => JSON.stringify(x)),
    );
    fc.assert(
      fc.property(data, (x) => {
        const read = readMessage(x);
        if (read === null) return;
        expect(types).toContain(read.type);
        expect(JSON.parse(x as string)).toEqual(read);
      }),
      { numRuns: 20_000 },
    );
  });

  test('what the frame says is held to the list, too, and to its size', () => {
    expect(() => writeMessage({ type: 'resize', height: -1 })).toThrow();
    expect(() => writeMessage({ ...state(1), secret: 1 } as unknown as ToHost)).toThrow();
    expect(() => writeMessage({ type: 'check', lesson: 'a b', id: 'c', passed: true, value: 1 })).toThrow();
    expect(writeMessage({ type: 'state', what: 'svg', value: 'ü'.repeat(64_000) })).toBeNull();
    expect(JSON.parse(writeMessage({ type: 'check', lesson: 'a', id: 'c', passed: true, value: null })!)).toEqual({
      ...{ lab: PROTOCOL, type: 'check', lesson: 'a', id: 'c', passed: true, value: null },
    });
  });
});

describe('the line', () => {
  test('before a valid hello nothing is obeyed and nothing is said', () => {
    const { line, hear, sent, wait } = lineOfTest();
    for (const data of [...HOSTILE, json({ type: 'run' }), json({ type: 'load', payload: 'x' })]) {
      expect(hear(data)).toBeNull();
      wait(100);
    }
    line.say(state(1));
    wait(5000);
    expect(sent).toEqual([]);
    expect(line.ignored).toBe(HOSTILE.length + 2);
  });

  test('it listens to the window around it and the origin of the first hello, and answers there alone', () => {
    const { line, hear, sent, wait } = lineOfTest();
    expect(hear(hello, HOST, {})).toBeNull();
    for (const nobody of ['null', '', 'file://']) expect(hear(hello, nobody)).toBeNull();
    expect(line.isOpen).toBe(false);
    expect(hear(hello)).toMatchObject({ type: 'hello' });
    expect(hear(hello, 'https://example.com')).toBeNull();
    expect(hear(json({ type: 'run' }), 'https://example.com')).toBeNull();
    expect(hear(json({ type: 'run' }), HOST, {})).toBeNull();
    expect(hear(json({ type: 'run' }))).toMatchObject({ type: 'run' });
    line.say(state(1));
    wait(1000);
    expect(sent.map(({ origin }) => origin)).toEqual([HOST]);
    expect(line.ignored).toBe(7);
  });

  test('of more than 20 messages in a second the others are ignored; a second later it listens again', () => {
    const { line, hear, wait } = lineOfTest();
    hear(hello);
    const heard = Array.from({ length: 100 }, () => hear(json({ type: 'pause' })));
    expect(heard.filter((message) => message !== null)).toHaveLength(LIMITS.perSecond - 1);
    expect(line.ignored).toBe(100 - (LIMITS.perSecond - 1));
    wait(1001);
    expect(hear(json({ type: 'pause' }))).not.toBeNull();
  });

  test('it never says more than 20 things in a second: news make room for newer ones, answers all come', () => {
    const { line, hear, sent, wait } = lineOfTest();
    hear(hello);
    for (let k = 0; k < 200; k++) {
      line.say(state(k));
      if (k % 10 === 0) line.say({ ...state(k), re: k });
      wait(5);
    }
    wait(2000);
    for (const { at } of sent)
      expect(sent.filter((other) => other.at >= at && other.at < at + 1000).length).toBeLessThanOrEqual(20);
    const said = sent.map(({ data }) => JSON.parse(data) as { re?: number; value: { update: number } });
    expect(said.filter(({ re }) => re !== undefined).map(({ re }) => re)).toEqual(
      Array.from({ length: 20 }, (_, k) => 10 * k),
    );
    expect(said.findLast(({ re }) => re === undefined)!.value.update).toBe(199);
  });

  test('an answer that is too large is said to be', () => {
    const { line, hear, sent } = lineOfTest();
    hear(hello);
    line.say({ type: 'state', what: 'svg', value: 'ü'.repeat(64_000), re: 7 });
    expect(JSON.parse(sent[0]!.data)).toMatchObject({ type: 'error', id: 'tooLarge', re: 7 });
  });
});

test('the helper for pages is smaller than 3 kB as it is shipped', () => {
  const { size } = statSync(join(import.meta.dirname, '../../../public/lab-embed.js'));
  expect(size).toBeLessThan(3000);
});
