import type { ConvStep } from '../convProblem.ts';
import type { Step } from '../problem.ts';
import type { Candidate } from '../stats.ts';
import { jaxProduct, jaxStep } from './jax.ts';
import { jaxConvStep } from './jaxConv.ts';
import { ortProduct } from './ort.ts';
import { tfProduct, tfStep } from './tfjs.ts';
import { tfConvStep } from './tfjsConv.ts';

/** Every peer, by what it can do. A peer that does not start is named in the row's note. */

/** onnxruntime-web does not come to an end in Node. */
const inBrowser = typeof location !== 'undefined';

type Product = readonly [m: number, k: number, n: number, A: Float32Array, B: Float32Array];

export const gpuProducts = (...p: Product): Candidate[] => [
  { name: 'tfjs-webgpu', make: () => tfProduct('webgpu', ...p) },
  { name: 'jax-js webgpu', make: () => jaxProduct('webgpu', ...p) },
  ...(inBrowser ? [{ name: 'ort-webgpu', make: () => ortProduct('webgpu', ...p) }] : []),
];

export const cpuProducts = (...p: Product): Candidate[] => [
  { name: 'tfjs-wasm', make: () => tfProduct('wasm', ...p) },
  { name: 'jax-js wasm', make: () => jaxProduct('wasm', ...p) },
  ...(inBrowser ? [{ name: 'ort-wasm', make: () => ortProduct('wasm', ...p) }] : []),
];

export const gpuSteps = (problem: Step): Candidate[] => [
  { name: 'tfjs-webgpu', make: () => tfStep('webgpu', problem) },
  { name: 'jax-js webgpu', make: () => jaxStep('webgpu', problem) },
];

export const cpuSteps = (problem: Step, quick: boolean): Candidate[] => [
  { name: 'tfjs-wasm', make: () => tfStep('wasm', problem) },
  // plain JavaScript, far behind the others: not worth the time of a quick look
  ...(quick ? [] : [{ name: 'tfjs-cpu', make: () => tfStep('cpu', problem) }]),
  { name: 'jax-js wasm', make: () => jaxStep('wasm', problem) },
];

const jaxConv = (device: 'webgpu' | 'wasm', problem: ConvStep): Candidate[] => [
  { name: `jax-js ${device}`, make: () => jaxConvStep(device, problem, 'conv') },
  { name: `jax-js ${device}, as a product`, make: () => jaxConvStep(device, problem, 'product') },
];

export const gpuConvSteps = (problem: ConvStep): Candidate[] => [
  { name: 'tfjs-webgpu', make: () => tfConvStep('webgpu', problem) },
  ...jaxConv('webgpu', problem),
];

export const cpuConvSteps = (problem: ConvStep, quick: boolean): Candidate[] => [
  { name: 'tfjs-wasm', make: () => tfConvStep('wasm', problem) },
  ...(quick ? [] : [{ name: 'tfjs-cpu', make: () => tfConvStep('cpu', problem) }]),
  ...jaxConv('wasm', problem),
];
