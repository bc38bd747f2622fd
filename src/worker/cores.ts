import * as Comlink from 'comlink';
import type { MakeBackend } from '../engine/backend.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { parallelBackendOn } from '../engine/cpu/parallelBackend.ts';
import { coresOfRun } from '../engine/cpu/rows/coresFor.ts';
import type { RowLink } from '../engine/cpu/rows/rowHand.ts';
import type { Share } from '../engine/cpu/share.ts';
import type { FarCore } from './farCore.ts';

/** One core is left to the page. */
const SPARE = 1;
const MOST = 8;

type Far = Comlink.Remote<FarCore>;

/** The cores of this machine for the CPU path: workers are started when they are first needed, and used again. */
export class Cores {
  private readonly free: Far[] = [];
  private readonly started: Far[] = [];
  private readonly heard: () => void;
  /** workers that a run may have */
  private readonly most: number;

  /** `cores` replaces what the machine has, in tests; `heard` is called when a worker in the middle of work shows that it lives. */
  constructor(cores?: number, heard: () => void = () => undefined) {
    this.heard = heard;
    this.most = Math.min(MOST, (cores ?? globalThis.navigator?.hardwareConcurrency ?? 1) - SPARE);
  }

  /**
   * Several seeds are spread over the cores. The rows of one are, where workers may share memory and its batches are worth it;
   * else this worker does all.
   */
  readonly make: MakeBackend = async (plan, state) => {
    const n = Math.min(this.most, plan.S);
    if (n >= 2) return parallelBackendOn(() => this.take(n).map((far) => this.share(far)))(plan, state);
    const cores = globalThis.crossOriginIsolated ? coresOfRun(plan, this.most) : 1;
    if (cores < 2) return makeCpuBackend(plan, state);
    const { rowsOn } = await import('../engine/cpu/rows/rows.ts');
    return makeCpuBackend(plan, state, rowsOn({ links: this.take(cores - 1).map((far) => this.link(far)) }));
  };

  /** Answers when every worker that was started has. */
  alive(): Promise<unknown> {
    return Promise.all(this.started.map((far) => far.ping()));
  }

  private take(n: number): Far[] {
    return Array.from({ length: n }, () => this.free.pop() ?? this.start());
  }

  private start(): Far {
    const worker = new Worker(new URL('./replicas.worker.ts', import.meta.url), { type: 'module' });
    // a worker that crashed answers no more: it takes this one with it, and the page starts again
    worker.onerror = ({ message }) => {
      throw new Error(message || 'A worker on another core stopped without a reason.');
    };
    worker.addEventListener('message', ({ data }) => void (data === 'beat' && this.heard()));
    const far = Comlink.wrap<FarCore>(worker);
    this.started.push(far);
    return far;
  }

  private share(far: Far): Share {
    return {
      open: (config, state) => far.open(config, state),
      load: (state) => far.load(state),
      update: (calls, update) => far.update(calls, update),
      view: (replica) => far.view(replica),
      save: () => far.save(),
      close: async () => {
        await far.close();
        this.free.push(far);
      },
    };
  }

  private link(far: Far): RowLink {
    return {
      open: (config, memory) => far.openRows(config, memory),
      // what fails there is told on the board; the promise would say it a second time
      enter: (session, played) => void far.enterRows(session, played).catch(() => undefined),
      close: () => void far.closeRows().then(() => this.free.push(far)),
    };
  }
}
