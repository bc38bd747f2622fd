import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spill } from '../engine/curveRows.ts';

const NO_ROOM = (why: string): string =>
  `The folder for temporary files has no room for the older curves of this run: ${why}. They stay in memory; training continues and nothing is lost.`;
const UNREAD =
  'A temporary file with older curves of this run can no longer be read: metrics.csv is empty there. Training continues.';

/** A temporary file for what a long run need not keep in memory. It is made when it is first needed and goes with the process. */
export function curveFile(tell: (sentence: string) => void, folder = tmpdir()): Spill {
  let file: number | null = null;
  let end = 0;
  let hasTold = false;
  const open = (): number => {
    const own = mkdtempSync(join(folder, 'horizon-lab-curves-'));
    const opened = openSync(join(own, 'curves'), 'wx+');
    const remove = (): void => rmSync(own, { recursive: true, force: true });
    process.once('exit', () => {
      closeSync(opened);
      remove();
    });
    // where an open file can lose its name, nothing is left behind however the process ends
    if (process.platform !== 'win32') remove();
    return opened;
  };
  return {
    write(values) {
      try {
        file ??= open();
        const place = end;
        const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, place + at);
        end += bytes.length;
        return place;
      } catch (error) {
        tell(NO_ROOM(error instanceof Error ? error.message : String(error)));
        return null;
      }
    },
    read(place, into) {
      try {
        const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
        if (readSync(file!, bytes, 0, bytes.length, place) === bytes.length) return true;
      } catch {
        // as below
      }
      if (!hasTold) tell(UNREAD);
      hasTold = true;
      return false;
    },
  };
}
