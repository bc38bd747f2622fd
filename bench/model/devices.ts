/**
 * What the model assumes of a device. These are assumptions, not measurements, but where `from` says so; an estimate that is
 * made of them may be wrong by a factor of three.
 */
export type ModelDevice = {
  readonly name: string;
  /** of a dispatch that waits for the one before it in the same pass */
  readonly dispatchUs: number;
  /** of a submission, with its passes */
  readonly submitUs: number;
  /** of the way of a report to the CPU, which the next update may overlap */
  readonly readBackUs: number;
  readonly gigabytesPerS: number;
  /** multiply-adds count twice */
  readonly teraflops: number;
  /** of these that kernels without tiles reach where they fill the device */
  readonly efficiency: number;
  /** what one invocation does alone, where it waits for its own results and for memory */
  readonly laneGigaflops: number;
  readonly laneLoadNs: number;
  /** of a number that one invocation reads again and again in a step of an episode, and of an operation that it does there (stepWork.ts) */
  readonly laneReadNs: number;
  readonly laneOperationNs: number;
  readonly from: string;
};

/**
 * - H200: peaks as measured through WebGPU (the ceilings in docs/benchmarks.md: 58.7 TFLOP/s, 3,275 GB/s). A product of
 *   64×64×64 takes 29 µs there, 128³ 41 µs, 256³ 51 µs: about 12 µs of a dispatch, and 0.19 µs for each step of a sum of
 *   8×8 blocks, which is 0.67 GFLOP/s of an invocation. An invocation that reads one number after the other
 *   waits about 0.6 µs for each, four of which overlap; what it reads again and again is in its cache. A step of an episode is as in
 *   stepWork.ts.
 * - RTX 4070: 29.1 TFLOP/s and 504 GB/s (NVIDIA's data sheet: 5,888 cores at 2.475 GHz, 192 bits of GDDR6X at 21 Gbit/s). Per
 *   dispatch, per submission and per invocation as on the H200: the same maker's driver, a clock a quarter higher, memory
 *   about as far away. Time that Chromium needs to hand over a dispatch is hidden by the work before it.
 * - Integrated: 96 units at 1.3 GHz, 2 TFLOP/s, 68 GB/s (Intel's data sheets of Iris Xe with LPDDR4X-4266). 30 µs for a dispatch
 *   are between the 24–36 µs on Vulkan and 32–71 µs on Metal of arXiv 2604.02344, which also counts the handing over. An
 *   invocation is half as fast as on the H200.
 */
export const DEVICES: readonly ModelDevice[] = [
  {
    name: 'integrated',
    ...{ dispatchUs: 30, submitUs: 100, readBackUs: 1000, gigabytesPerS: 68, teraflops: 2, efficiency: 0.15 },
    ...{ laneGigaflops: 0.33, laneLoadNs: 200, laneReadNs: 40, laneOperationNs: 9.6 },
    from: 'data sheets and arXiv 2604.02344',
  },
  {
    name: 'RTX 4070',
    ...{ dispatchUs: 12, submitUs: 30, readBackUs: 300, gigabytesPerS: 504, teraflops: 29.1, efficiency: 0.15 },
    ...{ laneGigaflops: 0.67, laneLoadNs: 110, laneReadNs: 20, laneOperationNs: 4.8 },
    from: 'data sheet; per dispatch and invocation as the H200',
  },
  {
    name: 'H200',
    ...{ dispatchUs: 12, submitUs: 30, readBackUs: 300, gigabytesPerS: 3275, teraflops: 58.7, efficiency: 0.15 },
    ...{ laneGigaflops: 0.67, laneLoadNs: 110, laneReadNs: 20, laneOperationNs: 4.8 },
    from: 'measured (docs/benchmarks.md)',
  },
];

/** Firefox tells that work is done on a timer (Mozilla bug 1870699): whoever only waits learns of it so much later. */
export const FIREFOX_TIMER_MS = 100;
