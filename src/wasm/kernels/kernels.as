export { activate, activateBackward } from './activation';
export { adam, squares } from './adam';
export { addTo, columnSums, product } from './product';
export { sparseForward, sparseGradient } from './sparse';
export { softmax } from './softmax';
export { weightSums } from './weights';

/** Where memory begins that no table lies in. */
export function free(): usize {
  return __heap_base;
}
