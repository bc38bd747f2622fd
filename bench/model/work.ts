import type { Dispatched } from './countingDevice.ts';
import { ALONE, ANEW, chainOf, plus, SHARED, timesOf, WORLD, type StepWork } from './stepWork.ts';

/** What a dispatch does: all of it, and what one of its invocations does, one thing after the other. */
export type Work = {
  readonly flops: number;
  readonly bytes: number;
  /** numbers, or four side by side, that one invocation asks memory for, and its arithmetic where that is what it waits for */
  readonly laneLoads: number;
  readonly laneFlops: number;
  /** what one invocation does of steps of episodes, one after the other */
  readonly steps?: StepWork;
};

/** Boards set about one bit of an observation in eight. */
const SET_BITS = 1 / 8;
/** Arithmetic of a device that is full for a read or an operation: 65,536 episodes on an H200 took 0.8 of what this would have said. */
const FLOPS = 5.5;
const flopsOf = ({ reads, operations }: StepWork): number => FLOPS * (reads + operations);
/** Trajectories of a workgroup of a shared rollout: their invocations share the first layer evenly, which has nearly all products. */
const PLAYERS = 8;

/** Where each step is a few dispatches: how what an invocation does in a step is divided among them, which nobody has counted. */
const SHARES: Readonly<Record<string, number>> = { observe: 0.4, main: 0.2, step: 0.4, played: 1 };

/** Steps of a sum that fine tiles hold at a time. */
const DEPTH = 32;

const up = (n: number, by: number): number => Math.ceil(n / by);

/** What one dispatch does, by its kernel and sizes. Kernels that are not named here touch everything they are bound to once. */
export function workOf(dispatch: Dispatched): Work {
  if (dispatch.parts) return sideBySide(dispatch.parts.map(workOf));
  const [name] = dispatch.kernel.split('.') as [string, ...string[]];
  if (/^dense(Forward|Backward|Gradient)$/.test(name)) return dense(name, dispatch);
  if (dispatch.kernel === 'sparseGradient.withLast') return bothEnds(dispatch);
  if (dispatch.kernel === 'sparseGradient.whole') return wholeGradient(dispatch);
  if (name === 'sparseForward' || name === 'sparseGradient') return sparse(name, dispatch);
  if (name === 'boardBits' || name.startsWith('conv')) return convolution(name, dispatch);
  if (name.startsWith('gruCell')) return recurrent(name, dispatch);
  if (name.startsWith('gruWalk')) return walked(name, dispatch);
  if (name === 'fusedRollout' || name === 'sharedRollout') return rollout(name, dispatch);
  if (name === 'rollout' || (name === 'policyHead' && 't' in dispatch.dims)) return move(dispatch);
  if (name === 'gradNorm' && 'steps' in dispatch.dims) return norm(dispatch);
  if (name === 'sliceSum') return sliceSum(dispatch);
  if (name === 'optimize') return step(dispatch);
  if (dispatch.kernel.endsWith('Match.inBlock')) return inPasses(4, walk(dispatch));
  if (dispatch.kernel === 'coefficients.head') return head(dispatch);
  if (dispatch.kernel === 'coefficients.whole') return wholeNetwork(dispatch);
  if (dispatch.kernel === 'coefficients' && 'rows' in dispatch.bound && 'out' in dispatch.bound)
    return coefficients(dispatch);
  return walk(dispatch);
}

/** A gradient, four numbers at a time, and where the losses of the step are added up by the way two of six numbers of each. */
function norm({ groups: [, , S], lanes, dims }: Dispatched): Work {
  const { size = 0, steps = 0 } = dims;
  return {
    ...{ flops: 2 * S * (size + steps), bytes: 4 * S * (size + 6 * steps) },
    ...{ laneLoads: (size / 4 + steps) / lanes, laneFlops: 0 },
  };
}

/**
 * Four numbers of every slice that there is: minibatches have fewer of them than the batch that the buffer is for. Losses of steps
 * are spread over all invocations; those of a workgroup are then added up in two stages of eight.
 */
function sliceSum({ groups: [x, , S], lanes, dims }: Dispatched): Work {
  const { size = 0, slices = 0, steps = 0 } = dims;
  return {
    ...{ flops: S * (size * slices + steps), bytes: 4 * S * (size * (slices + 1) + 6 * steps) },
    ...{ laneLoads: (slices + 1) / 4 + up(steps, x * lanes), laneFlops: steps > 0 ? 16 : 0 },
  };
}

/** An optimizer: four of each array there and back, and where it makes the norm, the sums of all workgroups in each of them. */
function step({ groups: [x, , S], lanes, bound, dims }: Dispatched): Work {
  const { size = 0 } = dims;
  const sums = 'sums' in bound ? up(size, 256) : 0;
  return {
    ...{ flops: S * x * lanes * (60 + sums / 16), bytes: 4 * S * (7 * size + 4 * x * sums) },
    ...{ laneLoads: 7 + up(sums, lanes), laneFlops: sums > 0 ? 16 : 0 },
  };
}

/** What is walked through several times, with barriers in between. */
const inPasses = (n: number, { flops, bytes, laneLoads, laneFlops }: Work): Work => ({
  ...{ flops: n * flops, bytes: n * bytes, laneLoads: n * laneLoads, laneFlops: n * laneFlops },
});

/** Kernels whose workgroups stand side by side: the device has all of their work, and an invocation that of one of them. */
const sideBySide = (all: readonly Work[]): Work =>
  all.reduce((a, b) => ({
    ...{ flops: a.flops + b.flops, bytes: a.bytes + b.bytes },
    ...{ laneLoads: Math.max(a.laneLoads, b.laneLoads), laneFlops: Math.max(a.laneFlops, b.laneFlops) },
  }));

type OfSteps = { readonly loads: number; readonly words: number };

/**
 * Steps of a list in a dispatch of coefficients, one an invocation: it finds its step (three numbers of the list), reads action
 * and legal bits, the old log π, the credit, and for each value the old one and the target, and writes six statistics and the slopes of
 * the outputs. Those of steps that are in no list are cleared, each by one of all invocations, which looks at three numbers of the list.
 */
function listedSteps({ groups: [x], lanes, dims }: Dispatched): OfSteps {
  const { S = 1, B = 0, T = 0, n = 0, actions = 0, rows = 0 } = dims;
  const own = 3 + 2 + 2 + 2 * (n - actions) + 6 + n;
  const others = B * T - rows;
  return { loads: own + 9 * up(others, x * lanes), words: S * (rows * own + 9 * others) };
}

/** Coefficients of a list, which reads the outputs of its steps. */
function coefficients(dispatch: Dispatched): Work {
  const { S = 1, n = 0, rows = 0 } = dispatch.dims;
  const { loads, words } = listedSteps(dispatch);
  const all = words + S * rows * n;
  return { flops: 2 * all, bytes: 4 * all, laneLoads: loads + n, laneFlops: 0 };
}

/**
 * The last layer in one dispatch with coefficients: an invocation has a row. Its workgroup brings the weights into its
 * memory; it reads its inputs, four at a time, and where it learns once more for their slope, and writes what goes back.
 */
function head(dispatch: Dispatched): Work {
  const { X = 0, dX } = dispatch.bound;
  const { S = 1, B = 0, T = 0, n = 0, rows = 0 } = dispatch.dims;
  const [x] = dispatch.groups;
  const { loads, words } = listedSteps(dispatch);
  const inputs = X / (4 * S * B * T);
  const ways = dX === undefined ? 1 : 2;
  const passes = dX === undefined ? 1 : 3;
  return {
    ...{ flops: 2 * words + 2 * S * rows * ways * inputs * n },
    ...{ bytes: 4 * words + 4 * S * inputs * (passes * rows + x * n) },
    laneLoads: loads + (inputs * n) / dispatch.lanes + (passes * inputs) / 4,
    ...{ laneFlops: 2 * ways * inputs * n },
  };
}

/** Rows of a workgroup of coefficients.whole. */
const SEATS = 16;

/**
 * All of a network with one hidden layer: a workgroup brings the bits of its rows, each behind its place in the list, and the weights of
 * the last layer into its memory, every invocation its share. Then each has four numbers of the hidden layer of a row, and where the
 * network learns writes them and what goes back to them. In between a few have an output each, then the first ones a row of the
 * objective, while the others wait.
 */
function wholeNetwork(dispatch: Dispatched): Work {
  const { groups, lanes, bound, dims } = dispatch;
  const { S = 1, n = 0, rows = 0, weightAt = 0, biasAt = 0, firstAt = 0, firstBiasAt = 0 } = dims;
  const { loads, words } = listedSteps(dispatch);
  const hidden = (biasAt - weightAt) / n;
  const features = (firstBiasAt - firstAt) / hidden;
  const bits = up(features, 32);
  const set = features * SET_BITS;
  const ways = bound['dX'] === undefined ? 1 : 2;
  const written = bound['dX'] === undefined ? 0 : 2;
  const own = up((SEATS * hidden) / 4, lanes);
  return {
    flops: 2 * words + 2 * S * rows * hidden * (set + ways * n),
    bytes: 4 * words + 4 * S * (rows * (bits + written * hidden) + features * hidden + groups[0] * hidden * n),
    laneLoads: loads + 2 * up(SEATS * bits, lanes) + up((hidden * n) / 4, lanes) + own * (set + written),
    laneFlops: up(SEATS * n, lanes) * 2 * hidden + (ways - 1) * own * 8 * n,
  };
}

function dense(name: string, { kernel, groups: [, , S], dims }: Dispatched): Work {
  const { rows = 0, inputs = 0, out = 0, slices = 1 } = dims;
  if (kernel.endsWith('.fine')) return fine(name, { rows, inputs, out, slices }, S);
  const isBlock = /\.(wide|tiled)$/.test(kernel);
  const stretch = up(rows, slices);
  const flops = 2 * S * rows * inputs * out;
  if (name === 'denseForward') {
    const loads = kernel.endsWith('.narrow') ? 2 * inputs + inputs * up(Math.min(out, 8), 4) : inputs * (8 + out);
    const bytes = 4 * S * (rows * (inputs + out) + inputs * out);
    return { flops, bytes, laneLoads: isBlock ? 0 : loads, laneFlops: isBlock ? 128 * inputs : 0 };
  }
  if (name === 'denseBackward') {
    const bytes = 4 * S * (rows * (2 * inputs + out) + inputs * out);
    return { flops, bytes, laneLoads: isBlock ? 0 : 8 * out, laneFlops: isBlock ? 128 * out : 0 };
  }
  const bytes = 4 * S * (rows * (inputs + out) + slices * inputs * out);
  return { flops, bytes, laneLoads: isBlock ? 0 : 8 * stretch, laneFlops: isBlock ? 128 * stretch : 0 };
}

type Product = { readonly rows: number; readonly inputs: number; readonly out: number; readonly slices: number };

/** Blocks of 1 × 4 through workgroup memory: of each piece of the sum an invocation reads its share, then adds up. */
function fine(name: string, { rows, inputs, out, slices }: Product, S: number): Work {
  const [down, columns, steps] = {
    denseForward: [rows, out, inputs],
    denseBackward: [rows, inputs, out],
    denseGradient: [inputs + 1, out, up(rows, slices)],
  }[name] as [number, number, number];
  const across = columns > 8 ? 4 : columns > 4 ? 2 : 1;
  const parts = name === 'denseGradient' ? slices : 1;
  // each tile reads its rows and its columns once
  const tiles = { down: up(down, 64 / across), across: up(columns, 4 * across) };
  const read = steps * (tiles.across * down + tiles.down * columns);
  return {
    flops: 2 * S * parts * down * columns * steps,
    bytes: 4 * S * parts * (read + down * columns),
    laneLoads: up(steps, DEPTH) * ((DEPTH * (64 / across)) / 64 + (DEPTH * across * 4) / 64),
    laneFlops: 8 * steps,
  };
}

function sparse(name: string, { kernel, groups: [, , S], dims }: Dispatched): Work {
  const { rows = 0, out = 0, words = 0, slices = 0, features = 32 * words } = dims;
  const set = features * SET_BITS;
  const bytes = 4 * S * (rows * (words + out) + Math.max(1, slices) * features * out);
  if (name === 'sparseForward') {
    // eight rows of eight columns: their words, and two weights of every bit that one of them has; or one row of four
    const laneLoads = kernel.endsWith('.fine') ? words + set : 8 * words + 2 * set;
    return { flops: 2 * S * rows * set * out, bytes, laneLoads, laneFlops: 0 };
  }
  const flops = S * rows * out * (2 * words + set / 8);
  const stretch = up(rows, slices);
  if (!kernel.endsWith('.tiled')) return { flops, bytes, laneLoads: 2 * stretch, laneFlops: 0 };
  // of 32 rows at a time its share of the words, each behind its place in a list, and of the outputs; then it adds up
  const across = Math.min(16, 2 ** Math.ceil(Math.log2(out / 4)));
  const laneLoads = up(stretch, DEPTH) * DEPTH * (2 / across + across / 64);
  return { flops, bytes, laneLoads, laneFlops: 4 * stretch * (2 + (32 * SET_BITS) / 8) };
}

/** Rows of a slice that workgroups of the last layer hold at a time in sparseGradient.withLast. */
const LAST_DEPTH = 16;

/**
 * Gradients of the first and of the last layer, in workgroups of their own: of 256 neighbors of the last one all rows of the inputs that
 * these are of, four at a time, and of the outputs.
 */
function bothEnds(dispatch: Dispatched): Work {
  const { dims, bound, lanes } = dispatch;
  const [, , S] = dispatch.groups;
  const { rows = 0, slices = 1, maxRows = 0 } = dims;
  const first = sparse('sparseGradient', { ...dispatch, kernel: 'sparseGradient.tiled' });
  const width = (name: string): number => (bound[name] ?? 0) / (4 * S * maxRows);
  const [inputs, out] = [width('X'), width('dOut')];
  // of the first workgroup; the next ones have the rest
  const fours = Math.min(inputs / 4, Math.floor(63 / out) + 1);
  const stretch = up(rows, slices);
  const tiles = up((inputs * out) / 4 + up(out, 4), lanes);
  return {
    flops: first.flops + 2 * S * rows * (inputs + 1) * out,
    bytes: first.bytes + 4 * S * (rows * (inputs + 4 * (tiles - 1) + tiles * out) + slices * (inputs + 1) * out),
    laneLoads: Math.max(first.laneLoads, (up(stretch, LAST_DEPTH) * LAST_DEPTH * (fours + out)) / lanes),
    ...{ laneFlops: Math.max(first.laneFlops, 8 * stretch) },
  };
}

/** Invocations of a workgroup of sparseGradient.whole, which share all rows, and rows of a stretch that it holds at a time. */
const [SHARERS, STRETCHES, HELD] = [256, 32, 8];

/**
 * The gradient of a network with one hidden layer over all rows: workgroups with four words by eight outputs of the first layer bring the
 * places of rows, their words and their two fours of outputs into their memory, and sums of two features at a time meet in a tree; others
 * have four inputs of the last layer. Each of them reads its part of all rows. The losses are added up by the way.
 */
function wholeGradient({ dims, bound, lanes, groups: [x, , S] }: Dispatched): Work {
  const { rows = 0, out = 0, words = 0, features = 0, maxRows = 0, size = 0 } = dims;
  const width = (name: string): number => (bound[name] ?? 0) / (4 * S * maxRows);
  const [inputs, outputs] = [width('X'), width('dOut')];
  const firsts = up(words + 1, 4) * up(out, 8);
  const stretch = up(rows, STRETCHES);
  const own = up(rows, SHARERS);
  const set = features * SET_BITS;
  const first = { loads: up(stretch, HELD) * (1 + 4 + 2), flops: 4 * stretch * (2 + (32 * SET_BITS) / 8) + 16 * 5 * 4 };
  const last = { loads: own * (1 + outputs), flops: 8 * outputs * own + up(outputs, 2) * 8 * 4 };
  return {
    flops: S * rows * (out * (2 * words + set / 8) + 2 * (inputs + 1) * outputs),
    bytes: 4 * S * (firsts * rows * (1 + 4 + 8) + (x - firsts) * rows * (4 + outputs) + size + 6 * maxRows),
    laneLoads: Math.max(first.loads, last.loads) + up(maxRows, x * lanes),
    ...{ laneFlops: Math.max(first.flops, last.flops) + 32 },
  };
}

/** Neighbors of a cell, itself among them. */
const TAPS = 9;

/** A layer over boards: an invocation has four channels of a cell, or four by four weights over a slice of the rows. */
function convolution(name: string, { kernel, groups: [, , S], dims }: Dispatched): Work {
  const { rows = 0, width = 0, height = 0, C = 0, depth = C, slices = 1, features = 0 } = dims;
  if (name === 'boardBits') {
    const bytes = 4 * S * rows * (features / 32 + features);
    return { flops: S * rows * features, bytes, laneLoads: 1, laneFlops: 0 };
  }
  const cells = width * height;
  if (kernel.endsWith('.fine'))
    return fine('denseGradient', { rows: rows * cells, inputs: TAPS * depth, out: C, slices }, S);
  const isGradient = name === 'convGradient';
  return {
    flops: 2 * S * rows * cells * TAPS * depth * C,
    bytes: 4 * S * (rows * cells * (depth + C) + slices * TAPS * depth * C),
    laneLoads: isGradient ? up(rows, slices) * cells * 8 : 5 * TAPS * depth,
    ...{ laneFlops: 0 },
  };
}

/** A step of the recurrent unit: an invocation has one number of the memory of a trajectory, of a list of those in it. */
function recurrent(name: string, { groups: [, , S], dims }: Dispatched): Work {
  const { B = 0, T = 1, H = 0, rows = B * T } = dims;
  const live = rows / T;
  // with one number of the memory three weights; on the way back three pairs
  const loads = name === 'gruCell' ? 4 : 6;
  return {
    flops: 6 * S * live * H * H,
    bytes: 4 * S * (live * 16 * H + 3 * H * H),
    laneLoads: loads * H,
    ...{ laneFlops: 0 },
  };
}

/**
 * All steps of it: an invocation has a quarter of the products of a number of the memory, of four trajectories, with weights that it
 * keeps, and then what it needs of a step of one of them.
 */
function walked(name: string, { groups: [, , S], dims }: Dispatched): Work {
  const { B = 0, T = 1, H = 0, rows = B * T } = dims;
  const weights = (3 * H) / 4;
  const loads = name === 'gruWalk' ? 3 : 6;
  return {
    flops: 6 * S * rows * H * H,
    bytes: 4 * S * (rows * 16 * H + up(B, 4) * 3 * H * H),
    ...{ laneLoads: weights + loads * T, laneFlops: 8 * weights * T },
  };
}

/** All steps of episodes: an invocation, or one of a workgroup with seven others, plays one of them. */
function rollout(name: string, { groups: [, , S], lanes, dims, seesOn }: Dispatched): Work {
  const { B = 0, T = 0, chunk = T, words = 0, obsWords = 0, n = 0, size = 0 } = dims;
  const steps = Math.min(chunk, T);
  // of the first layer only rows of set bits, of the others all: together about an eighth of all weights
  const products = size * SET_BITS;
  // of a network with one hidden layer
  const hidden = size / (32 * obsWords + n + 1);
  const [next, form] = name === 'sharedRollout' ? [WORLD.shared, SHARED] : [WORLD.alone, ALONE];
  const world = seesOn ? next : ANEW;
  const turns = name === 'sharedRollout' ? up((PLAYERS * hidden) / 4, lanes) : 1;
  return {
    ...{ flops: S * B * steps * (flopsOf(world) + 2 * products), bytes: 4 * S * B * steps * (words + obsWords + 16) },
    ...{ laneLoads: 0, laneFlops: 0, steps: timesOf(steps, plus(world, chainOf(form, hidden, turns))) },
  };
}

/** A dispatch of a step of all episodes: it touches that step, and at the end the rewards of all steps. */
function move({ kernel, groups: [, , S], dims }: Dispatched): Work {
  const [, entry = 'main'] = kernel.split('.') as [string, string?];
  const { B = 0, T = 0, t = 0, words = 0, obsWords = 0, n = 0 } = dims;
  const walks = entry === 'late' || (entry === 'observe' && t === T) ? T : 0;
  const share = SHARES[entry];
  return {
    ...{ flops: S * B * flopsOf(ANEW) * (share ?? 0), bytes: 4 * S * B * (2 * words + obsWords + n + 2 * walks + 8) },
    ...{ laneLoads: walks + (share === undefined ? words + 2 : 0), laneFlops: 0, steps: timesOf(share ?? 0, ANEW) },
  };
}

/** Words of the sums of a lane, of kernels that are linked with tree.wgsl. */
const SUM_WORDS: Readonly<Record<string, number>> = {
  ratioStats: 20,
  updateStats: 8,
  batchStats: 8,
  creditSums: 16,
  policyMix: 12,
  creditSize: 2,
  unitSize: 2,
  weights: 2,
};

/** Kernels that move four numbers at a time. */
const BY_FOUR = ['weightStats'];

/**
 * Kernels whose invocations go through what is bound, each its share. Where they end in a tree over a workgroup (tree.wgsl), an
 * invocation then merges the sums of another one at each of its levels.
 */
function walk({ kernel, groups: [x, y, z], lanes, bound, dims }: Dispatched): Work {
  const [name, entry = 'main'] = kernel.split('.') as [string, string?];
  const { B = Infinity, lanes: summing = 0, pieces = 1 } = dims;
  const isTree = 'parts' in bound;
  const words = SUM_WORDS[name] ?? 4;
  // lanes that share the steps of rows leave one sum of a workgroup (steps.wgsl), others one each
  const isJoined = pieces > 1;
  const laneFlops = isTree && (entry !== 'rows' || isJoined) ? Math.log2(lanes) * words : 0;
  if (isTree && entry === 'join') {
    const parts = isJoined ? summing / lanes : summing;
    return {
      ...{ flops: z * parts * words, bytes: 4 * z * parts * words },
      ...{ laneLoads: up(parts, lanes) * up(words, 4), laneFlops },
    };
  }
  const { parts: _, ...others } = bound;
  const bytes = Object.values(isTree ? others : bound).reduce((a, b) => a + b, 0);
  // lanes beyond the rows, or the pieces of these, have nothing to do
  const busy = Math.min(x * y * z * lanes, isTree ? z * B * pieces : Infinity);
  return {
    ...{ flops: bytes / 2, bytes, laneLoads: bytes / busy / (BY_FOUR.includes(name) ? 16 : 4), laneFlops },
  };
}
