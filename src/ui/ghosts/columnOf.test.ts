import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { CURVES } from '../../slots/metrics/metrics.ts';
import { onSay } from '../notices/say.ts';
import { columnOf } from './columnOf.ts';
import type { Ghost } from './ghosts.ts';

afterEach(() => onSay(null));

test('a kept run whose file cannot be read any more has no curve, which is told once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ghost-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'curves');
  await writeFile(
    path,
    new Float32Array(2 * CURVES).map((_, k) => k),
  );
  const curves = { steps: Float64Array.of(10, 20), file: await openAsBlob(path) };
  const ghost: Ghost = {
    id: 1,
    name: 'GRPO, update 2',
    config: defaultConfig(),
    S: 1,
    firstSeed: 1,
    curves,
    snapshot: null,
  };
  expect(await columnOf(ghost, 3)).toEqual({ steps: curves.steps, values: Float32Array.of(6, 7) });
  const said: string[] = [];
  onSay((sentence) => said.push(sentence));
  // a file that has changed is not the one that was kept
  await writeFile(path, 'gone');
  expect([await columnOf(ghost, 3), await columnOf(ghost, 4)]).toEqual([null, null]);
  expect(said).toEqual([expect.stringMatching(/^The gray curves of GRPO, update 2 cannot be read any more/)]);
});
