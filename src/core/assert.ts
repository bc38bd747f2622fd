/** Stops on a programming mistake. Expected troubles are `Problem` values, never assertions. */
export function assert(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}
