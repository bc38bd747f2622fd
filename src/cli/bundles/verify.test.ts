import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeLink } from '../../config/link.ts';
import { configWith } from '../../config/schema.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { createRun } from '../../engine/run.ts';
import { packRun } from '../../lab/bundle/runBundle.ts';
import { inParts } from '../../lab/runs/inParts.ts';
import { expectOf } from '../../lab/runs/summary.ts';
import { verifyClaim } from '../../lab/runs/trainAgain.ts';
import { claimsOf } from './verify.ts';

async function trained() {
  const config = configWith({ 'run.updates': 5, 'run.seeds': 2, 'policy.method': 'tabular' });
  const made = await createRun(config);
  if (!made.ok) throw new Error('the run could not be made');
  const run = made.value;
  while (run.update < 5) await run.submit();
  const { all, perSeed } = await run.digest();
  const curves = { S: 2, part: run.series.part(0, 5) };
  return { config, curves, all, perSeed, state: (await run.checkpoint()).state };
}

test('a link with its result is identical, one with another result is different, one without any cannot be checked', async () => {
  const { config, curves, all } = await trained();
  const right = expectOf({ config, curves, digest: all, backend: 'cpu' });
  const [claim] = (await claimsOf(encodeLink({ config, expect: right }))) as Exclude<
    Awaited<ReturnType<typeof claimsOf>>,
    string
  >;
  expect(await verifyClaim(claim!, makeCpuBackend)).toMatchObject({ kind: 'identical' });
  const successes = right.summary.successes.map((n, k) => (k === 4 ? n + 60 : n));
  const wrong = { ...right, exact: 'A'.repeat(16), summary: { ...right.summary, successes } };
  const verdict = await verifyClaim({ ...claim!, expect: wrong }, makeCpuBackend);
  expect(verdict).toMatchObject({ kind: 'different', first: { update: 5 } });
  expect(await claimsOf(encodeLink({ config }))).toBe('This link carries no result to compare with.');
  expect(await claimsOf('nonsense')).toMatch(/not a link/i);
});

test('a bundle on disk is identical; where its numbers were changed the first update that differs is exact', async () => {
  const { config, curves, all, perSeed, state } = await trained();
  const run = {
    ...{
      config,
      curves: inParts(curves),
      title: 'Mine',
      note: '',
      backend: 'cpu' as const,
      adapter: 'CPU path',
      lab: '0.1.0',
    },
    ...{ commit: null, seconds: null, at: Date.UTC(2026, 0, 2), site: null, doi: null, state, batches: [] },
    digests: { all, perSeed },
  };
  const folder = await mkdtemp(join(tmpdir(), 'horizon-lab-'));
  const path = join(folder, 'x.labrun.zip');
  await writeFile(path, (await packRun(run)).archive);
  const claims = await claimsOf(path);
  if (typeof claims === 'string') throw new Error(claims);
  expect(claims[0]!.name).toBe('Mine');
  expect(await verifyClaim(claims[0]!, makeCpuBackend)).toMatchObject({ kind: 'identical', first: null });
  // update 3, seed 1: a number that no checkpoint of a link would show
  const part = { ...curves.part, values: curves.part.values.slice() };
  const width = part.values.length / (5 * 2);
  const at = (2 * 2 + 0) * width;
  const k = Array.from({ length: width }, (_, m) => m).find((m) => Number.isFinite(part.values[at + m]!) && m > 2)!;
  part.values[at + k]! += 0.25;
  await writeFile(path, (await packRun({ ...run, curves: inParts({ S: 2, part }) })).archive);
  const changed = await claimsOf(path);
  if (typeof changed === 'string') throw new Error(changed);
  const verdict = await verifyClaim(changed[0]!, makeCpuBackend);
  expect(verdict).toMatchObject({ kind: 'different', first: { update: 3 } });
  await writeFile(path, 'no bundle');
  expect(await claimsOf(path)).toMatch(/not a zip archive/);
  expect(await claimsOf(join(folder, 'none.zip'))).toMatch(/could not be read/);
});
