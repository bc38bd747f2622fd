/** The worker was ended before it had answered. Whoever has to know is told by a notice about the worker itself. */
export class WorkerGone extends Error {
  constructor() {
    super('The worker ended before it answered.');
  }
}

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>;

/**
 * The same calls, but none waits for ever: what a worker owes when it goes is refused, and so is what it is asked
 * afterwards. Else a view that waits for its answer would wait on while another worker has long taken over.
 */
export function owedBy<T extends object>(worker: T): { readonly calls: T; end(): void } {
  const waiting = new Set<() => void>();
  let isOver = false;
  const ask = (name: string, args: unknown[]): Promise<unknown> =>
    new Promise((done, failed) => {
      const refuse = (): void => failed(new WorkerGone());
      if (isOver) return refuse();
      waiting.add(refuse);
      const answer = (worker as unknown as Calls)[name]!(...(args as never[])) as Promise<unknown>;
      answer.then(done, failed).finally(() => waiting.delete(refuse));
    });
  return {
    calls: new Proxy(worker, {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          ask(String(name), args),
    }),
    end() {
      isOver = true;
      for (const refuse of waiting) refuse();
      waiting.clear();
    },
  };
}

/** For what nobody has to be told about: null where the worker went. */
export function nullIfGone(error: unknown): null {
  if (error instanceof WorkerGone) return null;
  throw error;
}
