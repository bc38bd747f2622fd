import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from './fixtures.ts';
import { linkWith } from './payload.ts';

const UPDATES = 6;

test('the CPU path computes the same bits in Chromium as in Node', async ({ lab }, info) => {
  const out = info.outputPath('node');
  const root = join(import.meta.dirname, '..');
  const options = ['--updates', `${UPDATES}`, '--seeds', '3', '--backend', 'cpu', '--out', out];
  await promisify(execFile)(process.execPath, ['scripts/lab.mjs', 'run', 'key-door', ...options], { cwd: root });
  const summary = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8')) as { digest: string };

  await lab.open(linkWith({ run: { updates: UPDATES, backend: 'cpu' } }));
  expect(await lab.finish()).toBe(summary.digest);
});
