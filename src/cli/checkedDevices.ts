import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problemLine } from '../config/problems.ts';
import { differenceIn, withDifference } from '../core/keptDifferences.ts';

/** Where `lab check` keeps what it has found, beside what the command line is built into. */
const KEPT = join('.cache', 'device-check.json');

async function readKept(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // none, or one that was cut short: nothing is known of earlier checks
    return null;
  }
}

/** Keeps what a check has found on this adapter; null: nothing differs. A folder that cannot be written to keeps nothing. */
export async function keepDifference(adapter: string, sentence: string | null, file = KEPT): Promise<void> {
  const kept = withDifference(await readKept(file), adapter, sentence);
  await mkdir(dirname(file), { recursive: true })
    .then(() => writeFile(file, JSON.stringify(kept)))
    .catch(() => undefined);
}

/** The warning for whoever trains on this adapter; null where no check has found anything. */
export async function warningOf(adapter: string, file = KEPT): Promise<string | null> {
  const found = differenceIn(await readKept(file), adapter);
  return found === null ? null : problemLine({ kind: 'deviceDiffers', name: adapter, found, isAsked: true });
}
