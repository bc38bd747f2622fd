import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { curveFile } from './curveFile.ts';

const part = (x: number): Float32Array => new Float32Array(1000).fill(x);

test('numbers come back from the temporary file, which has no name that could be left behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'curves-test-'));
  const told: string[] = [];
  const file = curveFile((sentence) => told.push(sentence), folder);
  const places = [1, 2, 3].map((x) => file.write(part(x)));
  const into = new Float32Array(1000);
  expect(places.map((place) => file.read(place!, into) && into[999])).toEqual([1, 2, 3]);
  if (process.platform !== 'win32') expect(readdirSync(folder)).toEqual([]);
  expect(told).toEqual([]);
  expect(file.read(12_000, into)).toBe(false);
  expect(told).toEqual([expect.stringMatching(/can no longer be read/)]);
});

test('a folder that is not there: the numbers stay where they are, and one sentence says so', () => {
  const told: string[] = [];
  const file = curveFile((sentence) => told.push(sentence), join(tmpdir(), 'no-such-folder-of-curves', 'x'));
  expect(file.write(part(1))).toBeNull();
  expect(told).toEqual([expect.stringMatching(/^The folder for temporary files has no room .*nothing is lost\.$/)]);
});
