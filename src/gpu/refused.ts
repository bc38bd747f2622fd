/** The device refused work that it was given. Nothing of that work was done, so that what it holds now means nothing. */
export class WorkRefused extends Error {
  constructor(message: string) {
    // what follows the first line is where in the call it was
    super(message.split('\n', 1)[0]!.slice(0, 300));
  }
}

/** A kernel needs more at once than the device allows. Found while it is recorded, before anything runs. */
export class LimitExceeded extends Error {
  readonly what: string;
  readonly needed: string;
  readonly available: string;
  constructor(what: string, needed: string, available: string) {
    super(`${what} of ${needed} is more than the ${available} of this device.`);
    this.what = what;
    this.needed = needed;
    this.available = available;
  }
}

/** A driver that refuses a kernel says so here, with the kernel's name. */
export class KernelRejected extends Error {
  readonly kernel: string;
  constructor(kernel: string, message: string) {
    super(message);
    this.kernel = kernel;
  }
}
