import { expect, test } from 'vitest';
import { batchOf } from './batch.ts';
import { compute } from './estimate.ts';
import { csvField } from './csv.ts';
import { lines, mustRead, read, ROWS, textFile, type SampleRow } from './sampleLogs.ts';
import { readLog } from './read.ts';
import type { ReadLog } from './read.ts';
import type { ReadOptions } from './types.ts';

const csvOf = (rows: readonly SampleRow[], separator = ','): string =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row).map((x) => csvField(String(x ?? ''))))]
    .map((fields) => fields.join(separator))
    .join('\n');

/** Credit of all real steps by GiGPO, in the order of the table. */
function gigpo({ table }: ReadLog): number[] {
  const log = batchOf(table);
  if (typeof log === 'string') throw new Error(log);
  const computed = compute(log, 'gigpo', { mode: 'mean', gamma: 0.5 });
  if (!computed.ok) throw new Error(computed.why);
  return [...computed.A];
}

test('two episodes by hand: the steps in the hall are compared, the step with the key is alone', async () => {
  const found = await mustRead({ 'log.jsonl': lines(...ROWS) });
  // outcomes 1 and 0: ±0.5. In the hall G = 0.5, 0, 0 with mean 1/6: +1/3, −1/6, −1/6
  const want = [0.5 + 1 / 3, 0.5, -0.5 - 1 / 6, -0.5 - 1 / 6];
  gigpo(found).forEach((x, k) => expect(x).toBeCloseTo(want[k]!, 6));
  expect(found.found.sentence).toBe(
    'Each row is a step (task “task_id”, episode “episode_id”, reward “reward”, state “observation”): 2 episodes, 4 steps.',
  );
});

test.each([
  [
    'JSON Lines with another end of lines and a byte order mark',
    'x.jsonl',
    `\uFEFF${lines(...ROWS).replaceAll('\n', '\r\n')}\r\n`,
  ],
  ['JSON Lines without the name of such', 'x.txt', lines(...ROWS)],
  ['a JSON list', 'x.json', JSON.stringify(ROWS, null, 1)],
  ['a JSON object with one list', 'x.json', JSON.stringify({ about: 'a log', steps_of_run: ROWS })],
  ['CSV', 'x.csv', csvOf(ROWS)],
  [
    'CSV with a byte order mark, carriage returns and an empty line',
    'x.csv',
    `\uFEFF${csvOf(ROWS).replaceAll('\n', '\r\n')}\r\n\r\n`,
  ],
  ['tab-separated values', 'x.tsv', csvOf(ROWS, '\t')],
  ['CSV in any order of rows', 'x.csv', csvOf([ROWS[3]!, ROWS[1]!, ROWS[0]!, ROWS[2]!])],
])('%s holds the same steps', async (_, name, text) => {
  const want = gigpo(await mustRead({ 'log.jsonl': lines(...ROWS) }));
  const got = await mustRead({ [name]: text });
  const byName = got.table.episodeNames[0] === 'a' ? gigpo(got) : [...gigpo(got).slice(2), ...gigpo(got).slice(0, 2)];
  expect(byName).toEqual(want);
});

test('a file that comes byte by byte is read as one that comes at once', async () => {
  const text = csvOf([{ ...ROWS[0]!, observation: 'a “hall”, with\nlines and "marks" 😀' }, ...ROWS.slice(1)]);
  const whole = await mustRead({ 'x.csv': text });
  const slow = await readLog([textFile('x.csv', text, 1)]);
  if (!slow.ok) throw new Error(slow.sentence);
  expect(gigpo(slow)).toEqual(gigpo(whole));
  expect(slow.table.texts.text(slow.table.state[0]!)).toBe('a “hall”, with\nlines and "marks" 😀');
});

test('columns with other names are found once a mapping names them, and the refusal lists them', async () => {
  const rows = ROWS.map(({ task_id, episode_id, step, observation, action, reward }) => ({
    ...{ q: task_id!, who: episode_id!, step: step!, place: observation!, action: action!, gain: reward! },
  }));
  const refused = await read({ 'x.jsonl': lines(...rows) });
  expect(refused.ok).toBe(false);
  if (refused.ok) return;
  expect(refused.sentence).toMatch(/^No column says which episode a row belongs to\. The columns are “q”, “who”/);
  expect(refused.found?.columns).toEqual(['q', 'who', 'step', 'place', 'action', 'gain']);
  const mapping = { task: 'q', episode: 'who', state: 'place', reward: 'gain' };
  expect(gigpo(await mustRead({ 'x.jsonl': lines(...rows) }, { mapping }))).toEqual(
    gigpo(await mustRead({ 'x.jsonl': lines(...ROWS) })),
  );
});

test('without a reward and an outcome, and without a state, it says what is missing', async () => {
  const bare = ROWS.map(({ task_id, episode_id, step }) => ({ task_id, episode_id, step })) as SampleRow[];
  const refused = await read({ 'x.csv': csvOf(bare) });
  expect(!refused.ok && refused.sentence).toBe(
    'No step has a reward and no episode an outcome. Name the column that holds one.',
  );
  const paid = await mustRead({ 'x.csv': csvOf(bare.map((row) => ({ ...row, score: 1 }))) });
  const log = batchOf(paid.table);
  if (typeof log === 'string') throw new Error(log);
  expect(compute(log, 'gigpo')).toMatchObject({
    ok: false,
    why: 'GiGPO needs a state or an observation of every step, which this log does not hold. Name the column that holds it.',
  });
  expect(compute(log, 'grpo').ok).toBe(true);
  expect(paid.found.notes).toContain(
    'Only whole episodes have an outcome: it counts as the reward of their last step.',
  );
});

test('bad lines are named by number, and left out when that is asked for', async () => {
  const text = [
    lines(ROWS[0]),
    '{"task_id": "door", "epi',
    lines(ROWS[1]),
    '[1]',
    lines({ ...ROWS[2], reward: 'much' }),
    lines(ROWS[3]),
  ].join('\n');
  const refused = await read({ 'x.jsonl': text });
  if (refused.ok) throw new Error('it was read');
  expect(refused.sentence).toBe('Lines 2, 4, 5 cannot be read; line 2: it is not JSON. They can be left out.');
  expect(refused.found?.bad.first.map(({ line, why }) => [line, why])).toEqual([
    [2, 'it is not JSON'],
    [4, 'it is not an object'],
    [5, '“reward” is not a number: much'],
  ]);
  const rest = await mustRead({ 'x.jsonl': text }, { leavesOutBad: true });
  expect(rest.table.steps).toBe(3);
  expect(rest.found.notes[0]).toBe('Left out: Lines 2, 4, 5 cannot be read; line 2: it is not JSON.');
});

test('a record of a table that is broken is named by the line where it begins', async () => {
  const text = 'episode,step,reward,observation\na,0,0,"two\nlines"\na,1,1,"no end\na,2,0,x\n';
  const refused = await read({ 'x.csv': text });
  if (refused.ok) throw new Error('it was read');
  expect(refused.found?.bad.first).toEqual([{ file: 'x.csv', line: 4, why: 'a quotation mark is never closed' }]);
});

test('the same step twice is refused with both lines', async () => {
  const refused = await read({ 'x.jsonl': lines(...ROWS, ROWS[1]) });
  expect(!refused.ok && refused.sentence).toMatch(/^Episode “a” has step 1 twice, in lines 2 and 5\./);
});

test.each([
  ['an empty file', { 'a.jsonl': '' }, '“a.jsonl” is empty.'],
  ['bytes', { 'a.csv': 'PNG\u0000\u0001' }, '“a.csv” is not a text: JSON Lines, JSON or CSV are read.'],
  ['a text', { 'a.txt': 'Dear Ann,\nall is well.' }, '“a.txt” is neither JSON Lines nor JSON nor a table in CSV.'],
  [
    'JSON that is cut off',
    { 'a.json': '{\n "steps": [\n' },
    '“a.json” is not JSON: it may be cut off, or be JSON Lines under another name.',
  ],
  [
    'no log among several',
    { 'a.png': 'x', 'b.bin': 'y' },
    'There is no log among these files: JSON Lines, JSON or CSV are read, alone or in a zip archive.',
  ],
  ['a number', { 'a.json': '[1, 2]' }, 'Lines 1, 2 cannot be read; line 1: it is not an object.'],
])('%s gets one sentence', async (_, texts, sentence) => {
  const refused = await read(texts as unknown as Record<string, string>);
  expect(!refused.ok && refused.sentence).toBe(sentence);
});

test('names of the prototype are names, and nothing of it changes', async () => {
  const evil =
    '{"task_id":"__proto__","episode_id":"constructor","step":0,"reward":1,"observation":{"__proto__":{"reward":5}},"__proto__":{"polluted":1}}';
  const found = await mustRead({ 'x.jsonl': `${evil}\n${evil.replace('"step":0', '"step":1')}` });
  expect(found.table.taskNames).toEqual(['__proto__']);
  expect(found.table.episodeNames).toEqual(['constructor']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(found.table.texts.text(found.table.state[0]!)).toBe('{"__proto__":{"reward":5}}');
});

test('what nests without end and what never ends are cut, not followed', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const row = `{"episode":"a","step":0,"reward":1,"observation":${deep},"action":"${'x'.repeat(3_000_000)}"}`;
  const found = await mustRead({ 'x.jsonl': row }, { leavesOutBad: true });
  expect(found.table.texts.text(found.table.state[0]!)).toBe('[[[[[[[[[[[[…]]]]]]]]]]]]');
  expect(found.table.texts.text(found.table.action![0]!).length).toBeLessThan(4100);
});

test('episodes of different updates are different batches, also for what compares a whole batch', async () => {
  const of = (update: number, gain: number): SampleRow[] =>
    ROWS.map((row) => ({ ...row, global_step: update, reward: gain * (row['reward'] as number) }));
  const whiten = async (rows: readonly SampleRow[], options?: ReadOptions): Promise<number[]> => {
    const log = batchOf((await mustRead({ 'x.jsonl': lines(...rows) }, options)).table);
    if (typeof log === 'string') throw new Error(log);
    const computed = compute(log, 'reinforcePP');
    return computed.ok ? [...computed.A] : [];
  };
  // as a log often is: the updates are not apart
  const mixed = of(1, 1).flatMap((row, k) => [row, of(2, 50)[k]!]);
  expect(await whiten(mixed)).toEqual([...(await whiten(of(1, 1))), ...(await whiten(of(2, 50)))]);
});
