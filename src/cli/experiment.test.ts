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
