import { blockUntilReady, defaultDevice, init, jit, nn, numpy as np, tree, valueAndGrad } from '@jax-js/jax';
import { ADAM, CHECK_STEPS, joined, tensorsOf, type Step } from '../problem.ts';
import type { Contender } from '../types.ts';

export type JaxDevice = 'webgpu' | 'wasm';

/** Arrays made from here on live on `device`; throws where it does not start. */
export async function startJax(device: JaxDevice): Promise<void> {
  if (!(await init(device)).includes(device)) throw new Error(`the device ${device} does not start here`);
  defaultDevice(device);
}

export async function jaxProduct(
  device: JaxDevice,
  m: number,
  k: number,
  n: number,
  A: Float32Array,
  B: Float32Array,
): Promise<Contender> {
  await startJax(device);
  const a = np.array(A, { shape: [m, k], device });
  const b = np.array(B, { shape: [k, n], device });
  const product = jit((x: np.Array, y: np.Array) => np.matmul(x, y));
  return {
    name: `jax-js ${device}`,
    async run(times) {
      defaultDevice(device);
      // all results are kept until they are there: jax-js does not compute what is given up before
      const results = Array.from({ length: times }, () => product(a.ref, b.ref));
      await blockUntilReady(results);
      tree.dispose(results);
    },
    check: async () => (await product(a.ref, b.ref).data()) as Float32Array,
    dispose() {
      a.dispose();
      b.dispose();
      product.dispose();
    },
  };
}

export type Params = { w1: np.Array; b1: np.Array; w2: np.Array; b2: np.Array };
export type Moments = { p: Params; m: Params; v: Params };
const NAMES = ['w1', 'b1', 'w2', 'b2'] as const;

type OneMoments = { p: np.Array; m: np.Array; v: np.Array };

/** One Adam step of one tensor; `c1` and `c2` are 1 − βⁿ, and with a rate that is an array they stay with the caller. */
export function adamOf(
  { p, m, v }: OneMoments,
  g: np.Array,
  learningRate: number | np.Array,
  c1: np.Array,
  c2: np.Array,
): OneMoments {
  const m1 = m.mul(ADAM.beta1).add(g.ref.mul(1 - ADAM.beta1));
  const v1 = v.mul(ADAM.beta2).add(np.square(g).mul(1 - ADAM.beta2));
  const move = m1.ref.div(c1.ref).div(np.sqrt(v1.ref.div(c2.ref)).add(ADAM.epsilon));
  return { p: p.sub(move.mul(typeof learningRate === 'number' ? learningRate : learningRate.ref)), m: m1, v: v1 };
}

/** One Adam step of all parameters. Takes ownership of everything, as jax-js functions do. */
export function adamStep(
  { p, m, v }: Moments,
  g: Params,
  learningRate: number | np.Array,
  c1: np.Array,
  c2: np.Array,
): Moments {
  const next: Moments = { p: { ...p }, m: { ...m }, v: { ...v } };
  for (const name of NAMES) {
    const one = adamOf({ p: p[name], m: m[name], v: v[name] }, g[name], learningRate, c1, c2);
    next.p[name] = one.p;
    next.m[name] = one.m;
    next.v[name] = one.v;
  }
  c1.dispose();
  c2.dispose();
  if (typeof learningRate !== 'number') learningRate.dispose();
  return next;
}

export function momentsOf(problem: Step, device: JaxDevice): Moments {
  const tensors = tensorsOf(problem);
  const shapes = problem.layout.tensors.map(({ kind, rows, cols }) => (kind === 'weight' ? [rows, cols] : [cols]));
  const make = (values: (k: number) => Float32Array): Params =>
    Object.fromEntries(
      NAMES.map((name, k) => [name, np.array(values(k) as Float32Array<ArrayBuffer>, { shape: shapes[k]!, device })]),
    ) as Params;
  const zeros = (k: number): Float32Array => new Float32Array(tensors[k]!.length);
  return { p: make((k) => tensors[k]!), m: make(zeros), v: make(zeros) };
}

const readParams = async ({ p }: Moments): Promise<Float32Array> =>
  joined(await Promise.all(NAMES.map((name) => p[name].ref.data() as Promise<Float32Array>)));

/** The step as one jitted function: loss, gradients and Adam; the old state is consumed by the call. */
export async function jaxStep(device: JaxDevice, problem: Step): Promise<Contender> {
  await startJax(device);
  const { rows, inputs, classes } = problem;
  const x = np.array(problem.X as Float32Array<ArrayBuffer>, { shape: [rows, inputs], device });
  const labels = nn.oneHot(np.array(Int32Array.from(problem.labels), { device }), classes);
  const loss = ({ w1, b1, w2, b2 }: Params, X: np.Array, Y: np.Array): np.Array => {
    const h = nn.relu(np.matmul(X, w1).add(b1));
    const logits = np.matmul(h, w2).add(b2);
    return nn
      .logSoftmax(logits)
      .mul(Y)
      .sum()
      .mul(-1 / rows);
  };
  const update = jit((state: Moments, X: np.Array, Y: np.Array, c1: np.Array, c2: np.Array): [Moments, np.Array] => {
    const [L, g] = valueAndGrad(loss)(tree.ref(state.p), X, Y);
    return [adamStep(state, g as Params, ADAM.learningRate, c1, c2), L];
  });
  let state = momentsOf(problem, device);
  let steps = 0;
  const step = (): void => {
    steps++;
    const scale = (beta: number): np.Array => np.array(Float32Array.of(1 - beta ** steps), { shape: [], device });
    const [next, L] = update(state, x.ref, labels.ref, scale(ADAM.beta1), scale(ADAM.beta2)) as [Moments, np.Array];
    state = next;
    L.dispose();
  };
  return {
    name: `jax-js ${device}`,
    async run(times) {
      defaultDevice(device);
      for (let j = 0; j < times; j++) step();
      await blockUntilReady(state);
    },
    async check() {
      for (let j = 0; j < CHECK_STEPS; j++) step();
      return readParams(state);
    },
    dispose() {
      tree.dispose(state);
      x.dispose();
      labels.dispose();
      update.dispose();
    },
  };
}
