import type { Batch } from './columns.ts';
import { STEP_ROLES, type StepRole } from './units.ts';

const place = (role: StepRole): number => STEP_ROLES.indexOf(role);
const [ACTION, SWITCH, SUBGOAL, PLAN] = [place('action'), place('switch'), place('subgoal'), place('plan')];

/** Bits of the column `subgoalHeld`. */
const [HOLDS, MOVED_ON] = [1, 2];

/** Did the subgoal that is followed in state `at` come to hold with the step that led to the next one? */
export function comesToHold(subgoal: ArrayLike<number>, held: ArrayLike<number>, at: number): boolean {
  if (subgoal[at] === 0 || (held[at]! & HOLDS) !== 0) return false;
  const next = held[at + 1]!;
  return (next & MOVED_ON) !== 0 || (subgoal[at + 1] === subgoal[at] && (next & HOLDS) !== 0);
}

/** Steps of who acts, one after the other, under one choice of a subgoal. */
export type Segment = {
  readonly row: number;
  /** step of its row that chose the subgoal; −1 where a plan went on to it */
  readonly chosenAt: number;
  /** steps of the world */
  readonly steps: number;
  /** number of the subgoal, from 1 */
  readonly subgoal: number;
  /** it held already when it was chosen; it came to hold before the next choice */
  readonly held: boolean;
  readonly reached: boolean;
};

type Open = { -readonly [K in keyof Segment]: Segment[K] };
type Followed = Pick<Batch, 'B' | 'T' | 'length' | 'decides' | 'subgoal' | 'subgoalHeld'>;

/** The segments of all rows; none where nobody sets subgoals. */
export function segmentsIn({ B, T, length, decides, subgoal, subgoalHeld }: Followed): readonly Segment[] {
  if (!decides?.length || !subgoal?.length || !subgoalHeld?.length) return [];
  const found: Segment[] = [];
  for (let row = 0; row < B; row++) {
    let open = null as Open | null; // the loop below sets it
    let chosenAt = -1;
    for (let t = 0; t < length[row]!; t++) {
      const role = decides[row * T + t]!;
      if (role === SUBGOAL || role === PLAN) {
        chosenAt = t;
        open = null;
      }
      if (role !== ACTION) continue;
      const at = row * (T + 1) + t;
      if (open?.subgoal !== subgoal[at]) {
        const held = (subgoalHeld[at]! & HOLDS) !== 0;
        open = { row, chosenAt, steps: 0, subgoal: subgoal[at]!, held, reached: false };
        found.push(open);
        chosenAt = -1;
      }
      open.steps++;
      if (!open.held && comesToHold(subgoal, subgoalHeld, at)) open.reached = true;
    }
  }
  return found;
}

/** Decisions to keep a subgoal or take a new one, and how many took a new one; one that an episode ended with is none. */
export function switchesIn({ B, T, length, decides }: Omit<Followed, 'subgoal' | 'subgoalHeld'>): {
  readonly asked: number;
  readonly switched: number;
} {
  let [asked, switched] = [0, 0];
  for (let row = 0; row < B; row++)
    for (let k = row * T; k + 1 < row * T + length[row]!; k++) {
      if (decides?.[k] !== SWITCH) continue;
      asked++;
      if (decides[k + 1] === SUBGOAL) switched++;
    }
  return { asked, switched };
}
