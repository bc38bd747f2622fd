import sumOf from './shaders/metrics/sliceSum/sumOf.wgsl?raw';
import sums from './shaders/metrics/sliceSum/sums.wgsl?raw';
import summedNorm from './shaders/network/optimize/summedNorm.wgsl?raw';

const sumOver = (lanes: 64 | 256): string => `const SUMMED = ${lanes}u;\nconst ROOT = ${Math.sqrt(lanes)}u;\n${sumOf}`;

/** What a kernel with so many invocations of a workgroup is linked with where it adds up by the way what an optimizer step wants to know. */
export const keepsSumsOf = (lanes: 64 | 256): readonly string[] => [sumOver(lanes), sums];
/** What that step is linked with. */
export const readsSums: readonly string[] = [sumOver(64), summedNorm];
