/**
 * Work that may have to wait in the middle: whatever it yields is waited for before it goes on. Where nothing is yielded it is
 * done when it has been driven once, as if it were a function.
 */
export type Waiting<T = void> = Generator<Promise<unknown>, T>;

/** Does it, and resolves later only where it had to wait. */
export function drive<T>(work: Waiting<T>): T | Promise<T> {
  const { done, value } = work.next();
  return done ? value : value.then(() => drive(work));
}

/** What there is, or what comes of a promise. */
export function* until<T>(what: T | Promise<T>): Waiting<T> {
  if (!(what instanceof Promise)) return what;
  const came: T[] = [];
  yield what.then((value) => came.push(value));
  return came[0]!;
}
