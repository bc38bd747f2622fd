import type { Report, Row } from './types.ts';

/** Three significant digits, without an exponent for the numbers that occur here. */
export function short(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  if (Math.abs(x) >= 1000) return Math.round(x).toLocaleString('en');
  return x === 0 ? '0' : String(Number(x.toPrecision(3)));
}

const spread = (low: number, high: number): string => `${short(low)}–${short(high)}`;

function cells(row: Row): string[] {
  const ours = Object.entries(row.timings).filter(([id]) => !(id in row.peers));
  const list = (entries: [string, { ms: number; low: number; high: number }][]): string =>
    entries.map(([id, t]) => `${id} ${short(t.ms)} (${spread(t.low, t.high)})`).join(', ');
  const n = Object.values(row.timings).map((t) => t.n);
  const numbers = Object.entries(row.numbers).map(([id, x]) => `${id} ${short(x)}`);
  return [
    row.name,
    row.shape,
    list(ours),
    list(Object.entries(row.timings).filter(([id]) => id in row.peers)) || '–',
    row.ratio === null ? '–' : `${short(row.ratio)}${row.ratio < 1 ? ` ${row.bestPeer} wins` : ''}`,
    n.length > 0 ? String(Math.min(...n)) : '–',
    [...numbers, row.note].filter(Boolean).join('; ') || '–',
  ];
}

const HEAD = ['what', 'shape', 'ours, ms', 'peers, ms', 'ratio', 'n', 'also'];

/** The rows as a Markdown table: medians with quartiles in brackets. */
export function markdownTable(rows: readonly Row[]): string {
  const all = [HEAD, ...rows.map(cells)].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = HEAD.map((_, c) => Math.max(3, ...all.map((row) => row[c]!.length)));
  const line = (row: readonly string[]): string => `| ${row.map((cell, c) => cell.padEnd(widths[c]!)).join(' | ')} |`;
  return [line(all[0]!), `| ${widths.map((w) => '-'.repeat(w)).join(' | ')} |`, ...all.slice(1).map(line)].join('\n');
}

/** Sentences that name every row in which a peer was faster. */
export function peerWins(rows: readonly Row[]): string[] {
  return rows
    .filter((row) => row.ratio !== null && row.ratio < 1)
    .map((row) => `${row.bestPeer} is ${short(1 / row.ratio!)} times as fast as ours in ${row.name}, ${row.shape}.`);
}

/** What `--json` writes. Times are milliseconds. */
export const jsonOf = ({ device, rows, failures, skipped }: Report): string =>
  `${JSON.stringify(
    { device, rows, ...(failures.length > 0 ? { failures } : {}), ...(skipped.length > 0 ? { skipped } : {}) },
    null,
    1,
  )}\n`;

/** The first thing that is wrong with a report read from JSON, as a sentence; null when it has the documented shape. */
export function wrongReport(report: unknown): string | null {
  const { device, rows } = (report ?? {}) as { device?: { adapter?: unknown }; rows?: unknown };
  if (typeof device?.adapter !== 'string') return 'The report names no device.';
  if (!Array.isArray(rows) || rows.length === 0) return 'The report has no rows.';
  for (const row of rows as Partial<Row>[]) {
    const at = `The row ${row.name} ${row.shape}`;
    if (typeof row.name !== 'string' || typeof row.shape !== 'string') return 'A row has no name or no shape.';
    if (!(typeof row.oursMs === 'number' && row.oursMs > 0)) return `${at} has no time of ours.`;
    const peers = Object.entries(row.peers ?? {});
    if (peers.some(([, ms]) => !(typeof ms === 'number' && ms > 0))) return `${at} has a peer without a time.`;
    if (peers.length === 0) {
      if (row.bestPeer !== null || row.ratio !== null) return `${at} has a ratio without a peer.`;
      continue;
    }
    const best = Math.min(...peers.map(([, ms]) => ms));
    if (row.peers?.[row.bestPeer ?? ''] !== best) return `${at} names the wrong best peer.`;
    if (Math.abs(row.ratio! - best / row.oursMs) > 1e-9 * row.ratio!) return `${at} has a wrong ratio.`;
  }
  return null;
}
