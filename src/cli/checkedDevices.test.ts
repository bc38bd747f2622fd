import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepDifference, warningOf } from './checkedDevices.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'checked-'))));
afterAll(() => rm(folder, { recursive: true }));

test('a difference that a check has found is told to whoever trains on that device, until a check takes it back', async () => {
  const file = join(folder, 'kept', 'device-check.json');
  expect(await warningOf('a card', file)).toBeNull();
  await keepDifference('a card', 'gradNorm differs.', file);
  await keepDifference('another', 'random differs.', file);
  expect(await warningOf('a card', file)).toMatch(/found a difference on a card: gradNorm differs\./);
  expect(await warningOf('toString', file)).toBeNull();
  await keepDifference('a card', null, file);
  expect(await warningOf('a card', file)).toBeNull();
  expect(await warningOf('another', file)).toMatch(/random differs/);
});

test('what another version has found, or a file that is none, says nothing; a folder that is a file keeps nothing', async () => {
  const file = join(folder, 'old.json');
  await keepDifference('a card', 'gradNorm differs.', file);
  const kept = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...kept, version: '0.0.0' }));
  expect(await warningOf('a card', file)).toBeNull();
  await writeFile(file, '{"version":');
  expect(await warningOf('a card', file)).toBeNull();
  await keepDifference('a card', 'gradNorm differs.', join(file, 'in a file.json'));
  expect(await warningOf('a card', join(file, 'in a file.json'))).toBeNull();
});
