import * as Comlink from 'comlink';
import type { RunRecord } from '../../lab/runs/record.ts';
import type { Final } from '../../lab/bundle/weightLimit.ts';
import type { CellTrainer, OwnThread } from '../../worker/sweeps/cellTrainer.ts';
import type { Lane } from '../../worker/sweeps/sweeping.ts';
import { SPARE } from '../../core/coresOfPage.ts';
import { toldBy } from '../drawn.ts';
import { owedBy } from '../owed.ts';

export { statusOf } from '../../worker/sweeps/status.ts';
export type { CellStatus, SweepStatus } from '../../worker/sweeps/status.ts';
export { Sweeping } from '../../worker/sweeps/sweeping.ts';
export type { Lane } from '../../worker/sweeps/sweeping.ts';

/** How many runs of a sweep train at the same time: tests choose the number of cores, so that they mean the same everywhere. */
export function lanesHere(): number {
  const chosen = navigator.webdriver ? sessionStorage.getItem('cores') : null;
  return Math.max(1, Number(chosen ?? navigator.hardwareConcurrency) - SPARE);
}

/** The GPU is asked for in a worker of the page's own kind: it has the kernels. */
function gpuWorker(): { worker: Worker; calls: MessagePort } {
  const worker = new Worker(new URL('../../worker/worker.ts', import.meta.url), { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ cells: port2 }, [port2]);
  return { worker, calls: port1 };
}

function coreWorker(): { worker: Worker; calls: Worker } {
  const worker = new Worker(new URL('../../worker/cells.worker.ts', import.meta.url), { type: 'module' });
  return { worker, calls: worker };
}

/** A worker that trains runs of a sweep. One that stops owes nothing any more: its runs have failed. */
export function startLane(backend: RunRecord['backend']): Lane {
  const { worker, calls: far } = backend === 'cpu' ? coreWorker() : gpuWorker();
  const { calls, end } = owedBy<CellTrainer>(Comlink.wrap<CellTrainer>(far));
  worker.onerror = (event) => {
    event.preventDefault();
    end();
  };
  return {
    train: (runs, tell) =>
      calls.train(
        runs,
        toldBy((...news) => void tell(...news)),
      ),
    hold: (isHeld) => calls.hold(isHeld),
    measure: (configs) => calls.measure(configs),
    end() {
      worker.terminate();
      end();
    },
  };
}

/** What runs of a sweep have ended with, by id: each trains again on a core. What cannot be had again is left out. */
export async function finalsOf(runs: readonly RunRecord[], told: (done: number) => void): Promise<Map<string, Final>> {
  const finals = new Map<string, Final>();
  const waiting = [...runs];
  let done = 0;
  const lane = async (): Promise<void> => {
    const { worker, calls: far } = coreWorker();
    const { calls, end } = owedBy<Pick<OwnThread, 'final'>>(Comlink.wrap<Pick<OwnThread, 'final'>>(far));
    worker.onerror = (event) => {
      event.preventDefault();
      end();
    };
    try {
      for (let run = waiting.shift(); run; run = waiting.shift()) {
        const final = await calls.final(run);
        if (typeof final !== 'string') finals.set(run.id, final);
        told(++done);
      }
    } finally {
      worker.terminate();
      end();
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanesHere(), runs.length) }, lane));
  return finals;
}
