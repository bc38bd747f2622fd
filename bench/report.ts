import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOf, markdownTable, peerWins, wrongReport } from './table.ts';
import type { Device, Report, Row } from './types.ts';

/** Writes report.json and report.md into a folder. */
export function writeReport(folder: string, report: Report, about = ''): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'report.json'), jsonOf(report));
  const { device, rows, failures } = report;
  const text = [
    `${device.adapter}${device.software ? ' (software)' : ''}, ${device.engine}, ${device.cores} cores. ${about}`.trim(),
    markdownTable(rows),
    ...peerWins(rows),
    ...failures.map((sentence) => `Failed: ${sentence}`),
  ];
  writeFileSync(join(folder, 'report.md'), `${text.join('\n\n')}\n`);
}

/** Keeps what was measured so far, so that a run that is cut short has lost only its last row; `deviceOf`: known by then. */
export const keeper =
  (folder: string | null, deviceOf: () => Device | null) =>
  (rows: readonly Row[]): void => {
    const device = deviceOf();
    if (folder !== null && device) writeReport(folder, { device, rows, failures: [], skipped: [] });
  };

/** Reports from elsewhere as one: rows of the later ones replace those of the same name and shape. Fails with a sentence. */
export function readReports(files: readonly string[]): Report {
  const rows = new Map<string, Row>();
  const failures: string[] = [];
  let device: Device | null = null;
  for (const file of files) {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const wrong = wrongReport(read);
    if (wrong !== null) throw new Error(`${file}: ${wrong}`);
    const report = read as Report;
    if (device !== null && device.adapter !== report.device.adapter)
      throw new Error(
        `${file} is of another device (${report.device.adapter}) than the files before it (${device.adapter}).`,
      );
    device ??= report.device;
    for (const row of report.rows) rows.set(`${row.name}\n${row.shape}`, row);
    failures.push(...(report.failures ?? []));
  }
  if (device === null) throw new Error('There is no report to write.');
  return { device, rows: [...rows.values()], failures, skipped: [] };
}
