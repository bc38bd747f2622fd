import { exp, tanh } from '../../../../core/fmath.ts';
import { wordsOfRows } from '../../../../core/slices.ts';
import { near, within } from '../../../accuracy.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import * as kernels from '../../gruKernels.ts';
import { gruWalkBackwardWith, gruWalkWith } from '../../gruWalks.ts';
import { listOf, planOf } from '../../rollout/liveSteps/liveSteps.ts';

const sigmoid = (v: number): number => 1 / (1 + exp(-v));

type Cell = {
  readonly r: number[];
  readonly z: number[];
  readonly g: number[];
  readonly un: number[];
  readonly h: number[];
};

/** One step: products of the input [3H], memory before [H], weights [H, 3H] and bias [3H] of the memory. */
export function gruCell(
  x: ArrayLike<number>,
  held: readonly number[],
  U: ArrayLike<number>,
  c: ArrayLike<number>,
): Cell {
  const H = held.length;
  const u = Array.from({ length: 3 * H }, (_, j) => held.reduce((sum, h, i) => sum + h * U[i * 3 * H + j]!, c[j]!));
  const r = held.map((_, k) => sigmoid(x[k]! + u[k]!));
  const z = held.map((_, k) => sigmoid(x[H + k]! + u[H + k]!));
  const g = held.map((_, k) => tanh(x[2 * H + k]! + r[k]! * u[2 * H + k]!));
  return { r, z, g, un: u.slice(2 * H), h: held.map((h, k) => (1 - z[k]!) * g[k]! + z[k]! * h) };
}

const shapes = [
  [1, 1, 1, 1],
  [2, 5, 3, 4],
  [3, 13, 2, 5],
  [1, 65, 4, 1],
  [2, 3, 5, 33],
] as const;

const sizes = (S: number, H: number) => {
  const [weightAt, biasAt] = [8, 8 + 3 * H * H + 1];
  return { size: biasAt + 3 * H + 3, weightAt, biasAt, S };
};
/** Sums of at most 34 products below 1, which stay below 8; two gates, the tanh of what the first lets through, and the memory. */
const { given, sum, product } = near;
const nearU = near.dot(34, 1, 8);
const nearR = near.sigmoid(sum(given(2), nearU));
const nearG = near.tanh(sum(given(2), product(nearR, nearU)));
const nearNow = sum(product(sum(given(1), nearR), nearG), product(nearR, given(1)));

const groupsOf = (S: number, B: number, H: number) => [Math.ceil((B * H) / 64), 1, S] as const;

type Sizes = { readonly S: number; readonly B: number; readonly T: number };
/** Where the first step of every trajectory [S·B] is, and how many steps it has there. */
type Places = { readonly first: number[]; readonly steps: number[] };

const every = ({ S, B, T }: Sizes): Places => {
  const rows = Array.from({ length: S * B }, (_, row) => row);
  return { first: rows.map((row) => row * T), steps: rows.map(() => T) };
};

/** The same in a list, and the list. */
function listed(seed: number, { S, B, T }: Sizes): Places & { readonly rows: Uint32Array } {
  const plan = planOf(seed, { S, B, T });
  const steps = Array.from({ length: S * B }, (_, row) => (plan[2 * row] === 0 ? 0 : plan[2 * row + 1]!));
  const first = steps.map((_, row) => {
    const s = Math.floor(row / B);
    return s * B * T + steps.slice(s * B, row).reduce((sum, n) => sum + n, 0);
  });
  return { first, steps, rows: listOf({ S, B, T }, plan, false, new Uint32Array(S * wordsOfRows(B, T))) };
}

const forward = shapes.flatMap(([S, B, T, H], seed): Case[] => {
  const { size, weightAt, biasAt } = sizes(S, H);
  const theta = numbers(seed, S * size, -1, 1);
  const N = S * B * T;
  const x = numbers(seed + 1, N * 3 * H, -2, 2);
  const after = numbers(seed + 2, N * H, -1, 1);
  const length = wholes(seed + 3, S * B, T).map((n) => n + 1);
  const made = ({ first, steps }: Places, t: number, isLast: boolean, keeps: boolean) => {
    const all = { after: after.slice(), before: untouched(N * H), gates: untouched(N * 4 * H), now: untouched(N * H) };
    for (let row = 0; row < S * B; row++) {
      if (keeps && t >= steps[row]!) continue;
      const [s, i] = [Math.floor(row / B), row % B];
      const played = isLast ? length[row]! : t;
      const [from, to] = [(first[row]! + played - 1) * H, first[row]! + t];
      const held = Array.from({ length: H }, (_, k) => (played > 0 ? after[from + k]! : 0));
      const ofX = x.subarray((keeps ? to : s * B * T + i) * 3 * H);
      const cell = gruCell(ofX, held, theta.subarray(s * size + weightAt), theta.subarray(s * size + biasAt));
      if (keeps) {
        all.before.set(held, to * H);
        all.gates.set([...cell.r, ...cell.z, ...cell.g, ...cell.un], to * 4 * H);
      } else all.now.set(cell.h, (s * B * T + i) * H);
      if (!isLast) all.after.set(cell.h, to * H);
    }
    const { now, before, gates, ...both } = all;
    return keeps ? { ...both, before, gates } : { ...both, now };
  };
  const places = every({ S, B, T });
  const inList = listed(seed, { S, B, T });
  const ways = [
    { name: 'the first step of a rollout', t: 0, isLast: false, keeps: false, places },
    { name: 'a step while learning', t: T - 1, isLast: false, keeps: true, places },
    { name: 'after the last step', t: T, isLast: true, keeps: false, places },
    { name: 'the first step of a list', t: 0, isLast: false, keeps: true, places: inList },
    { name: 'a later step of a list', t: T >> 1, isLast: false, keeps: true, places: inList },
  ];
  return ways.map(({ name, t, isLast, keeps, places }): Case => ({
    name: `gruCell ${S}×${B}×${T}, memory ${H}, ${name}`,
    kernel: !keeps ? kernels.gruCellPlayed : places === inList ? kernels.gruCellListed : kernels.gruCell,
    dims: { B, T, H, t, size, weightAt, biasAt, isLast: Number(isLast) },
    groups: groupsOf(S, B, H),
    buffers: {
      ...{ theta, x, after: after.slice(), ...(places === inList ? { rows: inList.rows } : {}) },
      ...(keeps ? { before: untouched(N * H), gates: untouched(N * 4 * H) } : { length, now: untouched(N * H) }),
    },
    expected: made(places, t, isLast, keeps),
    tolerance: within(nearU, nearR, nearG, nearNow),
  }));
});

/** ∂x and ∂u of a number of the memory where ∂h is d; `gates`: r, z, g, u_n. */
function blamedFor(d: number, [r, z, g, un]: readonly [number, number, number, number], held: number) {
  const dg = d * (1 - z) * (1 - g * g);
  const dz = d * (held - g) * z * (1 - z);
  const dr = dg * un * r * (1 - r);
  return { x: [dr, dz, dg], u: [dr, dz, dg * r] };
}

const backward = shapes.flatMap(([S, B, T, H], seed): Case[] =>
  [0, T - 1, 1].flatMap((unroll, k): Case[] => {
    const t = Math.max(0, T - 2);
    const { size, weightAt } = sizes(S, H);
    const N = S * B * T;
    const theta = numbers(seed, S * size, -1, 1);
    const gates = numbers(seed + 1 + k, N * 4 * H, 0.1, 0.9);
    const before = numbers(seed + 2, N * H, -1, 1);
    const dH = numbers(seed + 3, N * H, -1, 1);
    const dU = numbers(seed + 4, N * 3 * H, -1, 1);
    const dX = untouched(N * 3 * H);
    const made = ({ first, steps }: Places) => {
      const want = { dH: dH.slice(), dX: dX.slice(), dU: dU.slice() };
      for (let row = 0; row < S * B; row++) {
        if (t >= steps[row]!) continue;
        const step = first[row]! + t;
        const U = theta.subarray(Math.floor(row / B) * size + weightAt);
        for (let h = 0; h < H; h++) {
          const gate = (which: number, of = step): number => gates[of * 4 * H + which * H + h]!;
          let d = dH[step * H + h]!;
          if (t + 1 < steps[row]! && !(unroll > 0 && (t + 1) % unroll === 0)) {
            d += dH[(step + 1) * H + h]! * gate(1, step + 1);
            for (let j = 0; j < 3 * H; j++) d += dU[(step + 1) * 3 * H + j]! * U[h * 3 * H + j]!;
            want.dH[step * H + h] = d;
          }
          const { x, u } = blamedFor(d, [gate(0), gate(1), gate(2), gate(3)], before[step * H + h]!);
          x.forEach((v, part) => (want.dX[step * 3 * H + part * H + h] = v));
          u.forEach((v, part) => (want.dU[step * 3 * H + part * H + h] = v));
        }
      }
      return want;
    };
    const of = (places: Places, rows?: Uint32Array): Case => ({
      name: `gruCellBackward ${S}×${B}×${T}, memory ${H}, cut after ${unroll}${rows ? ', listed' : ''}`,
      kernel: rows ? kernels.gruCellListedBackward : kernels.gruCellBackward,
      dims: { B, T, H, t, unroll, size, weightAt },
      groups: groupsOf(S, B, H),
      buffers: { ...(rows ? { rows } : {}), theta, gates, before, dH: dH.slice(), dX, dU: dU.slice() },
      expected: made(places),
      // sums of at most 100 products below 1
      tolerance: { abs: 2e-5, rel: 1e-5 },
    });
    const inList = listed(seed, { S, B, T });
    return [of(every({ S, B, T })), of(inList, inList.rows)];
  }),
);

/** What a walk there and back does, step by step with the cells of above. */
const walks = [
  [1, 1, 1, 1],
  [2, 5, 3, 4],
  [1, 6, 4, 7],
  [3, 4, 2, 33],
].flatMap(([S, B, T, H], seed): Case[] => {
  const { size, weightAt, biasAt } = sizes(S!, H!);
  return [every({ S: S!, B: B!, T: T! }), listed(seed + 5, { S: S!, B: B!, T: T! })].flatMap((places) =>
    [0, 2].flatMap((unroll) => walk({ S: S!, B: B!, T: T!, H: H!, size, weightAt, biasAt, unroll, seed }, places)),
  );
});

type Walk = Sizes & ReturnType<typeof sizes> & { readonly H: number; readonly unroll: number; readonly seed: number };

function walk(
  { S, B, T, H, size, weightAt, biasAt, unroll, seed }: Walk,
  places: Places & { readonly rows?: Uint32Array },
): Case[] {
  const N = S * B * T;
  const theta = numbers(seed, S * size, -1, 1);
  const x = numbers(seed + 1, N * 3 * H, -2, 2);
  const own = numbers(seed + 3, N * H, -1, 1);
  const there = { after: untouched(N * H), before: untouched(N * H), gates: untouched(N * 4 * H) };
  const back = { dX: untouched(N * 3 * H), dU: untouched(N * 3 * H) };
  const want = structuredClone({ ...there, ...back });
  places.steps.forEach((steps, row) => {
    const s = Math.floor(row / B);
    const [U, c] = [theta.subarray(s * size + weightAt), theta.subarray(s * size + biasAt)];
    const first = places.first[row]!;
    const cells: Cell[] = [];
    let held = Array.from({ length: H }, () => 0);
    for (let step = first; step < first + steps; step++) {
      const cell = gruCell(x.subarray(step * 3 * H), held, U, c);
      want.before.set(held, step * H);
      want.gates.set([...cell.r, ...cell.z, ...cell.g, ...cell.un], step * 4 * H);
      want.after.set(cell.h, step * H);
      cells.push(cell);
      held = cell.h;
    }
    let [later, blamed] = [held.map(() => 0), Array.from({ length: 3 * H }, () => 0)];
    for (let t = steps - 1; t >= 0; t--) {
      const step = first + t;
      const { r, z, g, un } = cells[t]!;
      const isCut = t + 1 === steps || (unroll > 0 && (t + 1) % unroll === 0);
      const d = r.map((_, k) => {
        const products = blamed.map((u, j) => u * U[k * 3 * H + j]!);
        return own[step * H + k]! + (isCut ? 0 : products.reduce((a, b) => a + b, later[k]!));
      });
      const each = d.map((v, k) => blamedFor(v, [r[k]!, z[k]!, g[k]!, un[k]!], want.before[step * H + k]!));
      want.dX.set(
        [0, 1, 2].flatMap((part) => each.map(({ x }) => x[part]!)),
        step * 3 * H,
      );
      blamed = [0, 1, 2].flatMap((part) => each.map(({ u }) => u[part]!));
      want.dU.set(blamed, step * 3 * H);
      later = d.map((v, k) => v * z[k]!);
    }
  });
  const { after, before, gates, dX, dU } = want;
  const rows = places.rows ? { rows: places.rows } : {};
  const groups = [Math.ceil(B / 4), 1, S] as const;
  // errors of a step are handed to the next
  const tolerance = { abs: 1e-4, rel: 1e-4 };
  const name = `${S}×${B}×${T}, memory ${H}${places.rows ? ', listed' : ''}`;
  const dims = { B, T, H, size, weightAt };
  const forth: Case = {
    ...{ name: `gruWalk ${name}`, kernel: gruWalkWith(H, places.rows !== undefined), tolerance },
    ...{ dims: { ...dims, biasAt }, groups, expected: { after, before, gates } },
    buffers: { ...rows, theta, x, ...there },
  };
  const wayBack: Case = {
    name: `gruWalkBackward ${name}, cut after ${unroll}`,
    ...{ kernel: gruWalkBackwardWith(H, places.rows !== undefined), tolerance },
    ...{ dims: { ...dims, unroll }, groups, expected: { dX, dU } },
    buffers: { ...rows, theta, gates, before, dH: own, ...back },
  };
  return unroll === 0 ? [forth, wayBack] : [wayBack];
}

export const cases: readonly Case[] = [...forward, ...backward, ...walks];
