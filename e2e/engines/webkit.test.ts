import { describe, expect, test } from 'vitest';
import { findEngine, missing } from '../../scripts/engines.mjs';
import { COMPARED, KNOWN } from '../../src/check/device/shortRuns.ts';
import { behaves } from './behaves.ts';
import { check } from './lab.ts';
import { startWebKit } from './webkit.ts';

const why = missing('webkit', 'xvfb');

describe.skipIf(why !== null)(`WebKit${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const now = behaves(() => startWebKit(findEngine('webkit')!, findEngine('xvfb')!), false);

  test('ten experiments of all three families have the digests of Node', async () => {
    const { engine, site } = now();
    const { findings, isWhole, runs } = await check(engine, site, 'paths,runs');
    expect([findings, isWhole]).toEqual([[], true]);
    expect(Object.fromEntries(runs.map(({ preset, cpu }) => [preset, cpu]))).toEqual(KNOWN);
    expect(runs.length).toBe(COMPARED.length);
  });
});
