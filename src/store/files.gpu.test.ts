import { expect, test } from 'vitest';
import { deleteSlots } from './files.ts';

// in a real browser, and the only one of the storage: no other shows what its garbage collector takes
test('a file is opened however often memory is collected meanwhile', { timeout: 120_000 }, async () => {
  const worker = new Worker(new URL('./manyReads.worker.ts', import.meta.url), { type: 'module' });
  const answer = new Promise((done) => (worker.onmessage = ({ data }: MessageEvent<number>) => done(data)));
  worker.postMessage(3000);
  expect(await answer).toBe(3000);
  worker.terminate();
  await deleteSlots('many-reads');
});
