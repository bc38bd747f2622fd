import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readArgs } from '../args.ts';
import { creditCommand, keyIn, mapIn } from './credit.ts';

let folder = '';
let said: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credit-'));
  said = [];
  for (const name of ['log', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((text: string) => void said.push(text));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const run = async (...words: string[]): Promise<number> => {
  const args = readArgs(['credit', ...words]);
  if (typeof args === 'string') throw new Error(args);
  return creditCommand(args);
};
const EXAMPLE = join(import.meta.dirname, '../../../public/examples/house.jsonl');

test('an example gets credit for every step, a matrix of disagreement and a summary', async () => {
  const out = join(folder, 'out');
  expect(await run(EXAMPLE, '--estimators', 'gigpo,grpo,gae', '--out', out)).toBe(0);
  const rows = readFileSync(join(out, 'credit.csv'), 'utf8').trim().split('\n');
  expect(rows[0]).toBe(
    'task,episode,step,line,state,next_state,action,reward,outcome,success,terminated,credit_gigpo,credit_grpo',
  );
  expect(rows).toHaveLength(1 + 113);
  expect(readFileSync(join(out, 'disagreement.csv'), 'utf8')).toMatch(
    /^a,b,correlation,sign_agreement\ngigpo,grpo,0\.\d+,[01](\.\d+)?\n$/,
  );
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Record<string, unknown>;
  expect(summary).toMatchObject({
    layout: 'rows',
    tasks: 3,
    episodes: 18,
    steps: 113,
    successes: 7,
    silentTasks: { count: 1 },
  });
  expect(said.join('\n')).toContain('1 of 3 tasks are silent: all their episodes have the same outcome.');
  expect(said.join('\n')).toMatch(
    /Not computed \(needs the value that a critic gave every state.*\): PPO with critic \(GAE\)/,
  );
});

test('bad lines stop it, and --skip-bad leaves them out', async () => {
  const file = join(folder, 'x.jsonl');
  writeFileSync(file, `${readFileSync(EXAMPLE, 'utf8')}{"task_id": \n`);
  expect(await run(file)).toBe(1);
  expect(said.at(-1)).toBe('Line 114 cannot be read: it is not JSON. They can be left out. Use --skip-bad.');
  expect(await run(file, '--skip-bad', '--estimators', 'grpo')).toBe(0);
});

test.each([
  [['nowhere.jsonl'], 'There is no file “nowhere.jsonl”.'],
  [[EXAMPLE, '--estimators', 'magic'], 'There is no estimator “magic”; there are gigpo,'],
  [[EXAMPLE, '--key', 'smell'], 'There is no --key “smell”'],
  [[EXAMPLE, '--key', 'pattern:(a+)+'], 'The pattern repeats a group that repeats'],
  [[EXAMPLE, '--map', 'soul=x'], '“soul=x” is not a role and its column'],
  [[EXAMPLE, '--out', ''], 'The option --out needs the name of a folder'],
])('a mistake gets one sentence: %j', async (words, sentence) => {
  expect(await run(...words)).toBe(1);
  expect(said.at(-1)).toContain(sentence);
});

test('options are read as they are written', () => {
  expect(keyIn('similar:0.9')).toEqual({ kind: 'similar', threshold: 0.9 });
  expect(keyIn('pattern:room: (\\d+)')).toEqual({ kind: 'pattern', pattern: 'room: (\\d+)' });
  expect(mapIn('task=prompt id,outcome=score')).toEqual({ task: 'prompt id', outcome: 'score' });
});
