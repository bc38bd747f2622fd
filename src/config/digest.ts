import { sha256 } from '../core/sha256.ts';
import { canonicalJson } from './canonical.ts';
import { SCHEMA_VERSION } from './schema.ts';
import type { Config } from './slots.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** First 10 base32 characters of the SHA-256 over the canonical JSON of schema version and full config: the experiment's short name. */
export const configDigest = (config: Config): Promise<string> => shortName({ schema: SCHEMA_VERSION, config });

/** First 10 base32 characters of the SHA-256 over the canonical JSON of a value. */
export async function shortName(value: unknown): Promise<string> {
  const text = new TextEncoder().encode(canonicalJson(value));
  const hash = await sha256(text);
  let bits = 0;
  let held = 0;
  let name = '';
  for (const byte of hash) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5 && name.length < 10) {
      bits -= 5;
      name += BASE32[(held >>> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return name;
}
