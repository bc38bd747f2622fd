import * as Comlink from 'comlink';
import { LogDesk } from '../../logs/desk.ts';
import type { LogFile, ReadOptions } from '../../logs/types.ts';

/** A file as the page hands it over: its bytes stay where they are until they are read. */
export type Given = { readonly name: string; readonly file: Blob };

const asLog = ({ name, file }: Given): LogFile => ({
  name,
  size: file.size,
  async *bytes() {
    // not every browser can go through a stream with a loop
    const reader = file.stream().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  },
});

const desk = new LogDesk();

const api = {
  open: (given: readonly Given[], options: ReadOptions, onSteps: (steps: number) => void) =>
    desk.open(given.map(asLog), { ...options, onSteps }),
  column: (...asked: Parameters<LogDesk['column']>) => desk.column(...asked),
  window: (...asked: Parameters<LogDesk['window']>) => desk.window(...asked),
  step: (...asked: Parameters<LogDesk['step']>) => desk.step(...asked),
  pairs: (...asked: Parameters<LogDesk['pairs']>) => desk.pairs(...asked),
  disputes: (...asked: Parameters<LogDesk['disputes']>) => desk.disputes(...asked),
  graph: (...asked: Parameters<LogDesk['graph']>) => desk.graph(...asked),
  taskOf: (...asked: Parameters<LogDesk['taskOf']>) => desk.taskOf(...asked),
  find: (...asked: Parameters<LogDesk['find']>) => desk.find(...asked),
  csv: (...asked: Parameters<LogDesk['csv']>) => desk.csv(...asked),
};
export type LogsApi = typeof api;

Comlink.expose(api);
