/** A function whose code may come when a run needs it; `prepare` loads it, null: it is there. */
export type MaybeLater<F> = F & { prepare?(): Promise<void> | null };

/** The function that `load` brings, for a record that most runs read and few compute with. Calling it before is a mistake. */
export function later<A extends readonly unknown[], R>(
  load: () => Promise<(...args: A) => R>,
): MaybeLater<(...args: A) => R> {
  let code: ((...args: A) => R) | null = null;
  const call = (...args: A): R => {
    if (!code) throw new Error('What a network computes is asked for before it is loaded.');
    return code(...args);
  };
  return Object.assign(call, {
    prepare: () => (code ? null : load().then((loaded) => void (code = loaded))),
  });
}
