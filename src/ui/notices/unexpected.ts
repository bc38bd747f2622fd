import type { Problem } from '../../core/problem.ts';
import { WorkerGone } from '../owed.ts';
import { report } from '../stores/run.ts';

/** What browsers say when a file of the page does not come: there is no name or code that they share. */
const NOT_LOADED = /dynamically imported module|importing a module script failed|unable to preload/i;
/** Said by browsers when a layout needs one more frame; nothing is wrong. */
const HARMLESS = /^ResizeObserver loop/;

/** An error that nobody caught, in words; null for what is none. */
export function unexpectedProblem(error: unknown): Problem | null {
  if (error instanceof WorkerGone) return null;
  const message = error instanceof Error ? error.message : String(error);
  if (HARMLESS.test(message)) return null;
  return NOT_LOADED.test(message) ? { kind: 'partMissing' } : { kind: 'unexpected', message: message.slice(0, 200) };
}

export function reportUnexpected(error: unknown): void {
  const problem = unexpectedProblem(error);
  if (problem) report(problem);
}

/** Nothing that goes wrong stays in the console alone, where it is still written. */
export function watchErrors(): void {
  addEventListener('error', ({ error, message }) => reportUnexpected(error ?? message));
  addEventListener('unhandledrejection', (event) => {
    // the notice about the worker says it already
    if (event.reason instanceof WorkerGone) event.preventDefault();
    else reportUnexpected(event.reason);
  });
}
