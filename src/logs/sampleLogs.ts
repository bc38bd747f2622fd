import { zipSync } from 'fflate';
import { readLog, type ReadLog } from './read.ts';
import type { LogFile, ReadOptions, Refused } from './types.ts';
import { fileOf } from './unzip.ts';

/** A file of a log for a test; `piece`: bytes that come at once. */
export function textFile(name: string, text: string, piece = 1 << 20): LogFile {
  const bytes = new TextEncoder().encode(text);
  return {
    ...fileOf(name, bytes),
    async *bytes() {
      for (let from = 0; from < bytes.length; from += piece) yield bytes.subarray(from, from + piece);
    },
  };
}

/** An archive of files. */
export const zipFile = (files: Readonly<Record<string, string>>): LogFile =>
  fileOf(
    'log.zip',
    zipSync(Object.fromEntries(Object.entries(files).map(([n, t]) => [n, new TextEncoder().encode(t)]))),
  );

/** Reads texts as files. */
export const read = (texts: Readonly<Record<string, string>>, options?: ReadOptions): Promise<ReadLog | Refused> =>
  readLog(
    Object.entries(texts).map(([name, text]) => textFile(name, text)),
    options,
  );

/** The same, of which a test knows that it can be read. */
export async function mustRead(texts: Readonly<Record<string, string>>, options?: ReadOptions): Promise<ReadLog> {
  const found = await read(texts, options);
  if (!found.ok) throw new Error(found.sentence);
  return found;
}

export const lines = (...records: readonly unknown[]): string => records.map((r) => JSON.stringify(r)).join('\n');

/** One row of a step. */
export type SampleRow = Readonly<Record<string, string | number | boolean | null>>;

/** Two episodes of one task: both begin in the hall; one takes the key and wins. */
export const ROWS: readonly SampleRow[] = [
  { task_id: 'door', episode_id: 'a', step: 0, observation: 'hall', action: 'take key', reward: 0 },
  { task_id: 'door', episode_id: 'a', step: 1, observation: 'hall with key', action: 'open door', reward: 1 },
  { task_id: 'door', episode_id: 'b', step: 0, observation: 'hall', action: 'open door', reward: 0 },
  { task_id: 'door', episode_id: 'b', step: 1, observation: 'hall', action: 'wait', reward: 0 },
];
