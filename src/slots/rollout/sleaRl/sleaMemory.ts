import { isMeasured } from '../../../contract/rows.ts';
import type { Tensors } from '../../../contract/state.ts';
import { groupsOf } from '../../../core/batch.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import type { RolloutMemory } from '../memory/types.ts';
import { ACTIONS, type sleaSettings } from './sleaRl.ts';

type Params = ValuesOf<typeof sleaSettings>;

const WIDTH = 2 * ACTIONS;
/** A place whose counts have all faded below this is free again. */
const LEAST = 0.05;

/** A state of a level: what its level was made from, then its key. */
type Place = readonly [levelSeed: number, high: number, low: number];
const nameOf = (place: Place): string => place.join(' ');

/** The library in the tensors of a replica. */
export class Library {
  private readonly keys: Uint32Array;
  private readonly counts: Float32Array;
  private readonly slots = new Map<string, number>();

  constructor(memory: Tensors) {
    this.keys = memory['keys'] as Uint32Array;
    this.counts = memory['counts'] as Float32Array;
    for (let slot = 0; slot * WIDTH < this.counts.length; slot++)
      if (this.sum(slot) > 0) this.slots.set(this.name(slot), slot);
  }

  get size(): number {
    return this.slots.size;
  }

  /** [2, ACTIONS] how often each action was good, then bad; null: the state is unknown. */
  of(place: Place): Float32Array | null {
    const slot = this.slots.get(nameOf(place));
    return slot === undefined ? null : this.counts.subarray(slot * WIDTH, (slot + 1) * WIDTH);
  }

  /** Remembers counts of a new state, in a free place or in that of the state with the fewest; false: all have more. */
  admit(place: Place, counts: Float32Array): boolean {
    let least = 0;
    for (let slot = 1; slot * WIDTH < this.counts.length; slot++) if (this.sum(slot) < this.sum(least)) least = slot;
    if (this.sum(least) >= counts.reduce((a, b) => a + b, 0)) return false;
    this.slots.delete(this.name(least));
    this.keys.set(place, 3 * least);
    this.counts.set(counts, least * WIDTH);
    this.slots.set(nameOf(place), least);
    return true;
  }

  fade(factor: number): void {
    for (const [name, slot] of this.slots) {
      const own = this.counts.subarray(slot * WIDTH, (slot + 1) * WIDTH);
      for (let k = 0; k < WIDTH; k++) own[k]! *= factor;
      if (own.some((count) => count >= LEAST)) continue;
      own.fill(0);
      this.slots.delete(name);
    }
  }

  private sum(slot: number): number {
    let sum = 0;
    for (let k = slot * WIDTH; k < (slot + 1) * WIDTH; k++) sum += this.counts[k]!;
    return sum;
  }

  private name(slot: number): string {
    return this.keys.subarray(3 * slot, 3 * slot + 3).join(' ');
  }
}

/** What a task has to tell of a state. */
type Found = { readonly place: Place; readonly counts: Float32Array; score: number };

export const sleaMemory: RolloutMemory<Params> = {
  shows(memory, { env, actions, draw }, { dropout, evaluated }, isTraining) {
    if (!isTraining && evaluated === 'alone') return null;
    const library = new Library(memory);
    const key = new Uint32Array(2);
    const both = new Float32Array(2 * actions);
    return ({ row, name, level, state, at }) => {
      if (isTraining && draw(row) < dropout) return;
      env.key(level, state, at, key, 0);
      const known = library.of([name.levelSeed, key[0]!, key[1]!]);
      if (known) {
        both.set(known.subarray(0, actions));
        both.set(known.subarray(ACTIONS, ACTIONS + actions), actions);
      }
      env.recalls?.write(level, state, at, known && both);
    };
  },

  report(memory, finished, { draw }, { admitted, forget, dropout }) {
    const { batch, A } = finished;
    const { T, length, success, action, stateKey } = batch;
    const library = new Library(memory);
    let [recalled, steps] = [0, 0];
    const told = groupsOf(batch).map((group) => {
      const found = new Map<string, Found>();
      for (const row of group) {
        if (!isMeasured(batch, row)) continue;
        const seen = draw(row) >= dropout;
        for (let t = 0; t < length[row]!; t++) {
          const step = row * T + t;
          const place: Place = [finished.name(row).levelSeed, stateKey[2 * step]!, stateKey[2 * step + 1]!];
          steps++;
          if (seen && library.of(place)) recalled++;
          const isGood = success[row] === 1;
          if (isGood ? A[step]! <= 0 : A[step]! >= 0) continue;
          const own = found.get(nameOf(place)) ?? { place, counts: new Float32Array(WIDTH), score: 0 };
          own.counts[(isGood ? 0 : ACTIONS) + action[step]!]!++;
          own.score += Math.abs(A[step]!);
          found.set(nameOf(place), own);
        }
      }
      return [...found.values()];
    });
    for (const found of told) learn(library, found, admitted);
    library.fade(forget);
    return { recalledShare: recalled / Math.max(1, steps) };
  },
};

/** Adds what a task tells of known states; of new ones those with the largest scores, older ones first where they are equal. */
function learn(library: Library, found: readonly Found[], admitted: number): void {
  const fresh: Found[] = [];
  for (const one of found) {
    const known = library.of(one.place);
    if (known) one.counts.forEach((count, k) => (known[k]! += count));
    else fresh.push(one);
  }
  for (const { place, counts } of fresh.sort((a, b) => b.score - a.score).slice(0, admitted))
    library.admit(place, counts);
}
