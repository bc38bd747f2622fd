/**
 * Waiting for a queue. Some engines look whether work is done on a timer only: Firefox every 100 ms (Mozilla bug 1870699). An
 * empty submission makes it look at once, so a wait there pokes the queue every millisecond until what it waits for is there.
 * Whether an engine needs that is measured when its device is opened; nothing is poked anywhere else.
 *
 * Measured in Firefox 153 over llvmpipe, medians of 20 waits for a short kernel, in ms: 100 without pokes, by
 * `onSubmittedWorkDone` and by `mapAsync` alike; 100 with `writeBuffer` or further calls of `onSubmittedWorkDone` as pokes; 2.2
 * with `submit([])` each millisecond (1.4 pokes a wait), 3.7 with one from every task (52 pokes), 5 from timers alone, which
 * browsers hold back to 4 ms.
 */

/** A wait for nothing that takes longer is worth a poke, and tells little of the work. */
const COARSE_MS = 8;
/** Between two pokes. */
const POKE_MS = 1;

type Grain = { needsPokes: boolean; ms: number };

const grains = new WeakMap<GPUQueue, Grain>();
/** waits for a queue at the moment */
const waits = new WeakMap<GPUQueue, number>();

/** A timer that is set from a message is not held back, however often. */
const nextPoke = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      setTimeout(resolve, POKE_MS);
    };
    port2.postMessage(null);
  });

/** Pokes while anybody waits: one loop for all waits of a queue. */
async function poke(queue: GPUQueue): Promise<void> {
  while ((waits.get(queue) ?? 0) > 0 && grains.get(queue)?.needsPokes) {
    queue.submit([]);
    await nextPoke();
  }
}

/** What `answer` gives, where that is told when the queue has got to it: the end of its work, or a buffer that is mapped. */
export async function told<T>(queue: GPUQueue, answer: Promise<T>): Promise<T> {
  const before = waits.get(queue) ?? 0;
  waits.set(queue, before + 1);
  if (before === 0) void poke(queue);
  try {
    return await answer;
  } finally {
    waits.set(queue, waits.get(queue)! - 1);
  }
}

/** Resolves when all that was submitted so far is done, with the time of that. */
export async function whenDone(queue: GPUQueue): Promise<number> {
  await told(queue, queue.onSubmittedWorkDone());
  return performance.now();
}

/** May what a wait took be learned from? Not where even a poked wait for nothing ends by a timer. */
export const isExact = (queue: GPUQueue): boolean => (grains.get(queue)?.ms ?? 0) <= COARSE_MS;

/** Finds out what a wait for nothing takes, and whether pokes make it shorter. The queue must be idle. */
export async function measureGrain(device: GPUDevice): Promise<void> {
  const { queue } = device;
  const grain: Grain = { needsPokes: false, ms: 0 };
  grains.set(queue, grain);
  const shortest = async (times: number): Promise<number> => {
    let least = Infinity;
    for (let k = 0; k < times && least > COARSE_MS; k++) {
      const from = performance.now();
      least = Math.min(least, (await whenDone(queue)) - from);
    }
    return least;
  };
  await whenDone(queue); // ends with a beat of the timer, if there is one
  const plain = await shortest(2);
  grain.ms = plain;
  if (plain <= COARSE_MS) return;
  grain.needsPokes = true;
  const poked = await shortest(3);
  if (poked < plain / 2) grain.ms = poked;
  else grain.needsPokes = false;
  // a device that is gone answers nobody
  void device.lost.then(() => (grain.needsPokes = false));
}
