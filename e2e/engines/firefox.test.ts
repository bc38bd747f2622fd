import { describe, expect, test, type TestContext } from 'vitest';
import { findEngine, missing } from '../../scripts/engines.mjs';
import type { CheckReport } from '../../src/check/device/report.ts';
import { COMPARED, KNOWN } from '../../src/check/device/shortRuns.ts';
import { behaves } from './behaves.ts';
import { startFirefox } from './firefox.ts';
import { check, openPage } from './lab.ts';
import { KERNELS } from './kernels.ts';
import { mediansOfWaits, shareOfWaits } from './waits.ts';

const why = missing('firefox', 'llvmpipe');

describe.skipIf(why !== null)(`Firefox${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const now = behaves(() => startFirefox(findEngine('firefox')!, findEngine('llvmpipe')!), true);

  let report: Promise<CheckReport> | null = null;
  /** Checked once, for what the CPU path and the device have to show. */
  const checked = (): Promise<CheckReport> =>
    (report ??= check(now().engine, now().site, `paths,random,runs,${KERNELS.join()}`));

  test('ten experiments have the digests of Node on its CPU path', async () => {
    const { findings, isWhole, runs } = await checked();
    expect([findings, isWhole]).toEqual([[], true]);
    expect(Object.fromEntries(runs.map(({ preset, cpu }) => [preset, cpu]))).toEqual(KNOWN);
    expect(runs.length).toBe(COMPARED.length);
  });

  /** Skips what needs WebGPU where this build has none at all, as Debian's had before 153; else nothing excuses a lack of it. */
  async function needsWebGpu({ skip }: TestContext): Promise<void> {
    const { engine, site } = now();
    await openPage(engine, site);
    const said = await engine.evaluate(() =>
      navigator.gpu.requestAdapter().then(
        () => '',
        (error: Error) => error.message,
      ),
    );
    skip(said.includes('not yet available in Release'), `This Firefox was built without WebGPU: ${said}`);
  }

  test('ten experiments have the episodes of the CPU path on its WebGPU; kernels agree', async (context) => {
    await needsWebGpu(context);
    const { name, parts, runs } = await checked();
    expect(name).not.toBeNull();
    // another digest has a near-tie in a draw to show
    for (const { cpu, gpu, note } of runs) expect(gpu === cpu || note !== null).toBe(true);
    expect(parts.find(({ id }) => id === 'kernels')!.done).toBeGreaterThan(50);
  });

  test('a wait for the device takes at most half of what it takes without pokes', async (context) => {
    await needsWebGpu(context);
    const { plain, helped } = await mediansOfWaits(now().engine);
    expect(2 * helped).toBeLessThanOrEqual(plain);
  });

  test('a tiny run makes at least half of the updates a second that its kernels allow', async (context) => {
    await needsWebGpu(context);
    const most = 2;
    const { ratio, pairs } = await shareOfWaits(now().engine, most);
    expect(ratio, JSON.stringify(pairs)).toBeLessThanOrEqual(most);
  });
});
