import { cpuProducts, gpuProducts } from '../peers/list.ts';
import { gaussians } from '../problem.ts';
import { onAllCores } from '../ours/cores/crew.ts';
import { oursProduct } from '../ours/dense.ts';
import { oursProductCpu } from '../ours/productCpu.ts';
import { distance, type Candidate } from '../stats.ts';
import type { Bench } from '../types.ts';
import { asked, cpuName, measure, rates } from './measure.ts';

type Shape = readonly [m: number, k: number, n: number];

const QUICK: readonly Shape[] = [
  [64, 64, 64],
  [256, 256, 256],
  [4096, 128, 128],
];
const SHAPES: readonly Shape[] = [
  [64, 64, 64],
  [128, 128, 128],
  [256, 256, 256],
  [512, 512, 512],
  [1024, 1024, 1024],
  [4096, 128, 128],
  [1000, 77, 50],
  [4095, 129, 5],
  [17, 1023, 333],
];
/** Only where a GPU does the work. */
const LARGE: Shape = [2048, 2048, 2048];
const CHECKED_ROWS = 16;

/** The sum of K products of about 1, added up in any order: relative distance far below this when right. */
const TOLERANCE = 1e-5;

/** Distance of a few rows of the result from sums in f64. */
function errorOf([m, k, n]: Shape, A: Float32Array, B: Float32Array): (Y: Float32Array) => number {
  const rows = Array.from({ length: Math.min(m, CHECKED_ROWS) }, (_, j) =>
    Math.floor((j * m) / Math.min(m, CHECKED_ROWS)),
  );
  const expected = new Float32Array(rows.length * n);
  rows.forEach((r, j) => {
    for (let c = 0; c < n; c++) {
      let sum = 0;
      for (let i = 0; i < k; i++) sum += A[r * k + i]! * B[i * n + c]!;
      expected[j * n + c] = sum;
    }
  });
  return (Y) => {
    if (Y.length !== m * n) return Infinity;
    const got = new Float32Array(rows.length * n);
    rows.forEach((r, j) => got.set(Y.subarray(r * n, (r + 1) * n), j * n));
    return distance(got, expected);
  };
}

/** C = A·B at many shapes: the product of the forward pass, on WebGPU and on the CPU. */
export async function matmul(bench: Bench): Promise<void> {
  const { options, gpu, device } = bench;
  const shapes = options.quick ? QUICK : [...SHAPES, ...(device.software || !gpu ? [] : [LARGE])];
  for (const shape of shapes) {
    const [m, k, n] = shape;
    const text = `${m}×${k}×${n}`;
    const [A, B] = [gaussians(1, m * k), gaussians(2, k * n)];
    const error = errorOf(shape, A, B);
    const flops = 2 * m * k * n;
    const put = (name: string, candidates: readonly Candidate[]) =>
      measure(bench, {
        ...{ name, shape: text, candidates, error, tolerance: TOLERANCE },
        numbers: (ms) => rates(bench, name, ms, flops, 4 * (m * k + k * n + m * n)),
      });
    if (gpu && asked(bench, 'webgpu')) {
      await put('matmul webgpu', [
        { name: 'ours', make: () => oursProduct(gpu, m, k, n, A, B) },
        ...(bench.peers ? gpuProducts(m, k, n, A, B) : []),
      ]);
    }
    if (asked(bench, 'cpu') && flops <= 2 * 1024 ** 3) {
      const ours = oursProductCpu(m, k, n, A, B);
      await put(cpuName(bench, 'matmul'), [
        ...ours,
        ...onAllCores({ kind: 'product', product: [m, k, n, A, B] }, ours[0]!.make),
        ...(bench.peers ? cpuProducts(m, k, n, A, B) : []),
      ]);
    }
  }
}
