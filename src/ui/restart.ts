import { wanted } from './press.ts';
import { reset, start } from './session.ts';

/** Reset and Run as one press: what is pressed meanwhile counts instead, so that a Pause is not taken back by the Run after it. */
export async function restart(): Promise<void> {
  const done = reset();
  const isWanted = wanted();
  await done;
  if (isWanted()) await start();
}
