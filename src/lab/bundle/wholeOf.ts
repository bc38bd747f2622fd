import type { BundleFile } from './archive.ts';

/** All of what comes piece by piece: for tests, and for what is small. */
export async function wholeOf(pieces: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(pieces).arrayBuffer());
}

/** A file of a bundle as it is when all of it has been made. */
export async function madeWhole({
  name,
  data,
}: BundleFile): Promise<{ name: string; data: string | Uint8Array<ArrayBuffer> }> {
  if (typeof data !== 'function') return { name, data };
  const texts: string[] = [];
  for await (const piece of data()) texts.push(typeof piece === 'string' ? piece : new TextDecoder().decode(piece));
  return { name, data: texts.join('') };
}
