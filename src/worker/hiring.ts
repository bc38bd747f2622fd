import type { Fired, Hire } from './protocol.ts';

/** A worker on another core, as the one that trains reaches it. */
export type Hired = { readonly port: MessagePort; end(): void };

let page: MessagePort | null = null;
const failures = new Map<number, (message: string) => void>();
let last = 0;

/**
 * The page starts workers for this one. A worker that starts another one waits until the page has been told of it, and in Firefox (153)
 * sometimes for ever: one of a hundred that started three each did.
 */
export function hireFrom(port: MessagePort): void {
  page = port;
  port.onmessage = ({ data }: MessageEvent<Fired>) => failures.get(data.failed)?.(data.message);
}

/** Starts a worker on another core; `fails` is told why it cannot go on. */
export function hire(fails: (message: string) => void): Hired {
  const { port1, port2 } = new MessageChannel();
  const id = ++last;
  const say = (what: Hire, moved: Transferable[]): void => {
    if (!page) throw new Error('There is no page that starts workers.');
    page.postMessage(what, moved);
  };
  failures.set(id, (message) => fails(message || 'A worker on another core stopped without a reason.'));
  say({ start: id, port: port2 }, [port2]);
  return {
    port: port1,
    end() {
      failures.delete(id);
      port1.close();
      say({ end: id }, []);
    },
  };
}
