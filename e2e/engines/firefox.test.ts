import { describe, expect, test } from 'vitest';
import { findEngine, missing } from '../../scripts/engines.mjs';
import { COMPARED, KNOWN } from '../../src/check/device/shortRuns.ts';
import { behaves } from './behaves.ts';
import { startFirefox } from './firefox.ts';
import { check } from './lab.ts';
import { KERNELS } from './kernels.ts';
import { mediansOfWaits, shareOfWaits } from './waits.ts';

const why = missing('firefox', 'llvmpipe');

describe.skipIf(why !== null)(`Firefox${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const now = behaves(() => startFirefox(findEngine('firefox')!, findEngine('llvmpipe')!));

  test('ten experiments have the digests of Node on its CPU path, and their episodes on its WebGPU; kernels agree', async () => {
    const { engine, site } = now();
    const { findings, isWhole, name, parts, runs } = await check(engine, site, `paths,random,runs,${KERNELS.join()}`);
    expect([findings, isWhole]).toEqual([[], true]);
    expect(name).not.toBeNull();
    expect(Object.fromEntries(runs.map(({ preset, cpu }) => [preset, cpu]))).toEqual(KNOWN);
    expect(runs.length).toBe(COMPARED.length);
    // another digest has a near-tie in a draw to show
    for (const { cpu, gpu, note } of runs) expect(gpu === cpu || note !== null).toBe(true);
    expect(parts.find(({ id }) => id === 'kernels')!.done).toBeGreaterThan(50);
  });

  test('a wait for the device takes at most half of what it takes without pokes', async () => {
    const { plain, helped } = await mediansOfWaits(now().engine);
    expect(2 * helped).toBeLessThanOrEqual(plain);
  });

  test('a tiny run makes at least half of the updates a second that its kernels allow', async () => {
    const { ratio, pairs } = await shareOfWaits(now().engine);
    expect(ratio, JSON.stringify(pairs)).toBeLessThanOrEqual(2);
  });
});
