import { expect, test } from 'vitest';

/** A worker, and what it says one after the other. */
function begin(parts: number) {
  const worker = new Worker(new URL('./curveFile.worker.ts', import.meta.url), { type: 'module' });
  const next = (): Promise<unknown> => new Promise((done) => (worker.onmessage = ({ data }) => done(data)));
  const written = next();
  worker.postMessage(parts);
  return {
    written,
    read: () => {
      const answer = next();
      worker.postMessage('read');
      return answer;
    },
    end: () => worker.terminate(),
  };
}

async function files(): Promise<string[]> {
  const root = await navigator.storage.getDirectory();
  const folder = (await root.getDirectoryHandle('curves', { create: true })) as FileSystemDirectoryHandle & {
    keys(): AsyncIterable<string>;
  };
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  return names;
}

test('curves that a worker moved to a file come back, also while another worker begins and clears what was left', async () => {
  const first = begin(40);
  expect(await first.written).toBe('written');
  const second = begin(3);
  expect(await second.written).toBe('written');
  expect(await first.read()).toEqual({ same: 40, told: [] });
  expect(await second.read()).toEqual({ same: 3, told: [] });
  expect(await files()).toHaveLength(2);
  for (const worker of [first, second]) worker.end();
  // whoever comes next finds the files of workers that are gone, once the browser has closed them
  await expect
    .poll(async () => {
      const third = begin(1);
      await third.written;
      const { length } = await files();
      third.end();
      return length;
    })
    .toBe(1);
});
