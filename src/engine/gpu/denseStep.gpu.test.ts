import { expect, test } from 'vitest';
import { numbers } from '../../gpu/conformance.ts';
import { readBack, whole } from '../../gpu/recorder.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { adam } from '../../slots/optimizer/adam.ts';
import { activate, activateBackward, denseBackward, denseForward, denseGradient } from '../../networks/dense/dense.ts';
import type { Activation } from '../../networks/dense/shape.ts';
import { layerOf, type DenseNet } from '../../networks/dense/denseList.ts';
import { recordDenseStep } from './denseStep.ts';

const gpu = await testDevice();
const ROWS = 130;
const params = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 };
const rule = { wgsl: adam.wgsl, uniforms: adam.uniforms(params) };

/** The gradient by the definitions of the CPU, for a loss with the gradient `dOut` at the outputs. */
function expected(net: DenseNet, X: Float32Array, theta: Float32Array, dOut: Float32Array): Float32Array {
  const { widths, size } = net.layout;
  const last = widths.length - 2;
  const weights = { theta, from: 0 };
  const Z: Float32Array[] = [];
  const H = [X];
  for (let k = 0; k <= last; k++) {
    const layer = layerOf(net, k);
    const { out } = layer;
    Z.push(new Float32Array(ROWS * out));
    denseForward(layer, weights, H[k]!, ROWS, Z[k]!);
    H.push(new Float32Array(ROWS * out));
    activate(net.activation, Z[k]!, ROWS * out, H[k + 1]!);
  }
  const gradient = new Float32Array(size);
  let dY = dOut;
  for (let k = last; k >= 0; k--) {
    const layer = layerOf(net, k);
    const { inputs } = layer;
    denseGradient(layer, gradient, H[k]!, dY, ROWS);
    if (k === 0) break;
    const dX = new Float32Array(ROWS * inputs);
    denseBackward(layer, weights, dY, ROWS, dX);
    activateBackward(net.activation, Z[k - 1]!, H[k]!, ROWS * inputs, dX);
    dY = dX;
  }
  return gradient;
}

test.each<readonly [Activation, readonly number[]]>([
  ['relu', [20, 16, 4]],
  ['gelu', [7, 12, 9, 5]],
])(
  'a recorded step with %s over %j has the gradients of the definitions and moves against them',
  async (activation, widths) => {
    const dOut = numbers(3, ROWS * widths.at(-1)!, -1 / ROWS, 1 / ROWS);
    const step = await recordDenseStep(gpu, { rows: ROWS, widths, activation }, rule, (_list, _out, d) => {
      gpu.device.queue.writeBuffer(d, 0, dOut as Float32Array<ArrayBuffer>);
      return Promise.resolve();
    });
    const { layout } = step;
    const X = numbers(1, ROWS * widths[0]!);
    // padding floats of the vector are 0, as in every run
    const theta = new Float32Array(layout.size);
    for (const { rows, cols, offset } of layout.tensors) theta.set(numbers(offset, rows * cols, -0.5, 0.5), offset);
    const { queue } = gpu.device;
    queue.writeBuffer(step.X, 0, X as Float32Array<ArrayBuffer>);
    queue.writeBuffer(step.theta, 0, theta);
    queue.writeBuffer(step.rates, 0, Float32Array.of(0.01, 0.1, 0.001, 0));
    const encoder = gpu.device.createCommandEncoder();
    step.list.encode(encoder);
    queue.submit([encoder.finish()]);
    const read = async (buffer: GPUBuffer): Promise<Float32Array> =>
      new Float32Array(await readBack(gpu, whole(buffer))).slice(0, layout.size);
    const [gradient, moved] = [await read(step.gradient), await read(step.theta)];
    const net = { S: 1, rows: ROWS, maxRows: ROWS, layout, activation, tiles: { tiled: false, fineUpTo: 0 } };
    const want = expected(net, X, theta, dOut);
    want.forEach((g, k) => {
      // sums of 130 products of about 1/130; tanh inside gelu to 1e-5
      expect(Math.abs(gradient[k]! - g), `gradient[${k}]`).toBeLessThanOrEqual(2e-6 + 3e-5 * Math.abs(g));
      // the first step of Adam is the learning rate against the sign of the gradient
      if (Math.abs(g) > 1e-4) expect(moved[k]! - theta[k]!, `θ[${k}]`).toBeCloseTo(-0.01 * Math.sign(g), 5);
    });
    step.free();
  },
);
