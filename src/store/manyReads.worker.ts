import { slotsOf } from './files.ts';

/** Reads a slot again and again while the garbage collector has much to do; answers when all were read. */
self.onmessage = async ({ data: times }: MessageEvent<number>): Promise<void> => {
  let waste: Uint8Array[] = [];
  const litter = setInterval(() => {
    for (let k = 0; k < 20; k++) waste.push(new Uint8Array(200_000));
    if (waste.length > 200) waste = [];
  }, 1);
  const turn = (): Promise<void> => new Promise((next) => void setTimeout(next));
  const [slot] = await slotsOf('many-reads');
  for (let k = 0; k < times; k++) {
    await slot.read();
    if (k % 3 === 0) await turn();
  }
  clearInterval(litter);
  self.postMessage(times);
};
