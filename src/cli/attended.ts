import { basename, dirname, resolve } from 'node:path';
import { writeWhole } from './files.ts';
import { exitCodeOf, Interrupted, listenForSignals } from './interrupt.ts';

/** Long work that keeps what it has as it goes: a signal and a failure end it in one sentence. Resolves with the exit code. */
export async function attended(work: () => Promise<void>): Promise<number> {
  listenForSignals();
  try {
    await work();
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return error instanceof Interrupted ? exitCodeOf(error.signal) : 1;
  }
}

/** Writes a file whole or not at all; throws the sentence of why it could not be written. */
export async function keep(path: string, text: string): Promise<void> {
  const problem = await writeWhole(dirname(resolve(path)), [{ name: basename(path), text }]);
  if (problem !== null) throw new Error(problem);
}
