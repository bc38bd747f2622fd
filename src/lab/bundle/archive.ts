import { makeZip } from 'client-zip';
import { Sha256 } from '../../core/plainSha256.ts';
import { sha256 as sha256OfBytes } from '../../core/sha256.ts';
import { hex } from '../../engine/digest.ts';
import { HELP } from './curveLimit.ts';
import { RUN_LIMITS } from './names.ts';

type Bytes = Uint8Array<ArrayBuffer>;
/** What gives the content of a file piece by piece, the same one as often as it is asked. */
export type Pieces = () => AsyncIterable<string | Bytes>;
export type BundleFile = { readonly name: string; readonly data: string | Bytes | Pieces };

const MIB = 2 ** 20;

/** The content of a file in pieces of at most about a MiB, none of them empty. */
async function* bytesOf(data: BundleFile['data']): AsyncGenerator<Bytes> {
  const all = typeof data === 'function' ? data() : [data];
  for await (const piece of all) {
    const bytes = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    for (let at = 0; at < bytes.length; at += MIB) yield bytes.subarray(at, at + MIB);
  }
}

/**
 * A zip archive of the files, stored as they are, as it comes into being: of a file that is made in pieces no more than a few
 * are there at once. Equal files with equal times give equal bytes.
 */
export function archiveOf(
  files: Iterable<BundleFile> | AsyncIterable<BundleFile>,
  at: Date,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  async function* entries(): AsyncGenerator<{ name: string; input: AsyncIterable<Bytes>; lastModified: Date }> {
    for await (const { name, data } of files) yield { name, input: bytesOf(data), lastModified: at };
  }
  return makeZip(entries()) as ReadableStream<Bytes>;
}

/** SHA-256 of a file in hex. */
export async function sha256(data: BundleFile['data']): Promise<string> {
  // the browser's own is quicker, but takes only a whole
  if (typeof data !== 'function')
    return hex(await sha256OfBytes(typeof data === 'string' ? new TextEncoder().encode(data) : data));
  const running = new Sha256();
  for await (const bytes of bytesOf(data)) running.take(bytes);
  return hex(running.end());
}

/** A table of up to so many characters is kept from its first reading to the second. */
const SMALL = MIB;

/**
 * The content of a table as a file of a bundle, and its SHA-256: it is made once now, and where it is long once more when it
 * is written, with an error if that is another. No more of it is made than a bundle takes.
 */
export async function tableFile(
  pieces: Pieces,
  most = RUN_LIMITS.inflated,
): Promise<{ readonly data: BundleFile['data']; readonly hash: string }> {
  let kept: (string | Bytes)[] = [];
  let size = 0;
  async function* first(): AsyncGenerator<string | Bytes> {
    for await (const piece of pieces()) {
      size += piece.length;
      if (size > most)
        throw new Error(`the table of metrics is larger than the ${most / MIB} MiB that a bundle takes; ${HELP.run}`);
      kept = size > SMALL ? [] : [...kept, piece];
      yield piece;
    }
  }
  const hash = await sha256(first);
  async function* again(): AsyncGenerator<Bytes> {
    const running = new Sha256();
    for await (const bytes of bytesOf(pieces)) {
      running.take(bytes);
      yield bytes;
    }
    if (hex(running.end()) !== hash) throw new Error('the curves have changed while they were written');
  }
  async function* small(): AsyncGenerator<string | Bytes> {
    yield* kept;
  }
  return { data: size > SMALL ? again : small, hash };
}
