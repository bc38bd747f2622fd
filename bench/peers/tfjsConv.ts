import * as tf from '@tensorflow/tfjs-core';
import { convTensors, type ConvStep } from '../convProblem.ts';
import { ADAM, CHECK_STEPS, joined } from '../problem.ts';
import type { Contender } from '../types.ts';
import { settle, start, type TfBackend } from './tfjs.ts';

/** A convolution as nine shifted copies side by side and one product: WebAssembly has no gradient of `conv2d`. */
function shifted(x: tf.Tensor4D, w: tf.Tensor4D, bias: tf.Tensor1D): tf.Tensor4D {
  const [rows, height, width, depth] = x.shape;
  const padded = tf.pad(x, [
    [0, 0],
    [1, 1],
    [1, 1],
    [0, 0],
  ]);
  const parts = Array.from({ length: 9 }, (_, d) =>
    tf.slice(padded, [0, Math.floor(d / 3), d % 3, 0], [rows, height, width, depth]),
  );
  const a = tf.reshape(tf.concat(parts, 3), [rows * height * width, 9 * depth]) as tf.Tensor2D;
  const b = tf.reshape(w, [9 * depth, w.shape[3]]) as tf.Tensor2D;
  return tf.reshape(tf.fused.matMul({ a, b, bias, activation: 'relu' }), [rows, height, width, w.shape[3]]);
}

const whole = (x: tf.Tensor4D, filter: tf.Tensor4D, bias: tf.Tensor1D): tf.Tensor4D =>
  tf.fused.conv2d({ x, filter, strides: 1, pad: 'same', bias, activation: 'relu' });

/** The step with fused layers (convolution or product, bias and relu in one kernel), its gradients and the Adam of tfjs. */
export async function tfConvStep(backend: TfBackend, problem: ConvStep): Promise<Contender> {
  await start(backend);
  const { rows, shape } = problem;
  const { board, layers, channels, hidden, actions } = shape;
  const { height, width, planes } = board;
  const x = tf.tensor4d(problem.X, [rows, height, width, planes]);
  const labels = tf.tidy(() =>
    tf.cast(tf.oneHot(tf.tensor1d(Int32Array.from(problem.labels), 'int32'), actions), 'float32'),
  );
  const tensors = convTensors(problem);
  const sizes = [
    ...Array.from({ length: layers }, (_, k) => [[3, 3, k === 0 ? planes : channels, channels], [channels]]).flat(),
    ...[[height * width * channels, hidden], [hidden], [hidden, actions], [actions]],
  ];
  const weights = tensors.map((values, k) => tf.variable(tf.tensor(values, sizes[k]!)));
  const [D, d, V, v] = weights.slice(2 * layers) as tf.Tensor[];
  const convolution = backend === 'wasm' ? shifted : whole;
  const optimizer = tf.train.adam(ADAM.learningRate, ADAM.beta1, ADAM.beta2, ADAM.epsilon);
  const loss = (): tf.Scalar => {
    let map = x;
    for (let k = 0; k < layers; k++)
      map = convolution(map, weights[2 * k] as unknown as tf.Tensor4D, weights[2 * k + 1] as unknown as tf.Tensor1D);
    const flat = tf.reshape(map, [rows, height * width * channels]) as tf.Tensor2D;
    const h = tf.fused.matMul({ a: flat, b: D as tf.Tensor2D, bias: d!, activation: 'relu' });
    const logits = tf.fused.matMul({ a: h as tf.Tensor2D, b: V as tf.Tensor2D, bias: v! });
    return tf.neg(tf.mean(tf.sum(tf.mul(labels, tf.logSoftmax(logits)), -1)));
  };
  const step = (): void => void optimizer.minimize(loss, false, weights);
  return {
    name: `tfjs-${backend}`,
    async run(times) {
      await tf.setBackend(backend);
      for (let j = 0; j < times; j++) step();
      await settle(weights[0]!);
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
