import { readNewest, TwoSlots, type Slot } from '../../store/slots.ts';
import type { Packed } from '../../store/packed.ts';

/** Where checkpoints are: the browser's storage, or the memory of a test. */
export type Places = {
  /** what stands in a slot of an id, without making room for it */
  readonly bytes: (id: string, slot: number) => Promise<Uint8Array>;
  readonly slots: (id: string) => Promise<readonly [Slot, Slot]>;
  readonly remove: (id: string) => Promise<void>;
  /** milliseconds between two checkpoints at least; without it those of a browser */
  readonly pauseMs?: number;
  /** times as long as one takes to write; without it those of a browser */
  readonly rest?: number;
};

/** Nothing is written more often than this, and writing takes at most one part in so many of the time. */
const PAUSE_MS = 3000;
const REST = 20;

/**
 * How far runs of a sweep are, so that they continue there after an interruption. It only saves time: where it cannot be
 * written or read, or another version wrote it, they train from their beginning and end with the same digests.
 */
export class Midway {
  private readonly places: Places;
  private readonly pauseMs: number;
  private readonly there = new Set<string>();
  private writing: { readonly id: string; readonly slots: TwoSlots } | null = null;
  private dueAt: number;

  constructor(places: Places) {
    this.places = places;
    this.pauseMs = places.pauseMs ?? PAUSE_MS;
    // a short run leaves nothing behind
    this.dueAt = performance.now() + this.pauseMs;
  }

  /** What the first of these ids has kept that `read` can use; null: nothing. */
  async read<T>(ids: readonly string[], read: (packed: Packed) => T | null): Promise<T | null> {
    for (const id of ids) {
      const slot = (k: number): Pick<Slot, 'read'> => ({ read: () => this.places.bytes(id, k) });
      try {
        const found = await readNewest([slot(0), slot(1)]);
        if (!found.ok) continue;
        this.there.add(id);
        const standing = read(found.packed);
        if (standing !== null) return standing;
      } catch {
        // it is as if nothing were there
      }
    }
    return null;
  }

  /** Between two updates; when it is time, what `take` gives is kept under this id, and what other ids had goes. */
  async offer(id: string, take: () => Promise<Packed>): Promise<void> {
    const before = performance.now();
    if (before < this.dueAt) return;
    try {
      this.there.add(id);
      if (this.writing?.id !== id) this.writing = { id, slots: new TwoSlots(await this.places.slots(id)) };
      await this.writing.slots.write(await take());
      await this.drop(id);
    } catch {
      // there is no room: an interruption costs more time
    }
    const now = performance.now();
    this.dueAt = now + Math.max(this.pauseMs, (this.places.rest ?? REST) * (now - before));
  }

  /** They have ended. What stays behind all the same goes when the next page starts. */
  async drop(but?: string): Promise<void> {
    for (const id of this.there) {
      if (id === but) continue;
      await this.places.remove(id).catch(() => undefined);
      this.there.delete(id);
    }
  }
}
