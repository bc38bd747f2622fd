import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunCurves } from './record.ts';
import { broughtBack, setAside } from './setAside.ts';

/** Three updates with two metrics that some version of the lab had. */
const curves: RunCurves = {
  ...{ id: 'one', columns: ['success', 'gone'] },
  part: { from: 0, steps: Float64Array.of(10, 25, 30), values: Float32Array.of(0.5, NaN, 0.25, 1, 0.75, 2) },
};

test('curves that were set aside come back with the same bits', async () => {
  expect(await broughtBack(setAside(curves))).toEqual(curves);
  const none = { ...curves, part: { from: 0, steps: new Float64Array(0), values: new Float32Array(0) } };
  expect(await broughtBack(setAside(none))).toEqual(none);
});

test('curves whose file is gone do not come back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aside-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'curves');
  const aside = setAside(curves);
  await writeFile(path, new Uint8Array(await aside.file.arrayBuffer()));
  const file = await openAsBlob(path);
  expect(await broughtBack({ ...aside, file })).toEqual(curves);
  await writeFile(path, 'changed');
  expect(await broughtBack({ ...aside, file })).toBeNull();
});
