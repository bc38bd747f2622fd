import sumOf64 from './shaders/metrics/sliceSum/sumOf64.wgsl?raw';
import sums from './shaders/metrics/sliceSum/sums.wgsl?raw';
import summedNorm from './shaders/network/optimize/summedNorm.wgsl?raw';

/** What sliceSum is linked with where it adds up by the way what an optimizer step wants to know. */
export const keepsSums: readonly string[] = [sumOf64, sums];
/** What that step is linked with. */
export const readsSums: readonly string[] = [sumOf64, summedNorm];
