export { activate, activateBackward } from './activation';
export { adam } from './adam';
export { columnSums, product } from './product';
export { sparseForward, sparseGradient } from './sparse';
