import '@tensorflow/tfjs-backend-cpu';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import '@tensorflow/tfjs-backend-webgpu';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { ADAM, CHECK_STEPS, joined, tensorsOf, type Step } from '../problem.ts';
import type { Contender } from '../types.ts';
import { cores, peerFiles } from './files.ts';

export type TfBackend = 'webgpu' | 'wasm' | 'cpu';

/** Makes a backend the current one; throws where it does not start. */
export async function start(backend: TfBackend): Promise<void> {
  if (backend === 'wasm' && !tf.engine().registry['wasm']) {
    setWasmPaths(peerFiles('tfjs-wasm'));
    setThreadsCount(cores());
  }
  tf.env().set('CHECK_COMPUTATION_FOR_ERRORS', false);
  if (!(await tf.setBackend(backend))) throw new Error(`the backend ${backend} does not start here`);
  await tf.ready();
}

/** Waits for everything issued so far by reading one number that depends on `x`. */
export async function settle(x: tf.Tensor): Promise<void> {
  const one = tf.tidy(() => tf.slice(tf.reshape(x, [-1]), [0], [1]));
  await one.data();
  one.dispose();
}

export async function tfProduct(
  backend: TfBackend,
  m: number,
  k: number,
  n: number,
  A: Float32Array,
  B: Float32Array,
): Promise<Contender> {
  await start(backend);
  const [a, b] = [tf.tensor2d(A, [m, k]), tf.tensor2d(B, [k, n])];
  return {
    name: `tfjs-${backend}`,
    async run(times) {
      await tf.setBackend(backend);
      for (let j = 0; j < times; j++) {
        const y = tf.matMul(a, b);
        if (j === times - 1) await settle(y);
        y.dispose();
      }
    },
    async check() {
      const y = tf.matMul(a, b);
      const values = (await y.data()) as Float32Array;
      y.dispose();
      return values;
    },
    dispose: () => tf.dispose([a, b]),
  };
}

/** The step with fused layers (product, bias and relu in one kernel), its gradients and the Adam of tfjs. */
export async function tfStep(backend: TfBackend, problem: Step): Promise<Contender> {
  await start(backend);
  const { rows, inputs, hidden, classes } = problem;
  const [w1, b1, w2, b2] = tensorsOf(problem) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const x = tf.tensor2d(problem.X, [rows, inputs]);
  const labels = tf.tidy(() =>
    tf.cast(tf.oneHot(tf.tensor1d(Int32Array.from(problem.labels), 'int32'), classes), 'float32'),
  );
  const weights = [
    tf.variable(tf.tensor2d(w1, [inputs, hidden])),
    tf.variable(tf.tensor1d(b1)),
    tf.variable(tf.tensor2d(w2, [hidden, classes])),
    tf.variable(tf.tensor1d(b2)),
  ] as const;
  const optimizer = tf.train.adam(ADAM.learningRate, ADAM.beta1, ADAM.beta2, ADAM.epsilon);
  const loss = (): tf.Scalar => {
    const h = tf.fused.matMul({ a: x, b: weights[0], bias: weights[1], activation: 'relu' });
    const logits = tf.fused.matMul({ a: h as tf.Tensor2D, b: weights[2] as tf.Tensor2D, bias: weights[3] });
    return tf.neg(tf.mean(tf.sum(tf.mul(labels, tf.logSoftmax(logits)), -1)));
  };
  const step = (): void => void optimizer.minimize(loss, false, [...weights]);
  return {
    name: `tfjs-${backend}`,
    async run(times) {
      await tf.setBackend(backend);
      for (let j = 0; j < times; j++) step();
      await settle(weights[0]);
    },
    async check() {
      for (let j = 0; j < CHECK_STEPS; j++) step();
      return joined(await Promise.all(weights.map((w) => w.data() as Promise<Float32Array>)));
    },
    dispose() {
      optimizer.dispose();
      tf.dispose([x, labels, ...weights]);
    },
  };
}
