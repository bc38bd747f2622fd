/**
 * Counter-based random numbers: Threefry-2×32 with 20 rounds (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3").
 *
 * There is no generator state. A draw is a pure function of (seed, purpose, a, b, c), so CPU and GPU, one worker
 * or many, pause and resume all see the same numbers. `random.wgsl` in src/gpu/shaders/random is the same function.
 */

const PARITY = 0x1bd11bda;

/** What a draw is for. Two uses never share a purpose. */
export const PURPOSE = {
  level: 1,
  step: 2,
  noise: 3,
  taskPick: 16,
  episodeSeed: 17,
  action: 18,
  initialWeights: 19,
  minibatch: 20,
  evalTask: 21,
  evalEpisode: 22,
  evalAction: 23,
  bootstrap: 24,
  sideEpisode: 25,
  sideAction: 26,
  rolloutAge: 27,
  permutation: 28,
  panelTask: 29,
  panelEpisode: 30,
  panelAction: 31,
  surveyDraw: 48,
  playTime: 49,
  signFlip: 50,
  massDraw: 51,
  taskSource: 60,
  branch: 61,
  scoreEpisode: 62,
  scoreAction: 63,
  question: 64,
  teacher: 65,
  playedAgain: 70,
  levelRow: 80,
  snapshot: 72,
  externalChain: 81,
  falseExits: 85,
  goalThird: 86,
  dispersion: 87,
  visitBudget: 88,
  conservative: 89,
  passedState: 82,
  horizon: 90,
  probe: 92,
  probeControl: 112,
  probeUnits: 113,
  behavior: 114,
  sqirl: 91,
  secondSolver: 108,
  exchangedNotes: 104,
  optionNoise: 109,
  otherLevel: 130,
} as const;

/**
 * One Threefry block. Writes the two result words to `out[at]`, `out[at + 1]`. All words are u32. Four rounds at a time,
 * with rotations that the compiler knows: taken from a list, a round takes three times as long.
 */
export function threefryInto(k0: number, k1: number, c0: number, c1: number, out: Uint32Array, at: number): void {
  let a = k1 | 0;
  let b = k0 ^ k1 ^ PARITY;
  let c = k0 | 0;
  let x0 = (c0 + k0) | 0;
  let x1 = (c1 + k1) | 0;
  for (let s = 1; s <= 5; s++) {
    if ((s & 1) === 1) {
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 15) | (x1 >>> 17)) ^ x0;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 26) | (x1 >>> 6)) ^ x0;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0;
    } else {
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 17) | (x1 >>> 15)) ^ x0;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 29) | (x1 >>> 3)) ^ x0;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 16) | (x1 >>> 16)) ^ x0;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 24) | (x1 >>> 8)) ^ x0;
    }
    // the words of the key in turn: after s times four rounds those from number s on
    x0 = (x0 + a) | 0;
    x1 = (x1 + b + s) | 0;
    const first = a;
    a = b;
    b = c;
    c = first;
  }
  out[at] = x0;
  out[at + 1] = x1;
}

const scratch = new Uint32Array(4);

/** One Threefry block as a pair of u32 words. */
export function threefry(k0: number, k1: number, c0: number, c1: number): [number, number] {
  threefryInto(k0, k1, c0, c1, scratch, 0);
  return [scratch[0]!, scratch[1]!];
}

/** Both words of `random(seed, purpose, a, b, c)` = T(key = T((seed, purpose), (a, b)), counter = (c, 0)). */
export function randomPair(seed: number, purpose: number, a: number, b: number, c: number): [number, number] {
  threefryInto(seed, purpose, a, b, scratch, 0);
  threefryInto(scratch[0]!, scratch[1]!, c, 0, scratch, 2);
  return [scratch[2]!, scratch[3]!];
}

/** First word of the draw: an unsigned 32-bit integer. */
export function random(seed: number, purpose: number, a: number, b: number, c: number): number {
  threefryInto(seed, purpose, a, b, scratch, 0);
  threefryInto(scratch[0]!, scratch[1]!, c, 0, scratch, 2);
  return scratch[2]!;
}

/** ⌊x · n / 2³²⌋ for a random word x and 1 ≤ n < 2²¹: exact, since the product has at most 53 bits. A device draws up to n = 65,536. */
export function below(x: number, n: number): number {
  return Math.floor(((x >>> 0) * n) / 2 ** 32);
}

/** Uniform in [0, 1): the top 24 bits, exactly representable in f32, never 1. */
export function uniform(x: number): number {
  return (x >>> 8) * 2 ** -24;
}

/** A level's own sequence of draws: number n is random(seed, LEVEL, family, attempt, n). TypeScript only. */
export class LevelStream {
  private n = 0;
  private readonly seed: number;
  private readonly family: number;
  private readonly attempt: number;
  constructor(seed: number, family: number, attempt = 0) {
    this.seed = seed;
    this.family = family;
    this.attempt = attempt;
  }
  below(n: number): number {
    return below(random(this.seed, PURPOSE.level, this.family, this.attempt, this.n++), n);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  /** Shuffles in place, from the last index down. */
  shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i >= 1; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j]!, list[i]!];
    }
    return list;
  }
}
