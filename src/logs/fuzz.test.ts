import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchOf } from './batch.ts';
import { compute } from './estimate.ts';
import { readLog } from './read.ts';
import { lines, ROWS, zipFile } from './sampleLogs.ts';
import { anchorsOf, silentOf } from './summary.ts';
import type { KeyRule, LogFile } from './types.ts';
import { fileOf } from './unzip.ts';

const talk = {
  task_id: 'q',
  reward: 1,
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello', tool_calls: [{ function: { name: 'f', arguments: '{"a": 1}' } }] },
    { role: 'tool', content: 'ok' },
    { role: 'assistant', content: 'Bye' },
  ],
};
const atif = {
  schema_version: 'ATIF-v1.6',
  trajectory_id: 't',
  extra: { reward: 1 },
  steps: [
    { step_id: 1, source: 'user', message: 'Do it.' },
    {
      step_id: 2,
      source: 'agent',
      message: 'ok',
      observation: { results: [{ content: 'x' }] },
      metrics: { logprobs: [-1] },
    },
  ],
};
const lab = {
  seed: 1,
  update: 2,
  trajectory: 0,
  task: 0,
  level: 5,
  success: true,
  states: ['a', 'b', 'a'],
  actions: ['up', 'up'],
  rewards: [0, 1],
};
const head = 'task,episode,step,state,action,reward,logp\n';
const csv = `${head}q,a,0,"the ""big"" hall\nwith a door",go,0,-1\nq,a,1,attic,stay,1,[-1;-2]\nq,b,0,hall,go,0,-0.5\n`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Small logs of every layout, as bytes under a name. */
async function bases(): Promise<[string, Uint8Array][]> {
  const zipped: Uint8Array[] = [];
  for await (const part of zipFile({
    'a/trajectory.json': JSON.stringify(atif),
    'a/result.json': '{"reward": 1}',
  }).bytes())
    zipped.push(part);
  return [
    ['x.jsonl', encode(lines(...ROWS))],
    ['x.json', encode(JSON.stringify(ROWS))],
    ['x.csv', encode(csv)],
    ['x.jsonl', encode(lines(talk, talk))],
    ['x.json', encode(JSON.stringify(atif, null, 1))],
    ['x.jsonl', encode(lines({ input: 'q', output: 'a <result>b</result> c', gts: 'x', score: 1, step: 3 }))],
    ['x.jsonl', encode(lines(lab, { ...lab, trajectory: 1, rewards: [0, 0] }))],
    [
      'x.jsonl',
      encode(
        lines(
          { episode: 'a', role: 'user', content: 'q' },
          { episode: 'a', role: 'assistant', content: 'b', reward: 1 },
        ),
      ),
    ],
    ['x.zip', zipped[0]!],
  ];
}

/** What a file can be hurt with: bytes that mean something to a reader. */
const TOKENS = [
  '"',
  '\n',
  '\r\n',
  ',',
  '{',
  '}',
  '[',
  ']',
  ':',
  '\\',
  '""',
  '\u0000',
  '\uFEFF',
  'null',
  'NaN',
  '1e999',
  '-',
  '1e308',
  '"__proto__":{"a":1},',
  '[[[[[[[[[',
  '{"a":'.repeat(40),
  '\\ud800',
  '9'.repeat(80),
  'x'.repeat(400),
];

const mutation = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'double', 'put', 'end'),
  at: fc.noBias(fc.nat(9999)).map((x) => x / 1e4),
  size: fc.integer({ min: 1, max: 60 }),
  token: fc.constantFrom(...TOKENS),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function hurt(bytes: Uint8Array, { kind, at, size, token }: Mutation): Uint8Array {
  const from = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, from), bytes.subarray(from)];
  const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
  switch (kind) {
    case 'flip':
      return bytes.map((x, k) => (k === from ? x ^ (1 << (size % 8)) : x));
    case 'cut':
      return join(before, after.subarray(size));
    case 'double':
      return join(before, after.subarray(0, size), after);
    case 'put':
      return join(before, encode(token), after);
    case 'end':
      return before.slice();
  }
}

const rule = fc.constantFrom<KeyRule>(
  { kind: 'exact' },
  { kind: 'spaces' },
  { kind: 'digits' },
  { kind: 'similar', threshold: 0.8 },
  { kind: 'pattern', pattern: '(\\w+) h' },
  { kind: 'pattern', pattern: '(a+)+$' },
);

test('5,000 damaged files: a table that holds together, or one sentence, and never an error', async () => {
  const samples = await bases();
  const seen = { read: 0, refused: 0, credited: 0 };
  const look = async (file: LogFile, key: KeyRule, leavesOutBad: boolean): Promise<void> => {
    const found = await readLog([file], { key, leavesOutBad, sharesEnds: file.size % 2 === 0 });
    if (!found.ok) {
      seen.refused++;
      expect(found.sentence).toMatch(/^[^\n]{10,1200}[.:]$/);
      return;
    }
    seen.read++;
    const { table } = found;
    // no more steps than the file has room for, and every number is one
    expect(table.steps).toBeLessThanOrEqual(Math.max(2, file.size));
    expect(table.start[table.episodes]).toBe(table.steps);
    expect(table.reward.every((r) => Number.isFinite(r) || Math.abs(r) === Infinity)).toBe(true);
    const log = batchOf(table);
    if (typeof log === 'string') return;
    expect([...log.batch.length].reduce((a, b) => a + b, 0)).toBe(table.steps);
    for (const id of ['gigpo', 'grpo', 'salt']) {
      const credit = compute(log, id);
      if (credit.ok) seen.credited++;
      expect(credit.ok ? credit.A.length : credit.why.length).toBeGreaterThan(0);
    }
    anchorsOf(log);
    silentOf(log);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.nat(samples.length - 1),
      fc.array(mutation, { minLength: 1, maxLength: 3, size: 'max' }),
      rule,
      fc.constantFrom(true, true, true, false),
      async (k, list, key, leavesOut) => {
        const [name, bytes] = samples[k]!;
        await look(fileOf(name, list.reduce(hurt, bytes)), key, leavesOut);
      },
    ),
    { numRuns: 5_000 },
  );
  // the damage is of all sizes: many files are still read, and many are not
  expect(seen.read).toBeGreaterThan(750);
  expect(seen.refused).toBeGreaterThan(750);
  expect(seen.credited).toBeGreaterThan(750);
  expect(Object.keys(Object.prototype)).toEqual([]);
}, 240_000);
