import { sha256 } from '../core/sha256.ts';

/** SHA-256 chain over the 64-bit update hashes, one chain per replica (spec product U91, exact level). */
export class DigestChain {
  private readonly links: Uint8Array<ArrayBuffer>[];

  constructor(S: number, saved?: readonly Uint8Array[]) {
    this.links = Array.from({ length: S }, (_, s) => new Uint8Array(saved?.[s] ?? new Uint8Array(32)));
  }

  /** Appends one update: `hash` is [S, 2] as in UpdateRecord. */
  async append(hash: Uint32Array): Promise<void> {
    await Promise.all(
      this.links.map(async (link, s) => {
        const bytes = new Uint8Array(40);
        bytes.set(link);
        const view = new DataView(bytes.buffer);
        view.setUint32(32, hash[2 * s]!);
        view.setUint32(36, hash[2 * s + 1]!);
        this.links[s] = await sha256(bytes);
      }),
    );
  }

  save(): Uint8Array[] {
    return this.links.map((link) => link.slice());
  }

  /** Hex digest of each replica's chain, and one over all of them. */
  async read(): Promise<{ all: string; perSeed: string[] }> {
    const joined = new Uint8Array(this.links.length * 32);
    this.links.forEach((link, s) => joined.set(link, s * 32));
    return {
      all: hex(await sha256(joined)),
      perSeed: this.links.map(hex),
    };
  }
}

/** Two digits for each byte. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
