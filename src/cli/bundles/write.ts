import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Sha256 } from '../../core/plainSha256.ts';

const MIB = 2 ** 20;

/** SHA-256 of what is in a file, read piece by piece. */
async function digestOf(file: FileHandle): Promise<Uint8Array> {
  const [running, buffer] = [new Sha256(), new Uint8Array(MIB)];
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, MIB, at);
    if (bytesRead === 0) return running.end();
    running.take(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/**
 * Writes a file whole or not at all, as its pieces come, and reads it back. Null, or the sentence of why it could not be
 * written.
 */
export async function writeFileWhole(path: string, pieces: ReadableStream<Uint8Array>): Promise<string | null> {
  const to = resolve(path);
  const from = join(dirname(to), `.lab-${process.pid}-bundle.tmp`);
  try {
    await mkdir(dirname(to), { recursive: true });
    const file = await open(from, 'w+');
    try {
      const running = new Sha256();
      for await (const bytes of pieces) {
        running.take(bytes);
        await file.writeFile(bytes);
      }
      await file.sync();
      if (Buffer.compare(await digestOf(file), running.end()) !== 0)
        throw new Error('what was written is not what is there; is the disk full?');
    } finally {
      await file.close();
    }
    await rename(from, to);
    return null;
  } catch (error) {
    await rm(from, { force: true }).catch(() => undefined); // the first error counts
    return `“${path}” could not be written: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
