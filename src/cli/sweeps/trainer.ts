import { fork } from 'node:child_process';
import type { Trained } from '../../lab/sweep/cell.ts';
import type { Cell } from '../../lab/sweep/expand.ts';
import { trainMeasured } from '../../lab/sweep/measures/measured.ts';

/** Trains one cell after the other, on a core of its own. */
export type Trainer = {
  /** `tell` hears of the share that is done from time to time */
  readonly train: (cell: Cell, tell: (share: number) => void) => Promise<Trained>;
  readonly end: () => void;
};

/** First word of the command line of a process that trains cells. */
export const CHILD = 'cells-of-a-sweep';

type Message = { readonly share: number } | { readonly trained: Trained };

/** Milliseconds between two messages about progress. */
const EVERY_MS = 250;

/** A process of its own that trains; it ends with this one, and a cell of a process that dies is lost, not the sweep. */
export function childTrainer(): Trainer {
  const start = (): ReturnType<typeof fork> =>
    fork(process.argv[1]!, [CHILD], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let child = start();
  let isOver = false;
  const train: Trainer['train'] = (cell, tell) =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) child = start();
      let said = '';
      const listen = (text: Buffer): void => void (said = (said + text.toString()).slice(-2000));
      const onMessage = (message: Message): void => {
        if ('share' in message) tell(message.share);
        else finish(message.trained);
      };
      const onEnd = (code: number | null, signal: string | null): void => {
        if (isOver) return;
        const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
        const why = said.trim().split('\n').at(-1);
        finish({ problem: `The process that trained it was ended ${how}${why ? `: ${why}` : ''}.` });
      };
      const finish = (trained: Trained): void => {
        child.stderr!.removeListener('data', listen);
        child.removeListener('message', onMessage);
        child.removeListener('exit', onEnd);
        resolve(trained);
      };
      child.stderr!.on('data', listen);
      child.on('message', onMessage);
      child.once('exit', onEnd);
      child.send(cell, () => undefined); // of a child that cannot be reached any more, `exit` tells
    });
  return {
    train,
    end: () => {
      isOver = true;
      child.kill('SIGKILL');
    },
  };
}

/** The life of such a process: cells come in, results go out. Ctrl+C reaches it as well and is left to the other one. */
export function trainForParent(): void {
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (cell: Cell) => {
    let told = performance.now();
    const between = async (share: number): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve)); // where the parent has ended, this is heard here
      const now = performance.now();
      if (now - told < EVERY_MS) return;
      told = now;
      process.send!({ share });
    };
    void trainMeasured(cell, between)
      .catch((error: unknown): Trained => ({ problem: error instanceof Error ? error.message : String(error) }))
      .then((trained) => process.send!({ trained }));
  });
}
