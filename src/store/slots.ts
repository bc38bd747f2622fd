import { EMPTY, HEADER, isIntact, pack, unpack, type Packed, type Unpacked, type Unread } from './packed.ts';

/** A place that holds the bytes of one file. What it says to have written is not believed: it is read again. */
export type Slot = {
  /** The bytes that are there; none where nothing was written. */
  read(): Promise<Uint8Array>;
  /** Throws where there is no room. Until it is done, anything may be there. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
};

/** The newest of what two places hold; `other`: why the other place cannot be read, where something is there. */
export type Newest =
  | {
      readonly ok: true;
      readonly packed: Packed;
      readonly turn: number;
      readonly slot: 0 | 1;
      readonly other: string | null;
    }
  | Unread;

const damageOf = (found: Unpacked): string | null => (found.ok || found.why === EMPTY ? null : found.why);

/** The newer of two slots that is whole; where neither is, why not. */
export async function readNewest(slots: readonly [Pick<Slot, 'read'>, Pick<Slot, 'read'>]): Promise<Newest> {
  const found = await Promise.all(slots.map(async (slot) => unpack(await slot.read())));
  const [a, b] = [found[0]!, found[1]!];
  if (a.ok && (!b.ok || a.turn >= b.turn)) return { ...a, slot: 0, other: damageOf(b) };
  if (b.ok) return { ...b, slot: 1, other: damageOf(a) };
  // of an empty place and a damaged one the damage is the reason
  return !a.ok && a.why !== EMPTY ? a : b;
}

/**
 * Writes into the slot that does not hold the newest, reads it back, and only then counts it as the newest. Whatever is
 * interrupted, one of the two is whole.
 */
export class TwoSlots {
  private readonly slots: readonly [Slot, Slot];
  private newest: { slot: 0 | 1; turn: number } | null = null;

  constructor(slots: readonly [Slot, Slot]) {
    this.slots = slots;
  }

  async read(): Promise<Newest> {
    const found = await readNewest(this.slots);
    this.newest = found.ok ? { slot: found.slot, turn: found.turn } : { slot: 1, turn: 0 };
    return found;
  }

  /** Bytes written. Throws where they did not get there; what was kept before is still there then. */
  async write(packed: Packed): Promise<number> {
    if (!this.newest) await this.read();
    const { slot, turn } = this.newest!;
    const next = { slot: slot === 0 ? 1 : 0, turn: turn + 1 } as const;
    const file = pack(packed, next.turn);
    const place = this.slots[next.slot];
    await place.write(file);
    if (!isSame(await place.read(), file))
      throw new DOMException('The storage did not keep what was written.', 'QuotaExceededError');
    this.newest = next;
    return file.length;
  }
}

/** The header says what the content has to be. */
const isSame = (found: Uint8Array, file: Uint8Array): boolean =>
  found.length === file.length && found.subarray(0, HEADER).every((byte, k) => byte === file[k]) && isIntact(found);
