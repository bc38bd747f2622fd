export { KernelRejected } from '../../gpu/kernel.ts';

/** A run does not fit into the memory of the device; found while its buffers are made, never guessed afterwards. */
export class OutOfGpuMemory extends Error {
  readonly bytes: number;
  readonly largest: string;
  constructor(bytes: number, largest: string) {
    super('The device has not enough memory for this run.');
    this.bytes = bytes;
    this.largest = largest;
  }
}
