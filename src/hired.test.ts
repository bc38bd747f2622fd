import { afterEach, expect, test, vi } from 'vitest';
import { hire, hireFrom } from './worker/hiring.ts';
import { Hired } from './ui/hired.ts';

/** Workers of a page, which say back what is told to them at their port. */
function pageOf() {
  const started: { url: string; ended: boolean; onerror: ((event: object) => void) | null }[] = [];
  class FakeWorker {
    ended = false;
    onerror: ((event: object) => void) | null = null;
    readonly url: string;
    constructor(url: URL) {
      this.url = url.href;
      started.push(this);
    }
    postMessage({ port }: { port: MessagePort }): void {
      port.onmessage = ({ data }) => port.postMessage(`${String(data)}, said ${started.indexOf(this)}`);
    }
    terminate(): void {
      this.ended = true;
    }
  }
  vi.stubGlobal('Worker', FakeWorker);
  const { port1, port2 } = new MessageChannel();
  hireFrom(port2);
  return { started, page: new Hired(port1) };
}

afterEach(() => vi.unstubAllGlobals());

test('workers on other cores are started and ended by the page, and reached from the one that trains', async () => {
  const { started, page } = pageOf();
  const heard: string[] = [];
  const failed: string[] = [];
  const [a, b] = [0, 1].map((k) => hire((message) => failed.push(`${k}: ${message}`)));
  for (const { port } of [a!, b!]) {
    port.onmessage = ({ data }) => heard.push(data);
    port.postMessage('hello');
  }
  await vi.waitFor(() => expect(heard.sort()).toEqual(['hello, said 0', 'hello, said 1']));
  expect(started.map(({ url }) => url.endsWith('/worker/replicas.worker.ts'))).toEqual([true, true]);

  const prevented = vi.fn<() => void>();
  started[1]!.onerror!({ message: 'broken', preventDefault: prevented });
  started[0]!.onerror!({ message: '', preventDefault: prevented });
  await vi.waitFor(() => expect(failed).toHaveLength(2));
  expect(failed).toEqual(['1: broken', '0: A worker on another core stopped without a reason.']);
  expect(prevented).toHaveBeenCalledTimes(2);

  a!.end();
  await vi.waitFor(() => expect(started.map(({ ended }) => ended)).toEqual([true, false]));
  // the page ends the worker that trains, and with it all that work for it
  page.end();
  expect(started.map(({ ended }) => ended)).toEqual([true, true]);
});
