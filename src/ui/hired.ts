import type { Fired, Hire } from '../worker/protocol.ts';

/** Workers on other cores that the page starts for the one that trains, and ends with it. */
export class Hired {
  private readonly port: MessagePort;
  private readonly workers = new Map<number, Worker>();

  constructor(port: MessagePort) {
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<Hire>) => {
      if ('end' in data) this.finish(data.end);
      else this.start(data.start, data.port);
    };
  }

  private start(id: number, port: MessagePort): void {
    const worker = new Worker(new URL('../worker/replicas.worker.ts', import.meta.url), { type: 'module' });
    this.workers.set(id, worker);
    worker.onerror = (event) => {
      event.preventDefault();
      this.port.postMessage({ failed: id, message: event.message } satisfies Fired);
    };
    worker.postMessage({ port }, [port]);
  }

  private finish(id: number): void {
    this.workers.get(id)?.terminate();
    this.workers.delete(id);
  }

  end(): void {
    for (const id of this.workers.keys()) this.finish(id);
    this.port.close();
  }
}
