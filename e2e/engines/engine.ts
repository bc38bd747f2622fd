/** A browser under test with one tab: what these tests need of it. */
export type Engine = {
  /** opens an address and waits until the page has loaded */
  readonly open: (url: string) => Promise<void>;
  /** Runs a function in the page, with values that JSON can carry, and gives back what it resolves to. */
  readonly evaluate: <A extends readonly unknown[], R>(run: (...given: A) => R | Promise<R>, ...given: A) => Promise<R>;
  /** errors that the driver has heard of since they were last forgotten: empty where it tells none */
  readonly logged: () => readonly string[];
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

/** The text of a call that a page can make; what it resolves to is JSON. */
export const callOf = (run: (...given: never[]) => unknown, given: readonly unknown[]): string =>
  `Promise.resolve((${run.toString()})(...${JSON.stringify(given)})).then((r) => JSON.stringify(r ?? null))`;
