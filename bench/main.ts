import { writeFile } from 'node:fs/promises';
import { helped } from '../src/cli/args.ts';
import { CHILD, trainForParent } from '../src/cli/sweeps/trainer.ts';
import { readBenchArgs, USAGE, type Args } from './args.ts';
import { ROOT, runInBrowser } from './browser.ts';
import { runInNode } from './node.ts';
import { forecast } from './forecast.ts';
import { model } from './model/model.ts';
import { pack } from './pack.ts';
import { jsonOf, markdownTable, peerWins } from './table.ts';
import { readReports, writeReport } from './report.ts';
import { sweepRow } from './sweep.ts';
import { NO_WEBGPU, type Report } from './types.ts';
import { writeDocs } from './write.ts';

async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  if (argv[0] === 'pack' && argv.length === 2) {
    await pack(argv[1]!);
    console.log(`${argv[1]} holds the benchmarks; start them there with run.sh (see its README.md).`);
    return 0;
  }
  if (argv[0] === 'write' && argv.length > 1) {
    try {
      await writeDocs(ROOT, readReports(argv.slice(1)), '', today(), false);
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
    return 0;
  }
  const other = { model, forecast }[argv[0]!];
  if (other) {
    try {
      await other(ROOT, argv.slice(1));
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
    return 0;
  }
  const args = readBenchArgs(argv);
  if (typeof args === 'string') return fail(args);
  const from = performance.now();
  let report: Report;
  let about = '';
  try {
    const measured = await measuredBy(args);
    // not before: with it come the peers, and tfjs looks for WebGPU where and when it is loaded
    const { withPython } = await import('./python.ts');
    const python = await withPython(measured.rows, args.quick);
    report = { ...measured, rows: python.rows };
    about = python.about;
    if (args.write) await writeDocs(ROOT, report, about, today());
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  const { device, rows } = report;
  console.log(`\n${device.adapter}, ${device.engine}, ${device.cores} cores\n`);
  console.log(markdownTable(rows));
  for (const sentence of peerWins(rows)) console.log(sentence);
  if (report.skipped.length > 0) console.log(`A quick look had no time for: ${report.skipped.join('; ')}.`);
  if (about) console.log(about);
  if (args.json !== null) await writeFile(args.json, jsonOf(report));
  if (args.report !== null) writeReport(args.report, report, about);
  const nothing = rows.length === 0 && report.failures.length === 0;
  if (nothing) console.error(`Nothing was measured: ${whyNothing(args, device.adapter)}`);
  console.log(`\n${rows.length} rows in ${Math.round((performance.now() - from) / 1000)} s`);
  return nothing || report.failures.length > 0 ? 1 : 0;
}

/** In a browser or in Node; a sweep is always one of the command line. */
async function measuredBy(args: Args): Promise<Report> {
  const report = await (args.command === 'sweep'
    ? runInNode({ ...args, backend: 'cpu' })
    : args.node
      ? runInNode(args)
      : runInBrowser(args));
  const isAsked = args.command === 'sweep' || (args.command === 'all' && !args.quick);
  if (!isAsked || args.backend === 'webgpu' || (args.only !== null && !'sweep cpu'.includes(args.only))) return report;
  const row = await sweepRow();
  return typeof row === 'string'
    ? { ...report, failures: [...report.failures, row] }
    : { ...report, rows: [...report.rows, row] };
}

function whyNothing({ only, backend, command, node }: Args, adapter: string): string {
  if (adapter === NO_WEBGPU && (backend === 'webgpu' || command === 'ceilings'))
    return node
      ? 'no WebGPU device was found. Dawn needs a graphics driver and, on Linux, its Vulkan loader (libvulkan.so.1).'
      : 'the browser has no WebGPU device; CHROMIUM_PATH and BENCH_SWITCHES choose another browser and its switches.';
  return only === null ? 'there was no time for a row.' : `no row has “${only}” in its name or shape.`;
}

const today = (): string => new Date().toISOString().slice(0, 10);

function fail(sentence: string): number {
  console.error(sentence);
  return 1;
}

const words = process.argv.slice(2);
// a sweep starts this program again for each of its cores
if (words[0] === CHILD) trainForParent();
else process.exitCode = await main(words);
