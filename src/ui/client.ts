import * as Comlink from 'comlink';
import type { Problem } from '../core/problem.ts';
import type { GivenCores } from '../worker/cores.ts';
import type { Answer, Frame, Kept, LabWorker, Sign } from '../worker/protocol.ts';
import { PRELOAD } from '../core/marks.ts';
import { trustOwnWorkers } from '../worker/trusted.ts';
import { whenIdle } from './drawn.ts';
import { Heartbeat } from './heartbeat.ts';
import { Hired } from './hired.ts';
import { owedBy } from './owed.ts';

/** The page's only door to the worker: commands, and frames that are answered when they are drawn. */
export type Client = {
  readonly lab: Comlink.Remote<LabWorker>;
  /** True if the worker answers within this many milliseconds. */
  answers(withinMs: number): Promise<boolean>;
  /** The worker loads what it needs only later. */
  preload(): void;
  /** Ends the worker and starts a new one; frames of the old one no longer arrive, and what it owes is refused. */
  restart(): Client;
};

export type Handlers = {
  frame(frame: Frame): void;
  kept(kept: Kept): void;
  /** The worker is of no use any more. */
  lost(problem: Problem): void;
  patienceMs(): number;
  /** Runs stay in the browser's storage. */
  readonly keeps: boolean;
};

export function openClient(handlers: Handlers): Client {
  trustOwnWorkers();
  const worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' });
  const [data, life, hire] = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
  const hired = new Hired(hire.port1);
  let isOld = false;
  data.port1.onmessage = ({ data: frame }: MessageEvent<Frame>) => {
    if (isOld) return;
    const from = performance.now();
    handlers.frame(frame);
    whenIdle((busyMs) => data.port1.postMessage({ ack: frame.seq, busyMs } satisfies Answer), from);
  };
  const owed = owedBy(Comlink.wrap<LabWorker>(worker));
  const lose = (problem: Problem): void => {
    if (isOld) return;
    heart.stop();
    handlers.lost(problem);
    owed.end();
  };
  const line = lineTo(life.port1);
  const heart = new Heartbeat({
    ping: () => line.ping(),
    silent: () => lose({ kind: 'workerSilent' }),
    patienceMs: handlers.patienceMs,
  });
  // a worker shows that it lives as soon as it has come; one that ends before has not come
  let hasCome = false;
  line.listen((sign) => {
    if (isOld) return;
    hasCome = true;
    heart.hear(sign.kind === 'pong');
    if (sign.kind === 'kept') handlers.kept(sign.kept);
  });
  worker.onerror = (event) => {
    event.preventDefault();
    const message = event.message || 'no reason was given';
    lose(hasCome ? { kind: 'workerCrashed', message } : { kind: 'workerMissing' });
  };
  const automated = navigator.webdriver === true;
  const cores = automated ? coresOfTest() : undefined;
  const { keeps } = handlers;
  const ports = { port: data.port2, line: life.port2, hire: hire.port2 };
  worker.postMessage({ ...ports, automated, cores, keeps }, Object.values(ports));
  return {
    lab: owed.calls,
    preload: () => worker.postMessage(PRELOAD),
    answers: (withinMs) => line.answers(withinMs),
    restart() {
      isOld = true;
      heart.stop();
      worker.terminate();
      hired.end();
      data.port1.close();
      life.port1.close();
      owed.end();
      return openClient(handlers);
    },
  };
}

/** The page's end of the lifeline. Every ping has a number, so that each can be waited for. */
function lineTo(port: MessagePort) {
  let pings = 0;
  const waiting = new Map<number, () => void>();
  const ping = (): number => {
    port.postMessage({ ping: ++pings });
    return pings;
  };
  return {
    ping: (): void => void ping(),
    answers: (withinMs: number): Promise<boolean> =>
      new Promise((done) => {
        const late = setTimeout(() => done(false), withinMs);
        waiting.set(ping(), () => {
          clearTimeout(late);
          done(true);
        });
      }),
    listen(hear: (sign: Sign) => void): void {
      port.onmessage = ({ data: sign }: MessageEvent<Sign>) => {
        if (sign.kind === 'pong') {
          waiting.get(sign.ping)?.();
          waiting.delete(sign.ping);
        }
        hear(sign);
      };
    },
  };
}

/**
 * Tests choose how many cores there are, so that they mean the same on every machine: “4” are used from the start, of
 * “4 measured” as many as are found to be the fastest; one where nothing is stored.
 */
function coresOfTest(): GivenCores {
  try {
    const [cores, how] = (sessionStorage.getItem('cores') ?? '1').split(' ');
    return how === 'measured' ? { measured: Number(cores) } : Number(cores);
  } catch {
    return 1;
  }
}
