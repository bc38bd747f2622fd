import { adam } from '../../src/methods/optimizer/adam.ts';
import { activate, activateBackward, denseBackward, denseForward, denseGradient } from '../../src/policies/dense.ts';
import { ADAM, CHECK_STEPS, type Step } from '../problem.ts';
import type { Contender } from '../types.ts';
import { withoutPadding } from './stepGpu.ts';

/** Rows worked on at once, as the CPU backend does. */
const CHUNK = 128;

/** The training step with the TypeScript layers of the CPU backend: a function that does one step in place. */
export function makeStepTs(problem: Step): { readonly theta: Float32Array; step(): void } {
  const { rows, inputs, hidden, classes, layout, X, labels } = problem;
  const theta = problem.theta.slice();
  const [m, v, gradient] = [0, 0, 0].map(() => new Float32Array(layout.size)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const [Z, H, dH] = [0, 0, 0].map(() => new Float32Array(CHUNK * hidden)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const out = new Float32Array(CHUNK * classes);
  const [w1, b1, w2, b2] = layout.tensors.map((t) => t.offset) as [number, number, number, number];
  let steps = 0;
  return {
    theta,
    step() {
      gradient.fill(0);
      for (let from = 0; from < rows; from += CHUNK) {
        const n = Math.min(CHUNK, rows - from);
        const x = X.subarray(from * inputs, (from + n) * inputs);
        denseForward(x, n, inputs, theta, w1, b1, hidden, Z);
        activate('relu', Z, n * hidden, H);
        denseForward(H, n, hidden, theta, w2, b2, classes, out);
        crossEntropyGradient(out, labels, from, n, classes, rows);
        denseGradient(H, out, n, hidden, classes, gradient, w2, b2);
        denseBackward(out, n, classes, theta, w2, hidden, dH);
        activateBackward('relu', Z, H, n * hidden, dH);
        denseGradient(x, dH, n, inputs, hidden, gradient, w1, b1);
      }
      adam.step(theta, gradient, m, v, ++steps, ADAM.learningRate, { ...ADAM, weightDecay: 0 });
    },
  };
}

/** Logits → (softmax − one-hot) / rows, in place. */
function crossEntropyGradient(
  out: Float32Array,
  labels: Uint32Array,
  from: number,
  n: number,
  classes: number,
  rows: number,
): void {
  for (let r = 0; r < n; r++) {
    const at = r * classes;
    let top = -Infinity;
    for (let c = 0; c < classes; c++) top = Math.max(top, out[at + c]!);
    let total = 0;
    for (let c = 0; c < classes; c++) total += out[at + c] = Math.exp(out[at + c]! - top);
    for (let c = 0; c < classes; c++) out[at + c] = (out[at + c]! / total - (c === labels[from + r] ? 1 : 0)) / rows;
  }
}

/** Parameters after the steps of the check: what everyone is compared with. */
export function expectedStep(problem: Step): Float32Array {
  const { theta, step } = makeStepTs(problem);
  for (let k = 0; k < CHECK_STEPS; k++) step();
  return withoutPadding(problem, theta);
}

export async function oursStepCpu(problem: Step): Promise<Contender> {
  const { theta, step } = makeStepTs(problem);
  return {
    name: 'ours ts',
    run: async (times) => {
      for (let k = 0; k < times; k++) step();
    },
    check: async () => {
      for (let k = 0; k < CHECK_STEPS; k++) step();
      return withoutPadding(problem, theta);
    },
    dispose: () => undefined,
  };
}
