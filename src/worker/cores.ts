import * as Comlink from 'comlink';
import { coresOfPage } from '../core/coresOfPage.ts';
import type { MakeBackend } from '../engine/backend.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { parallelBackendOn } from '../engine/cpu/parallelBackend.ts';
import type { Share } from '../engine/cpu/share.ts';
import { hire } from './hiring.ts';
import type { FarCore } from './replicas.worker.ts';
import type { RowCores } from './rowCores.ts';

/** What a test gives: so many cores from the start, or of so many as many as a run is found to be the fastest on. */
export type GivenCores = number | { readonly measured: number };

/** A worker on another core, and how it is ended. */
export type Far = { readonly far: Comlink.Remote<FarCore>; end(): void };

/** The cores of this machine for the CPU path: workers are started when they are first needed, and used again. */
export class Cores {
  private readonly free: Share[] = [];
  private readonly started = new Set<Comlink.Remote<FarCore>>();
  private readonly heard: () => void;
  /** workers that a run may have */
  readonly most: number;
  private readonly isFixed: boolean;
  private rows: RowCores | null = null;

  /** `given` replaces what the machine has, in tests; `heard` is called when a worker in the middle of work shows that it lives. */
  constructor(given?: GivenCores, heard: () => void = () => undefined) {
    this.heard = heard;
    this.isFixed = typeof given === 'number';
    this.most = coresOfPage(typeof given === 'object' ? given.measured : given);
  }

  /** Spread over the cores where there is more than one to spread over: seeds, or the rows of one; else in this worker. */
  readonly make: MakeBackend = async (plan, state) => {
    const n = Math.min(this.most, plan.S);
    if (n > 1) return parallelBackendOn(() => this.take(n))(plan, state);
    const rows = await this.ofRows();
    return (rows ? rows.make : makeCpuBackend)(plan, state);
  };

  /** What the rows of one seed are spread over; null where they stay on one core. */
  async ofRows(): Promise<RowCores | null> {
    if (this.most < 2) return null;
    // memory that several cores see is there on isolated pages only, and not in every browser there
    const { crossOriginIsolated, SharedArrayBuffer } = globalThis;
    const sees = Boolean(crossOriginIsolated && SharedArrayBuffer);
    const { RowCores } = await import('./rowCores.ts');
    return (this.rows ??= new RowCores(this.most, this.isFixed, sees ? null : this));
  }

  /** Answers when every worker that was started has. */
  alive(): Promise<unknown> {
    return Promise.all(Array.from(this.started, (far) => far.ping()));
  }

  /** So many workers on other cores, each free again when it is closed. */
  take(n: number): Share[] {
    return Array.from({ length: n }, () => this.free.pop() ?? this.startShare());
  }

  /** A worker on another core. One that crashed answers no more: it takes this worker with it, and the page starts again. */
  start(): Far {
    const hired = hire((message) => {
      throw new Error(message);
    });
    const { port } = hired;
    port.addEventListener('message', ({ data }) => void (data === 'beat' && this.heard()));
    const far = Comlink.wrap<FarCore>(port);
    this.started.add(far);
    const end = (): void => {
      this.started.delete(far);
      hired.end();
    };
    return { far, end };
  }

  private startShare(): Share {
    const { far } = this.start();
    const share: Share = {
      open: (config, state) => far.open(config, state),
      load: (state) => far.load(state),
      update: (calls, update) => far.update(calls, update),
      view: (replica) => far.view(replica),
      save: () => far.save(),
      close: async () => {
        await far.close();
        this.free.push(share);
      },
    };
    return share;
  }
}
