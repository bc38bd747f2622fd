import { exp, gaussian } from '../../../../core/fmath.ts';
import { PURPOSE, randomPair, uniform } from '../../../../core/random.ts';
import type { AnyValues } from '../../../../core/settings.ts';

/** Times are in training steps: an update takes 1. */
export type QueueSettings = {
  /** η: no unit may be older than this many updates */
  readonly bound: number;
  /** P: task groups that an update trains on */
  readonly tasks: number;
  /** C: task groups that can be played at a time */
  readonly generators: number;
  /** mean time in which a generator plays a task group */
  readonly playTime: number;
  /** standard deviation of the logarithm of that time */
  readonly tail: number;
  /** running groups take over new weights, instead of being finished with those they began with */
  readonly interrupt: boolean;
  /** m: only every m-th version is published to the generators */
  readonly publishEvery: number;
};

/** What the clock saw between the end of the update before and the end of this one. */
export type QueueUpdate = {
  /** time at which the weights of the next version exist */
  readonly end: number;
  /** share of this time in which nothing was trained */
  readonly trainerIdle: number;
  /** share of the generators' time in which they waited for the bound */
  readonly generatorIdle: number;
  /** groups that were played and left waiting when this update took its own */
  readonly waiting: number;
  /** groups that a free generator had to hold back until there were newer weights */
  readonly held: number;
};

/**
 * How many groups may begin now: as many as there are free generators, and so that floor((N − 1)/P) ≤ i + η for the
 * N-th group, counting finished and running ones, where i is the newest version.
 */
export function capacity(
  { bound, tasks, generators }: Pick<QueueSettings, 'bound' | 'tasks' | 'generators'>,
  version: number,
  finished: number,
  running: number,
): number {
  return Math.min(generators - running, (bound + version + 1) * tasks - (finished + running));
}

/**
 * AReaL's queue with a bounded staleness (arXiv 2505.24298), as a simulation on a clock of its own. C generators play
 * task groups while one trainer learns; both begin as soon as they may:
 *
 *   generator   plays the next group if it is free and `capacity` allows; group N of update u = ⌊N/P⌋ takes
 *               playTime · exp(tail · z − tail²/2), z normal, drawn per replica, update and task
 *   trainer     takes the P groups that began first, once all of them are finished, and trains for 1
 *   weights     of version v are published to the generators if m divides v (AsyncFlow)
 *
 * The oldest data first, so group N always belongs to update ⌊N/P⌋, and the bound holds for every unit. A group is the
 * unit of the queue, since credit compares its members: they are played side by side. Nothing is stored but times: old
 * versions of the weights still exist, so the batch is played when its update begins, by the versions the clock names.
 * A pure function of settings, seed and update, worked out in order and kept.
 */
export class BoundedQueue {
  private readonly settings: QueueSettings;
  private readonly seed: number;
  private readonly updates: QueueUpdate[] = [];
  /** per group: when it began, and how long it takes */
  private readonly began: number[] = [];
  private readonly took: number[] = [];
  /** per generator: its group, or −1; when that is finished, or since when it is free */
  private readonly playing: Int32Array;
  private readonly until: Float64Array;
  private readonly isDone: boolean[] = [];
  private now = 0;
  private finished = 0;
  private running = 0;
  /** end of the training in progress; Infinity while the trainer waits */
  private trains = Infinity;
  private waiting = 0;
  private held = 0;
  private busy = 0;

  constructor(settings: QueueSettings, seed: number) {
    this.settings = settings;
    this.seed = seed;
    this.playing = new Int32Array(settings.generators).fill(-1);
    this.until = new Float64Array(settings.generators);
  }

  at(update: number): QueueUpdate {
    while (this.updates.length <= update) this.next();
    return this.updates[update]!;
  }

  /** Version that plays task group `task` of an update once `part` of its time has passed, 0 ≤ part < 1. */
  versionOf(update: number, task: number, part: number): number {
    this.at(update);
    const { tasks, interrupt } = this.settings;
    const N = update * tasks + task;
    const time = this.began[N]! + (interrupt ? part * this.took[N]! : 0);
    const every = publishedEvery(this.settings);
    let version = Math.floor(update / every) * every;
    while (version > 0 && this.updates[version - 1]!.end > time) version -= every;
    return version;
  }

  /** Lets everybody begin who may, then goes to the next moment at which something ends. */
  private next(): void {
    const { settings, playing, until } = this;
    const version = this.updates.length;
    const every = publishedEvery(settings);
    this.admit(Math.floor(version / every) * every);
    if (this.trains === Infinity && this.isReady(version)) {
      this.trains = this.now + 1;
      this.waiting = this.finished - (version + 1) * settings.tasks;
    }
    let to = this.trains;
    for (let c = 0; c < playing.length; c++) if (playing[c]! >= 0) to = Math.min(to, until[c]!);
    this.busy += this.running * (to - this.now);
    this.now = to;
    for (let c = 0; c < playing.length; c++) {
      if (playing[c]! < 0 || until[c]! > to) continue;
      this.isDone[playing[c]!] = true;
      playing[c] = -1;
      this.running--;
      this.finished++;
    }
    if (this.trains === to) this.publish(version);
  }

  private admit(version: number): void {
    const { settings, playing, until, now } = this;
    let free = capacity(settings, version, this.finished, this.running);
    for (let c = 0; c < playing.length && free > 0; c++) {
      if (playing[c]! >= 0) continue;
      const N = this.began.length;
      if (until[c]! < now) this.held++;
      this.began.push(now);
      this.took.push(timeOf(settings, this.seed, Math.floor(N / settings.tasks), N % settings.tasks));
      playing[c] = N;
      until[c] = now + this.took[N]!;
      this.running++;
      free--;
    }
  }

  private isReady(update: number): boolean {
    const { tasks } = this.settings;
    for (let N = update * tasks; N < (update + 1) * tasks; N++) if (!this.isDone[N]) return false;
    return true;
  }

  private publish(update: number): void {
    const time = this.now - (update > 0 ? this.updates[update - 1]!.end : 0);
    this.updates.push({
      end: this.now,
      trainerIdle: Math.max(0, 1 - 1 / time),
      generatorIdle: Math.max(0, 1 - this.busy / (time * this.settings.generators)),
      waiting: this.waiting,
      held: this.held,
    });
    this.trains = Infinity;
    this.busy = 0;
    this.held = 0;
  }
}

/** m, at most η + 1: with a longer wait nobody would have weights that are new enough to begin with. */
export const publishedEvery = ({ publishEvery, bound }: QueueSettings): number => Math.min(publishEvery, bound + 1);

/** Time in which a generator plays this task group. */
export function timeOf({ playTime, tail }: QueueSettings, seed: number, update: number, task: number): number {
  const [u1, u2] = randomPair(seed, PURPOSE.playTime, update, task, 0);
  return playTime * exp(tail * gaussian(uniform(u1), uniform(u2)) - (tail * tail) / 2);
}

export function queueSettingsOf(rollout: AnyValues): QueueSettings {
  return {
    bound: rollout['staleness'] as number,
    tasks: rollout['tasksPerBatch'] as number,
    generators: rollout['generators'] as number,
    playTime: rollout['playTime'] as number,
    tail: rollout['tail'] as number,
    interrupt: rollout['interrupt'] === true,
    publishEvery: rollout['publishEvery'] as number,
  };
}

/** The queue of each seed, and the same without overlap, η = 0; made when first asked for. */
export type Queues = {
  of(seed: number): BoundedQueue;
  synchronous(seed: number): BoundedQueue;
};

export function queuesOf(settings: QueueSettings): Queues {
  const keep = (own: QueueSettings): ((seed: number) => BoundedQueue) => {
    const known = new Map<number, BoundedQueue>();
    return (seed) => {
      let queue = known.get(seed);
      if (!queue) known.set(seed, (queue = new BoundedQueue(own, seed)));
      return queue;
    };
  };
  return { of: keep(settings), synchronous: keep({ ...settings, bound: 0, publishEvery: 1 }) };
}
