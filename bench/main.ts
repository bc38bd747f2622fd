import { writeFile } from 'node:fs/promises';
import { readBenchArgs } from './args.ts';
import { runInBrowser } from './browser.ts';
import { runInNode } from './node.ts';
import { jsonOf, markdownTable, peerWins } from './table.ts';
import type { Report } from './types.ts';

async function main(argv: readonly string[]): Promise<number> {
  const args = readBenchArgs(argv);
  if (typeof args === 'string') return fail(args);
  const from = performance.now();
  let report: Report;
  try {
    report = await (args.node ? runInNode(args) : runInBrowser(args));
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  const { device, rows } = report;
  console.log(`\n${device.adapter}, ${device.engine}, ${device.cores} cores\n`);
  console.log(markdownTable(rows));
  for (const sentence of peerWins(rows)) console.log(sentence);
  if (args.json !== null) await writeFile(args.json, jsonOf(report));
  console.log(`\n${rows.length} rows in ${Math.round((performance.now() - from) / 1000)} s`);
  return report.failures.length > 0 ? 1 : 0;
}

function fail(sentence: string): number {
  console.error(sentence);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
