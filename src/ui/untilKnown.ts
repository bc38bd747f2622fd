import type { Speed } from '../worker/protocol.ts';

/** Whoever looks at a page for so long before Run wants to know; and a device rests for longer than it is measured. */
const FIRST_MS = 1500;
const REST_MS = 700;

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks for the speed of a run, trial by trial, until more would not tell more or nobody takes it any more. The first one is worth
 * telling, and the last one: what changes every second in between is not read, it distracts.
 */
export async function untilKnown(
  ask: () => Promise<Speed | null>,
  take: (speed: Speed, isNews: boolean) => boolean,
  now: (ms: number) => Promise<void> = rest,
): Promise<void> {
  for (let ms = FIRST_MS; ; ms = REST_MS) {
    const speed = await ask();
    if (!speed || !take(speed, speed.isKnown || ms === FIRST_MS) || speed.isKnown) return;
    await now(ms);
  }
}
