import { tagOf, untagged } from './tags.ts';
import { messageOf, MILESTONES, type Potential, type SignalName, type Signals, type WorldSignals } from './signals.ts';

/** Flags of a step that all worlds share. */
const [DEAD, INVALID, NO_EFFECT] = [8, 16, 32];
/** Event of Sokoban in which a box moves. */
const PUSH = 256;

/**
 * Words of a state as `signalStates` leaves them: milestones that hold, completion, Φ and cost as f32, lost, key of what
 * counts as new (high, low), and flags of the step that begins there | number of milestones << 24.
 */
export const TOLD = { reached: 0, completion: 1, phi: 2, cost: 3, lost: 4, high: 5, low: 6, flags: 7 } as const;
export const TOLD_WORDS = 8;

/** How a world and a run want them; see `WorldSignals` and `Potential`. */
export type SignalRule = Pick<WorldSignals<never>, 'milestone' | 'wastes' | 'effort'> &
  Pick<Potential, 'of'> & {
    /** actions of the world where a tag stands before each; 0: no tags */
    readonly own: number;
  };

/** Some rows of a finished batch: T steps each, `told` with T + 1 entries. */
export type ToldRows = {
  readonly T: number;
  readonly length: Uint32Array;
  readonly success: Uint32Array;
  readonly action: Uint32Array;
  /** [rows, T, 2] */
  readonly stateKey: Uint32Array;
  /** [rows, T + 1, TOLD_WORDS] */
  readonly told: Uint32Array;
};

/** The signals `into` of all rows, from what the world told of their states; padding is 0, −1 in `milestoneStep`. */
export function signalSteps(rows: ToldRows, rule: SignalRule, into: Signals): void {
  for (const column of Object.values(into)) column.fill(0);
  for (let row = 0; row < rows.length.length; row++) signalsOfRow(rows, rule, row, into);
}

function signalsOfRow(rows: ToldRows, rule: SignalRule, row: number, into: Signals): void {
  const { T, length, told, action } = rows;
  const long = length[row]!;
  const floats = new Float32Array(told.buffer, told.byteOffset, told.length);
  const at = (t: number): number => (row * (T + 1) + t) * TOLD_WORDS;
  const put = (name: SignalName, k: number, value: number): void => {
    const column = into[name];
    if (column) column[k] = value;
  };
  const K = told[at(0) + TOLD.flags]! >>> 24;
  for (let k = 0; k < MILESTONES; k++) put('milestoneStep', row * MILESTONES + k, -1);
  let [most, effort] = [0, 0];
  for (let t = 0; t <= long; t++) {
    const own = at(t);
    const reached = told[own + TOLD.reached]!;
    for (let k = most; t > 0 && k < Math.min(reached, MILESTONES); k++)
      put('milestoneStep', row * MILESTONES + k, t - 1);
    most = Math.max(most, reached);
    const progress = Math.fround(most / K);
    const completion = floats[own + TOLD.completion]!;
    const end = row * (T + 1) + t;
    put('progress', end, progress);
    put('completion', end, completion);
    const milestone = rule.milestone === 'progress' ? progress : completion;
    put('phi', end, rule.of === 'milestone' ? milestone : floats[own + TOLD.phi]!);
    if (t === long) break;
    const flags = told[own + TOLD.flags]! & 0xffffff;
    const after = at(t + 1);
    const isInvalid = (flags & INVALID) !== 0;
    const k = row * T + t;
    put('invalid', k, isInvalid ? 1 : 0);
    put('grounded', k, isInvalid ? 0 : 1);
    put('novel', k, isNew(told, at(0), t) ? 1 : 0);
    put('repeat', k, isRepeated(rows, rule.own, row * T, t) ? 1 : 0);
    put('tag', k, tagOf(action[k]!, rule.own));
    put('did', k, untagged(action[k]!, rule.own));
    const isLost = told[after + TOLD.lost]! > told[own + TOLD.lost]!;
    put('hardEvent', k, (flags & DEAD) !== 0 || isLost ? 1 : 0);
    put('softPenalty', 2 * k, Math.fround(isInvalid ? 0.7 : 1));
    const raises = (flags & PUSH) !== 0 && floats[after + TOLD.cost]! > floats[own + TOLD.cost]!;
    const isIdle = (flags & NO_EFFECT) !== 0 && !isInvalid;
    const isWaste = rule.wastes === 'push' ? raises : rule.wastes === 'idle' && isIdle;
    put('softPenalty', 2 * k + 1, Math.fround(isWaste ? 0.9 : 1));
    put('message', k, messageOf(flags));
    effort +=
      rule.effort === 'pushes' ? ((flags & PUSH) !== 0 ? 1 : 0) : rule.effort === 'refusals' && isInvalid ? 3 : 1;
  }
  const isSuccess = rows.success[row] === 1;
  put('outcomeScore', row, isSuccess ? 1 : Math.fround(0.5 * Math.fround(most / K)));
  put('factor', 3 * row, isSuccess ? 1 : 0);
  put('factor', 3 * row + 1, most);
  put('factor', 3 * row + 2, effort === 0 ? 0 : -effort);
}

/** True if the state after step t is none of those before; `at`: word of the first. */
function isNew(told: Uint32Array, at: number, t: number): boolean {
  const own = at + (t + 1) * TOLD_WORDS;
  for (let k = at; k < own; k += TOLD_WORDS)
    if (told[k + TOLD.high] === told[own + TOLD.high] && told[k + TOLD.low] === told[own + TOLD.low]) return false;
  return true;
}

/** True if the pair (state, action of the world) of step t occurred before; `actions`: those of the world, 0 without tags. */
function isRepeated({ stateKey: key, action }: ToldRows, actions: number, first: number, t: number): boolean {
  const own = first + t;
  const did = untagged(action[own]!, actions);
  for (let k = first; k < own; k++)
    if (untagged(action[k]!, actions) === did && key[2 * k] === key[2 * own] && key[2 * k + 1] === key[2 * own + 1])
      return true;
  return false;
}
