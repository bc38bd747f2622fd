import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { decodeLink, payloadOf } from '../../config/link.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { CURVES, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { limitsOf } from '../bundle/names.ts';
import { readBundle } from '../bundle/readBundle.ts';
import { packRun, type RunToPack } from '../bundle/runBundle.ts';
import { wholeOf } from '../bundle/wholeOf.ts';
import { readZip } from '../bundle/zip.ts';
import { bibtexOf } from '../cite/cite.ts';
import { reportOfRun } from '../report/makeReport.ts';
import { filed, inBoth, type KnownCurves } from './filed.ts';
import { claimOf, compared, foreignIn, foreignWords, reachedBy } from './foreign.ts';
import { inParts } from './inParts.ts';
import { expectOf, type Curves, type Result } from './summary.ts';
import { verifyClaim } from './trainAgain.ts';

const config = configWith({ 'rollout.method': 'swarm', 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 3 });

/** Curves of two seeds in which so many episodes of others trained, update after update. */
function curvesOf(rows: readonly (readonly [number, number])[]): Curves {
  const values = new Float32Array(rows.length * 2 * CURVES).fill(0);
  const put = (u: number, s: number, id: MetricId, x: number): void => {
    values[(u * 2 + s) * CURVES + metricIndex[id]] = x;
  };
  rows.forEach((of, u) => of.forEach((x, s) => put(u, s, 'peerRows', x)));
  return { S: 2, part: { from: 0, values, steps: Float64Array.from(rows, (_, u) => u + 1) } };
}
const alone = curvesOf([
  [0, NaN],
  [0, 0],
  [NaN, 0],
]);
const taught = curvesOf([
  [0, 0],
  [4, 0],
  [0, 8],
]);
const resultOf = (curves: Curves): Result => ({ config, curves, digest: 'ab'.repeat(32), backend: 'cpu' });
const reached = (curves: Curves) => reachedBy(resultOf(curves));
const asFiles = (curves: Curves): KnownCurves => ({ foreign: foreignIn(curves), parts: [filed(curves)] });
const known = (curves: Curves, found: Curves) => ({ foreign: foreignIn(curves), both: inBoth(curves, found) });
const packed = (curves: Curves): RunToPack => ({
  ...{
    config,
    title: '',
    note: '',
    curves: inParts(curves),
    digests: { all: 'ab'.repeat(32), perSeed: null },
    backend: 'cpu',
  },
  ...{
    adapter: 'CPU',
    lab: '0.1.0',
    commit: null,
    seconds: null,
    at: Date.UTC(2026, 1, 1),
    site: 'https://example.org/',
  },
  ...{ doi: null, state: null, batches: [] },
});

test('episodes of others are counted over updates and seeds, and where there are none nothing is said', () => {
  expect([foreignIn(alone), foreignIn(taught)]).toEqual([0, 12]);
  expect(foreignWords(0)).toBe('');
  expect(foreignWords(1)).toBe('1 episode came from other tabs: this link repeats the settings, not the numbers.');
});

test('a link carries a result to be verified only if the experiment alone leads to it', () => {
  expect(claimOf(reached(alone))).toEqual(expectOf(resultOf(alone)));
  expect(claimOf(reached(taught))).toBeNull();
});

test('neither equal nor different is said of a result that others had a part in, there or here', async () => {
  const claim = expectOf(resultOf(alone));
  expect(await compared(claim, known(alone, alone), reached(alone))).toMatchObject({ kind: 'identical' });
  expect(await compared(claim, known(taught, alone), reached(alone))).toMatch(
    /^12 episodes came from other tabs.*not verified\.$/,
  );
  expect(await compared(claim, known(taught, taught), reached(taught))).toMatch(/not verified/);
  expect(await compared(claim, null, reached(taught))).toMatch(/^12 episodes .* while it was trained again/);
  const verdict = await verifyClaim({ name: '', config, expect: claim, curves: asFiles(taught) }, () => {
    throw new Error('nothing is trained');
  });
  expect(verdict).toMatch(/not verified/);
  expect(await verifyClaim({ name: '', config, expect: claim, curves: asFiles(alone) }, makeCpuBackend)).toHaveProperty(
    'kind',
  );
});

test.each([
  ['alone', alone, false],
  ['with others', taught, true],
] as const)('bundle, its link, citation and report of a run %s say so', async (_, curves, isTaught) => {
  const bytes = await wholeOf((await packRun(packed(curves))).archive);
  const files = await readZip(bytes, limitsOf);
  if (typeof files === 'string') throw new Error(files);
  const textOf = (name: string): string => new TextDecoder().decode(files.get(name));
  const readme = textOf('README.txt');
  expect(readme.includes('12 episodes came from other tabs')).toBe(isTaught);
  expect(readme.includes('press Verify')).toBe(!isTaught);
  const link = /https:\/\/example\.org\/\S+/.exec(readme)![0];
  const shared = decodeLink(payloadOf(link));
  expect(shared.ok && shared.value.expect !== undefined).toBe(!isTaught);
  expect('episodesOfOtherTabs' in (JSON.parse(textOf('summary.json')) as object)).toBe(isTaught);
  expect(textOf('CITATION.cff').includes('abstract: "12 episodes came from other tabs: its link')).toBe(isTaught);
  const read = await readBundle(bytes);
  expect(read.kind).toBe('run');
  const report = await reportOfRun(packed(curves));
  expect(report.notes.join(' ').includes('not the numbers')).toBe(isTaught);
  expect(report.bibtex.includes('not the numbers')).toBe(isTaught);
});

test('a citation without a caution is what it was', () => {
  const cited = { config, title: 't', name: 'abcdefghij', link: null, result: null, version: '0.1.0', at: 0 };
  expect(bibtexOf({ ...cited, caution: '' })).toBe(bibtexOf(cited));
});
