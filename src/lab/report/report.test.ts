import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { createRun } from '../../engine/run.ts';
import { CURVES, metrics } from '../../slots/metrics/metrics.ts';
import { packSweep, type GroupToPack } from '../bundle/sweepBundle.ts';
import { metricsParquet } from '../bundle/parquet.ts';
import { readBundle } from '../bundle/readBundle.ts';
import type { RunToPack } from '../bundle/runBundle.ts';
import { limitsOf } from '../bundle/names.ts';
import { wholeOf } from '../bundle/wholeOf.ts';
import { readZip } from '../bundle/zip.ts';
import { inParts, Overview, type CurvesInParts } from '../runs/inParts.ts';
import type { Curves } from '../runs/summary.ts';
import { reportOfRun } from './makeReport.ts';
import { filesOfReport, reportHtml, reportMarkdown, type Report } from './report.ts';

const AT = Date.UTC(2026, 0, 2);

async function trained(method: string, seed: number): Promise<RunToPack & { readonly all: Curves }> {
  const config = configWith({
    ...{ 'run.updates': 4, 'run.seeds': 1, 'run.seed': seed, 'analysis.evalEvery': 1, 'policy.method': 'tabular' },
    'advantage.method': method,
  });
  const made = await createRun(config);
  if (!made.ok) throw new Error('the run could not be made');
  while (made.value.update < 4) await made.value.submit();
  const all = { S: 1, part: made.value.series.part(0, 4) };
  return {
    ...{
      config,
      title: '',
      note: '',
      backend: 'cpu',
      adapter: 'CPU path',
      lab: '0.1.0',
      commit: null,
      seconds: 1,
      at: AT,
    },
    ...{ site: 'https://example.org/', doi: null, state: null, batches: [] },
    ...{ all, curves: inParts(all) },
    digests: { all: (await made.value.digest()).all, perSeed: null },
  };
}

const groups = async (): Promise<GroupToPack[]> => [
  { name: 'GRPO', runs: [await trained('grpo', 1), await trained('grpo', 2)] },
  { name: 'GiGPO <script>', runs: [await trained('gigpo', 1), await trained('gigpo', 2)] },
];

const HOSTILE: Report = {
  title: '</title><script>alert(1)</script>',
  question: '<img src=x onerror=alert(1)> [a](javascript:alert(1))\n# no heading',
  difference: ['<b>'],
  figures: [],
  table: { columns: ['group'], rows: [['a | b <i>']] },
  notes: ['"quoted" & more'],
  csv: 'a\n',
  experiments: [
    { label: '<u>', name: 'abcdefghij', result: null, link: 'javascript:alert(1)' },
    { label: 'x', name: 'abcdefghij', result: null, link: 'https://example.org/#/lab?x=1"onclick="alert(1)' },
  ],
  environment: [['device', '<svg onload=alert(1)>']],
  bibtex: '</pre><script>````',
};

test('texts of strangers are texts in a report, and it asks for nothing from anywhere', () => {
  const html = reportHtml(HOSTILE);
  expect(html).not.toMatch(/<script|<img|<b>|<i>|<u>|<svg|onclick="|href="javascript/);
  expect(html.match(/<\/title>/g)).toHaveLength(1);
  expect(html).not.toMatch(/\s(src|href)="(?!https:\/\/example)|@import|url\(/);
  expect(html).toContain("default-src 'none'");
  const text = reportMarkdown(HOSTILE);
  // inside the fence of the code nothing has a meaning, and nothing can close it
  expect(text.split('````bibtex')[0]).not.toMatch(/<script|<img|^# no heading/m);
  expect(text).toContain('\\[a\\](javascript');
  expect(text).toContain('a \\| b &lt;i\\>');
  expect(text.match(/````/g)).toHaveLength(2);
});

test('the report of a run has its seeds, figures, link and digest, in all forms', async () => {
  const run = await trained('grpo', 3);
  const report = await reportOfRun({ ...run, title: 'My run' }, 'Does it learn?');
  const html = reportHtml(report);
  for (const wanted of [
    'My run',
    'Does it learn?',
    run.digests.all,
    'https://example.org/#/lab?x=',
    '<svg',
    'CPU path',
  ])
    expect(html).toContain(wanted);
  expect(report.table.rows).toHaveLength(1);
  expect(filesOfReport(report).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['report.html', 'report.md', 'report.csv', 'figures/success.svg']),
  );
});

test('a sweep bundle comes back with all runs, and its report compares the groups', async () => {
  const given = await groups();
  const { name, archive } = await packSweep({
    ...{ title: 'Credit', question: 'Which is better?', threshold: 0.8, groups: given, site: null, at: AT },
  });
  const bytes = await wholeOf(archive);
  expect(name).toMatch(/^credit-[a-z2-7]{10}\.labsweep\.zip$/);
  const read = await readBundle(bytes);
  if (read.kind !== 'sweep') throw new Error(read.kind === 'refused' ? read.why : read.kind);
  expect(read.sweep.groups.map((group) => group.name)).toEqual(['GRPO', 'GiGPO <script>']);
  expect(read.runs.map(({ manifest }) => manifest.digests.exact)).toEqual(
    given.flatMap(({ runs }) => runs.map(({ digests }) => digests.all)),
  );
  const files = await readZip(bytes, limitsOf);
  if (typeof files === 'string') throw new Error(files);
  const text = (file: string): string => new TextDecoder().decode(files.get(file));
  expect(text('report.html')).toContain('GiGPO &lt;script&gt;');
  expect(text('report.html')).not.toContain('<script');
  expect(text('cells.csv').trim().split('\n')).toHaveLength(5);
  expect(text('comparison.csv')).toMatch(/^group,n/);
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['figures/curves.svg', 'figures/improvement.svg', 'README.txt']),
  );
});

async function parquetOf(curves: CurvesInParts, seed: number): Promise<Uint8Array<ArrayBuffer>> {
  const data = metricsParquet(curves, await Overview.of(curves), [seed]);
  const pieces: Uint8Array[] = [];
  for await (const piece of data()) pieces.push(piece as Uint8Array);
  return new Uint8Array(Buffer.concat(pieces));
}

test('metrics as Parquet come back with every number of every update, and nothing where nothing was measured', async () => {
  const { curves, all } = await trained('grpo', 7);
  const rows = await parquetReadObjects({ file: (await parquetOf(curves, 7)).buffer });
  const { values, steps } = all.part;
  expect(rows).toHaveLength(steps.length);
  for (const [u, row] of rows.entries()) {
    expect(row).toMatchObject({ update: u + 1, seed: 7n, envSteps: steps[u] });
    for (const [m, { id }] of metrics.entries()) {
      const x = values[u * CURVES + m]!;
      if (Number.isNaN(x)) expect(row[id] ?? null, `${id} of update ${u + 1}`).toBeNull();
      else expect(row[id], `${id} of update ${u + 1}`).toBe(x);
    }
  }
});

test('metrics as Parquet begin and end as Parquet does, and name their columns', async () => {
  const { curves } = await trained('grpo', 1);
  const bytes = await parquetOf(curves, 1);
  const text = new TextDecoder('latin1').decode(bytes);
  expect([text.slice(0, 4), text.slice(-4)]).toEqual(['PAR1', 'PAR1']);
  for (const column of ['update', 'seed', 'envSteps', 'success', 'entropy']) expect(text).toContain(column);
});
