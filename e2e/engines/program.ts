import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that a test started, with a folder of its own; `end` leaves nothing of either. */
export type Program = { readonly home: string; readonly said: () => string; readonly end: () => Promise<void> };

/**
 * Starts a program in a process group and an empty home of its own, and resolves once it has said what `ready` looks for (null:
 * it says nothing). `words` are made with that home.
 */
export async function startProgram(
  file: string,
  words: (home: string) => readonly string[],
  ready: RegExp | null,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const home = mkdtempSync(join(tmpdir(), 'horizon-engine-'));
  const own = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, ...env };
  const child = spawn(file, words(home), { env: own, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let said = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = async (): Promise<void> => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // the group has already ended
    }
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          if (ready?.test(said)) resolve();
        });
      if (ready === null) child.once('spawn', () => resolve());
      child.once('error', reject);
      child.once('close', (code) => reject(new Error(`${file} ended with exit code ${code}: ${said.slice(-500)}`)));
    });
  } catch (error) {
    if (child.pid !== undefined) await end();
    throw error;
  }
  return { home, said: () => said, end };
}
