import { expect, test } from 'vitest';
import type { Speed } from '../worker/protocol.ts';
import { untilKnown } from './untilKnown.ts';

const speedAt = (n: number, isKnown: boolean): Speed => ({
  ...{ stepsPerSecond: n, slowest: n, fastest: n, shares: [], later: 1, falling: 0, isKnown },
  beside: { preparing: 0, evaluation: 0, snapshot: 0, checkpoint: 0, told: 0, written: 0 },
});

/** What is asked, taken and waited for, where the speed is known after so many trials. */
async function record(knownAfter: number, wanted = Infinity, gone = Infinity): Promise<string[]> {
  const log: string[] = [];
  let asked = 0;
  await untilKnown(
    () => Promise.resolve(++asked > gone ? null : speedAt(asked, asked >= knownAfter)),
    ({ stepsPerSecond }, isNews) => log.push(`${isNews ? 'tell' : 'take'} ${stepsPerSecond}`) <= wanted,
    (ms) => Promise.resolve(void log.push(ms > 1000 ? 'wait' : 'rest')),
  );
  return log;
}

test('trials follow each other with rests until the speed is known; the first and the last are told', async () => {
  expect(await record(1)).toEqual(['tell 1']);
  expect(await record(3)).toEqual(['tell 1', 'wait', 'take 2', 'rest', 'tell 3']);
});

test('nothing is asked any more once something else waits for Run, or the run has begun', async () => {
  expect(await record(9, 0)).toEqual(['tell 1']);
  expect(await record(9, Infinity, 2)).toEqual(['tell 1', 'wait', 'take 2', 'rest']);
});
