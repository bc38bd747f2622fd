let act: (() => void) | null = null;

/**
 * Work on the CPU path may take long without a pause between two messages. Whoever has to show meanwhile that it lives
 * says here what is done at every pass through a network; it must not change what is computed. Returns what was done before.
 */
export function onBeat(next: (() => void) | null): (() => void) | null {
  const before = act;
  act = next;
  return before;
}

/** One pass through a network is about to begin. */
export function beat(): void {
  act?.();
}
