export { activate, activateBackward } from './activation';
export { adam } from './adam';
export { addTo, columnSums, fillRows, product } from './product';
export { sparseForward, sparseGradient } from './sparse';
