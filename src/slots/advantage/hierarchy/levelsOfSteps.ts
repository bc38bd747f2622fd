import type { Batch } from '../../../contract/columns.ts';
import { STEP_ROLES } from '../../../contract/units.ts';
import { given } from '../given.ts';
import type { Switched } from './hae.ts';

/** What is read of a batch in which the decisions of a planner are steps of their own. */
export type Stepped = Pick<Batch, 'B' | 'T' | 'length' | 'terminated' | 'reward' | 'value' | 'valueFinal' | 'decides'>;

const [ACTION, SWITCH, SUBGOAL, PLAN] = ['action', 'switch', 'subgoal', 'plan'].map((role) =>
  STEP_ROLES.indexOf(role as (typeof STEP_ROLES)[number]),
) as [number, number, number, number];

/** [B, T'] the steps of one level each, beside the steps of the batch that they were, −1: there was none. */
export type Levels = {
  readonly switched: Switched;
  /** step of the batch that acted, chose the subgoal (the last entry of a plan), and kept or switched */
  readonly acted: Int32Array;
  readonly chose: Int32Array;
  readonly kept: Int32Array;
};

/**
 * A batch as the levels of a hierarchy see it: one step for each step of who acts (actions, and symbols of notes), with what
 * was decided right before it. What decisions were paid counts with the step that they led to.
 */
export function levelsOf(batch: Stepped): Levels {
  const { B, T, length, terminated, reward, value, valueFinal } = batch;
  const decides = given(batch, 'decides');
  const of = (): Float32Array => new Float32Array(B * T);
  const none = (): Int32Array => new Int32Array(B * T).fill(-1);
  const [paid, isNew, valueLow, valueHigh, valueTerm] = [of(), of(), of(), of(), of()];
  const [acted, chose, kept] = [none(), none(), none()];
  const count = new Uint32Array(B);
  for (let i = 0; i < B; i++) {
    let to = i * T;
    for (let k = i * T; k < i * T + length[i]!; k++) {
      paid[to]! += reward[k]!;
      if (decides[k] === SWITCH) {
        kept[to] = k;
        valueTerm[to] = value[k]!;
      } else if (decides[k] === SUBGOAL || decides[k] === PLAN) {
        chose[to] = k;
        isNew[to] = 1;
        valueHigh[to] = value[k]!;
      } else {
        acted[to] = k;
        valueLow[to] = value[k]!;
        to++;
      }
    }
    count[i] = to - i * T;
  }
  const switched: Switched = {
    ...{ B, T, length: count, terminated, reward: paid, switched: isNew },
    ...{ valueLow, valueHigh, valueTerm, valueLowFinal: valueFinal },
  };
  return { switched, acted, chose, kept };
}

/** Role of each step of a batch as a set of its own, −1 on padding; who acts is one, symbols of notes included. */
export function roleHeads(batch: Pick<Batch, 'B' | 'T' | 'length' | 'decides'>): Int32Array {
  const { B, T, length } = batch;
  const decides = given(batch, 'decides');
  const head = new Int32Array(B * T).fill(-1);
  for (let i = 0; i < B; i++)
    for (let k = i * T; k < i * T + length[i]!; k++) {
      const role = decides[k]!;
      head[k] = role === SWITCH || role === SUBGOAL || role === PLAN ? role : ACTION;
    }
  return head;
}

/** True for the steps of a planner: they leave the world as it is. */
export const isPlanned = (role: number): boolean => role === SWITCH || role === SUBGOAL || role === PLAN;

/** Entries of a plan are decided one after the other and share what came of it. */
export const isEntry = (role: number): boolean => role === PLAN;
