import { assert } from '../../../../core/assert.ts';
import type { VersionClock, Versions } from '../../types.ts';
import { publishedEvery, type QueueSettings, type QueueUpdate } from './boundedQueue.ts';

/** Updates of seeds that are still known, for whoever looks back at a batch. */
const KNOWN = 8192;

/** An update of a seed: what was known when it began, and when each of its groups began. */
type Begun = { readonly state: Float64Array; readonly starts: Float64Array };
type Settled = Omit<QueueUpdate, 'waiting'> & { readonly synchronous: number };

/**
 * The queue with a bound in which a group takes as long as the longest of its episodes (ASearcher, arXiv 2508.07976):
 *
 *   group k of update u is group N = u·P + k, played by generator N mod C, C ≥ P, once
 *     the generator is free, and weights of an update ≥ u − η are published
 *   it takes playTime · (steps of its longest episode)/T
 *   the trainer takes the P groups of u once all are finished and u − 1 has trained, and trains for 1
 *   version v (θ after v updates) is published if m divides v (AsyncFlow); m ≤ η + 1, or nobody could ever begin
 *
 * How long episodes are is known once they were played, so generators take turns instead of asking who is free first: when
 * a group begins depends on earlier updates only, and the clock is exact. Its state of a seed, before update u:
 * [C] when each generator is free, [η + 1] when version u, u − 1, … came to be, [1] the end of u − 1 without overlap.
 */
export class LengthClock implements VersionClock {
  readonly size: number;
  private readonly settings: QueueSettings;
  private readonly begun = new Map<string, Begun>();
  private readonly settled = new Map<string, Settled>();

  constructor(settings: QueueSettings) {
    this.settings = settings;
    this.size = clockSize(settings);
  }

  begin(seed: number, update: number, state: Float64Array): void {
    const { tasks, generators, bound } = this.settings;
    const every = publishedEvery(this.settings);
    // the oldest version that may still begin an episode of this update
    const oldest = Math.ceil(Math.max(0, update - bound) / every) * every;
    const admitted = this.cameAt(state, update, oldest);
    const starts = Float64Array.from({ length: tasks }, (_, k) =>
      Math.max(state[(update * tasks + k) % generators]!, admitted),
    );
    keep(this.begun, `${seed} ${update}`, { state: state.slice(), starts });
  }

  versionOf(seed: number, update: number, task: number, part: number): number {
    const { state, starts } = this.of(seed, update);
    const { interrupt, playTime } = this.settings;
    const time = starts[task]! + (interrupt ? part * playTime : 0);
    const every = publishedEvery(this.settings);
    let version = Math.floor(update / every) * every;
    while (version > 0 && this.cameAt(state, update, version) > time) version -= every;
    return version;
  }

  settle(seed: number, update: number, longest: ArrayLike<number>, into: Float64Array): void {
    const { state, starts } = this.of(seed, update);
    const { tasks, generators, bound, playTime } = this.settings;
    const before = state[generators]!;
    into.set(state);
    let [last, most, waited, played, held] = [before, 0, 0, 0, 0];
    for (let k = 0; k < tasks; k++) {
      const took = playTime * longest[k]!;
      const lane = (update * tasks + k) % generators;
      if (starts[k]! > state[lane]!) held++;
      waited += starts[k]! - state[lane]!;
      played += took;
      into[lane] = starts[k]! + took;
      last = Math.max(last, into[lane]!);
      most = Math.max(most, took);
    }
    const end = last + 1;
    for (let j = bound; j > 0; j--) into[generators + j] = state[generators + j - 1]!;
    into[generators] = end;
    const synchronous = (into[generators + bound + 1] = state[generators + bound + 1]! + most + 1);
    const trainerIdle = Math.max(0, 1 - 1 / (end - before));
    const generatorIdle = waited + played > 0 ? waited / (waited + played) : 0;
    keep(this.settled, `${seed} ${update}`, { end, trainerIdle, generatorIdle, held, synchronous });
  }

  at(seed: number, update: number): Settled {
    const found = this.settled.get(`${seed} ${update}`);
    assert(found !== undefined, `Update ${update} has not been played yet.`);
    return found;
  }

  /** When version v existed, v ≤ update. */
  private cameAt(state: Float64Array, update: number, version: number): number {
    return version === 0 ? 0 : state[this.settings.generators + update - version]!;
  }

  private of(seed: number, update: number): Begun {
    const found = this.begun.get(`${seed} ${update}`);
    assert(found !== undefined, `Update ${update} has not begun yet.`);
    return found;
  }
}

/** Numbers of a seed between two updates. */
export const clockSize = ({ generators, bound }: QueueSettings): number => generators + bound + 2;

function keep<T>(known: Map<string, T>, name: string, value: T): void {
  known.delete(name);
  known.set(name, value);
  if (known.size > KNOWN) known.delete(known.keys().next().value!);
}

/** The rule that the clock makes. */
export function versionsByLength(settings: QueueSettings): Versions {
  const clock = new LengthClock(settings);
  return {
    clock,
    at: (seed, update, task, t, T) => clock.versionOf(seed, update, task, t / T),
    measure({ seed, update, B }) {
      const { end, trainerIdle, generatorIdle, held, synchronous } = clock.at(seed, update);
      return {
        ...{ simTime: end, throughput: ((update + 1) * B) / end, speedUp: synchronous / end },
        ...{ trainerIdle, generatorIdle, queueHeld: held },
      };
    },
  };
}
