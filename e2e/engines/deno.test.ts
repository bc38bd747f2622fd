import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { findEngine, missing } from '../../scripts/engines.mjs';
import { bundleCli } from '../../scripts/lib/cli.mjs';
import type { CheckReport } from '../../src/check/device/report.ts';
import { COMPARED, KNOWN } from '../../src/check/device/shortRuns.ts';

const why = missing('deno', 'llvmpipe');

describe.skipIf(why !== null)(`Deno${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'horizon-deno-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('all kernels and ten experiments on wgpu over llvmpipe: the CPU path has the digests of Node, the device its episodes', async () => {
    const bundle = await bundleCli('lab', join(folder, 'cli'));
    const out = join(folder, 'report.json');
    const words = ['check', '--backend', 'webgpu', '--only', 'paths,random,kernels,runs', '--out', out];
    const env = { ...process.env, HOME: folder, DENO_DIR: folder, VK_ICD_FILENAMES: findEngine('llvmpipe')! };
    const run = ['run', '--allow-all', '--no-config', '--node-modules-dir=manual', bundle, ...words];
    const { stdout } = await promisify(execFile)(findEngine('deno')!, run, { env }).catch((error: Error) => {
      throw new Error(`${error.message}\n${(error as unknown as { stdout: string }).stdout}`);
    });
    expect(stdout).toContain('llvmpipe');
    const { findings, isWhole, parts, runs } = JSON.parse(readFileSync(out, 'utf8')) as CheckReport;
    expect([findings, isWhole]).toEqual([[], true]);
    expect(Object.fromEntries(runs.map(({ preset, cpu }) => [preset, cpu]))).toEqual(KNOWN);
    expect(runs.length).toBe(COMPARED.length);
    for (const { cpu, gpu, note } of runs) expect(gpu === cpu || note !== null).toBe(true);
    expect(parts.find(({ id }) => id === 'kernels')!.done).toBeGreaterThan(1000);
  });
});
