import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configWith, defaultConfig, setValue } from '../config/schema.ts';
import { experimentOf } from './experiment.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function opened(config: unknown) {
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify(config));
  return experimentOf(file, { words: [], options: {}, sets: [] } as never);
}

test('a config file that was written before some settings came still runs, with all that it says', async () => {
  const config = configWith({ 'advantage.method': 'graphGpo', 'advantage.graphGpo.decay': 0.1, 'run.seed': 7 });
  const older = structuredClone(config) as { advantage: { [id: string]: { rows?: unknown } } };
  for (const id of ['graphGpo', 'grpo', 'copo']) delete older.advantage[id]!.rows;
  expect(await opened(older)).toMatchObject({ config });
});

test('what is no config is refused in a sentence that names the first thing wrong', async () => {
  for (const [config, sentence] of [
    [{}, 'is missing'],
    [[], 'A setting is impossible'],
    [{ ...defaultConfig(), tusk: {} }, 'tusk'],
    [setValue(defaultConfig(), 'run.seeds', 'many'), 'run.seeds'],
  ] as const)
    expect(await opened(config)).toContain(sentence);
});

test('--formula takes the credit from a file, and says what is wrong with it or its text', async () => {
  const file = join(folder, 'credit.txt');
  const ask = (formula: string) => experimentOf(undefined, { words: [], options: { formula }, sets: [] });
  await writeFile(file, '# mine\nnormalize(outcome, task)\n\n');
  const changed = { 'advantage.method': 'formula', 'advantage.formula.text': '# mine\nnormalize(outcome, task)' };
  expect(await ask(file)).toMatchObject({ config: configWith(changed) });
  await writeFile(file, 'normalize(outcome, task');
  expect(await ask(file)).toContain('advantage.formula.text cannot be read at line 1, column 24');
  expect(await ask(join(folder, 'none.txt'))).toContain('could not be read as a file');
});
