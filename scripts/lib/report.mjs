import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './process.mjs';

/** Where the sums of the last run stand, for .ci/run. */
const SUMMARY = join(ROOT, '.cache', 'test-summary.json');

/** One step with its counts and its time; one that breaks off has failed. */
async function timed(step) {
  console.log(`\n── ${step.name}`);
  const from = performance.now();
  const counts = await step.run().catch((error) => {
    console.log(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  return { name: step.name, ...counts, seconds: (performance.now() - from) / 1000 };
}

/**
 * Runs the steps one after the other, those of a list at once, all of them even when one fails, prints a table and the
 * sums. Resolves to the number of failures.
 */
export async function runSteps(steps) {
  const rows = [];
  const from = performance.now();
  for (const step of steps) rows.push(...(await Promise.all([step].flat().map(timed))));
  const seconds = (performance.now() - from) / 1000;
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const total = { name: 'all', passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  console.log(`\n${table([...rows, { ...total, seconds }])}\n`);
  writeSummary(total);
  // beside the sums, as whoever reads only the end of a long output wants to know
  for (const name of rows.flatMap(({ failures = [] }) => failures)) console.log(`failed: ${name}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed;
}

/** Leaves the sums where .ci/run reads them. */
export function writeSummary({ passed, failed, skipped }) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(SUMMARY, `${JSON.stringify({ passed, failed, skipped })}\n`);
}

function table(rows) {
  const cells = [
    ['runner', 'passed', 'failed', 'skipped', 'seconds'],
    ...rows.map((r) => [r.name, `${r.passed}`, `${r.failed}`, `${r.skipped}`, r.seconds.toFixed(1)]),
  ];
  const widths = cells[0].map((_, c) => Math.max(...cells.map((row) => row[c].length)));
  return cells
    .map((row) => row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join('  '))
    .join('\n');
}
