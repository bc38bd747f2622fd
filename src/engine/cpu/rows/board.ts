/** Places of the board. */
const [SESSION, CALL, TICKET, ITEMS, DONE, FLAGS, PULSE, FAILED, PLACES] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** A ticket is the number of a job and, in its low bits, its next item; all ones: the job is not open. */
const BITS = 12;
const CLOSED = (1 << BITS) - 1;
/** Items that a job has at most. */
export const MOST_ITEMS = CLOSED - 1;

/** Whoever waits looks this often whether the others live, and gives up after so many looks without a sign of life. */
export const LOOK_MS = 100;
const MOST_LOOKS = 600;
/** Looks without sleeping first: what is short is over by then. */
const SPINS = 500;

const NONE = -1;

/** Another core can no longer do what it has begun: what an update has made until then is not whole. */
export class LostCore extends Error {}

/**
 * What the cores of a run tell each other, in memory that all of them see. One core opens a job with some items; every core,
 * the first one too, takes the next item until none is left, so nobody waits for one that is late. What is computed does
 * not depend on who does it.
 */
export class Board {
  private readonly words: Int32Array;
  /** job that this core works on */
  private job = 0;
  private readonly mostLooks: number;

  constructor(memory: SharedArrayBuffer, mostLooks = MOST_LOOKS) {
    this.words = new Int32Array(memory);
    this.mostLooks = mostLooks;
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * PLACES);
  }

  /** Others may enter session `id` from now on, until it is closed; 0: they leave. */
  setSession(id: number): void {
    Atomics.store(this.words, SESSION, id);
    if (id === 0) this.call();
  }

  isIn(session: number): boolean {
    return Atomics.load(this.words, SESSION) === session;
  }

  private call(): void {
    Atomics.add(this.words, CALL, 1);
    Atomics.notify(this.words, CALL);
  }

  /** Number of calls so far, for `sleep`. */
  get calls(): number {
    return Atomics.load(this.words, CALL);
  }

  /** Sleeps until there has been another call since this number of them was read. */
  sleep(calls: number): void {
    Atomics.wait(this.words, CALL, calls);
  }

  /** Makes place for the next job, whose data may be written until it is opened. */
  prepare(): void {
    this.job = (this.job + 1) & (0xffffffff >>> BITS);
    Atomics.store(this.words, TICKET, (this.job << BITS) | CLOSED);
  }

  /** Opens the job that was prepared, and calls the others. */
  open(items: number): void {
    const { words } = this;
    Atomics.store(words, ITEMS, items);
    Atomics.store(words, DONE, 0);
    Atomics.store(words, FLAGS, 0);
    Atomics.store(words, TICKET, this.job << BITS);
    this.call();
  }

  /** Turns to the open job, if there is one that this core has not read yet: then its data is to be read before `take`. */
  turn(): boolean {
    const ticket = Atomics.load(this.words, TICKET);
    if ((ticket & CLOSED) >= Atomics.load(this.words, ITEMS) || ticket >>> BITS === this.job) return false;
    this.job = ticket >>> BITS;
    return true;
  }

  /** Is the job that this core turned to still at hand? Where not, another one's data may lie in the place of its own. */
  get isAtHand(): boolean {
    return Atomics.load(this.words, TICKET) >>> BITS === this.job;
  }

  /** The next item of the job that this core turned to; −1: none is left, or it is over. */
  take(): number {
    const { words } = this;
    for (;;) {
      const ticket = Atomics.load(words, TICKET);
      const item = ticket & CLOSED;
      if (ticket >>> BITS !== this.job || item >= Atomics.load(words, ITEMS)) return NONE;
      // another core may have taken it, or another job may have come since
      if (Atomics.compareExchange(words, TICKET, ticket, ticket + 1) === ticket) return item;
    }
  }

  /** An item is done. */
  finish(): void {
    Atomics.add(this.words, DONE, 1);
    Atomics.notify(this.words, DONE);
  }

  /** Says of the job at hand what somebody has to know; read when it is done. */
  raise(flag: number): void {
    Atomics.or(this.words, FLAGS, flag);
  }

  get flags(): number {
    return Atomics.load(this.words, FLAGS);
  }

  /** A sign of life of a core in the middle of work. */
  pulse(): void {
    Atomics.add(this.words, PULSE, 1);
  }

  /** A core cannot go on. */
  fail(): void {
    Atomics.store(this.words, FAILED, 1);
    Atomics.notify(this.words, DONE);
  }

  /** Waits until all items are done, and calls `lives` while those who do them show that they live. */
  await(items: number, lives: () => void): void {
    const { words } = this;
    for (let k = 0; k < SPINS; k++) if (Atomics.load(words, DONE) === items) return;
    let [looks, pulse] = [0, Atomics.load(words, PULSE)];
    for (let done = Atomics.load(words, DONE); done < items; done = Atomics.load(words, DONE)) {
      if (Atomics.load(words, FAILED) !== 0)
        throw new LostCore('A worker on another core failed in the middle of an update.');
      // looks are counted, not time: a machine that slept has not looked
      if (Atomics.wait(words, DONE, done, LOOK_MS) !== 'timed-out') continue;
      const now = Atomics.load(words, PULSE);
      looks = now === pulse ? looks + 1 : 0;
      if (looks === this.mostLooks) throw new LostCore('A worker on another core stopped without a reason.');
      if (now !== pulse) lives();
      pulse = now;
    }
  }
}
