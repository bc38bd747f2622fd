import { expect, test } from 'vitest';
import type { Batch } from './columns.ts';
import { segmentsIn, switchesIn } from './followed.ts';
import { STEP_ROLES } from './units.ts';

const [a, w, g] = ['action', 'switch', 'subgoal'].map((role) => STEP_ROLES.indexOf(role as never)) as [
  number,
  number,
  number,
];

test('segments of an episode by hand: one that is reached, one that held already, one that is never reached', () => {
  // choose 2, act, keep, act (2 holds after it), new, choose 2 again, act, new, choose 1, act, keep — and the limit
  const decides = [g, a, w, a, w, g, a, w, g, a, w];
  const subgoal = [0, 2, 2, 2, 2, 0, 2, 2, 0, 1, 1, 1];
  const held = [0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0];
  const batch = {
    ...{ B: 1, T: 11, length: Uint32Array.of(11), decides: Uint8Array.from(decides) },
    ...{ subgoal: Uint8Array.from(subgoal), subgoalHeld: Uint8Array.from(held) },
  } as unknown as Batch;
  expect(segmentsIn(batch)).toEqual([
    { row: 0, chosenAt: 0, steps: 2, subgoal: 2, held: false, reached: true },
    { row: 0, chosenAt: 5, steps: 1, subgoal: 2, held: true, reached: false },
    { row: 0, chosenAt: 8, steps: 1, subgoal: 1, held: false, reached: false },
  ]);
  // the last decision had no consequence any more
  expect(switchesIn(batch)).toEqual({ asked: 3, switched: 2 });
});

test('where a plan goes on to its next entry a segment ends, though nothing was decided there', () => {
  const plan = STEP_ROLES.indexOf('plan');
  const batch = {
    ...{ B: 1, T: 5, length: Uint32Array.of(5), decides: Uint8Array.of(plan, plan, a, a, a) },
    ...{ subgoal: Uint8Array.of(0, 0, 3, 4, 4, 4), subgoalHeld: Uint8Array.of(0, 0, 0, 0, 0, 1) },
  } as unknown as Batch;
  expect(segmentsIn(batch).map(({ subgoal, steps, reached }) => [subgoal, steps, reached])).toEqual([
    [3, 1, false],
    [4, 2, true],
  ]);
  expect(switchesIn(batch)).toEqual({ asked: 0, switched: 0 });
});

test('without these columns there is nothing to tell', () => {
  const bare = { B: 1, T: 2, length: Uint32Array.of(2), decides: new Uint8Array(0) } as unknown as Batch;
  expect(segmentsIn(bare)).toEqual([]);
  expect(switchesIn(bare)).toEqual({ asked: 0, switched: 0 });
});
