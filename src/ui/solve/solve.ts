import type { LevelSource } from '../stage/world.ts';

/**
 * `path`: actions of a shortest path to success, and the fewest pushes where there is something to push; `none`: there is
 * none; `late`: not found within the time and the size of the search.
 */
export type Solution =
  | { readonly kind: 'path'; readonly actions: readonly number[]; readonly pushes: number | null }
  | { readonly kind: 'none' }
  | { readonly kind: 'late' };

const MOST_MS = 10_000;

/** Searches for a shortest path in a worker; resolves to null when it is called off. */
export function solve(source: LevelSource, signal: AbortSignal): Promise<Solution | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./solver.worker.ts', import.meta.url), { type: 'module' });
    const end = (solution: Solution | null): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(solution);
    };
    const timer = setTimeout(() => end({ kind: 'late' }), MOST_MS);
    signal.addEventListener('abort', () => end(null));
    worker.onerror = (event) => {
      event.preventDefault();
      end({ kind: 'late' });
    };
    worker.onmessage = ({ data }: MessageEvent<Solution>) => end(data);
    worker.postMessage(source);
  });
}
