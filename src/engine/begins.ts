import { usedSteps, type SavedState } from '../contract/tasks.ts';
import type { BatchView } from './backend.ts';
import type { Plan, Tasks } from './plan.ts';

/** Saved states that episodes of a rollout begin in. */
export type Begins = {
  /** [S, B] 0: the start of the level, else 1 + a place in `states` */
  readonly of: Uint32Array;
  readonly states: readonly Uint32Array[];
};

/** The saved state that a row begins in; null: the start of its level. */
export function beginOf({ begins }: Pick<Tasks, 'begins'>, row: number): Uint32Array | null {
  const at = begins?.of[row] ?? 0;
  return at === 0 ? null : begins!.states[at - 1]!;
}

/** Collects where the rows of a rollout begin. */
export class BeginsBook {
  private readonly plan: Plan;
  private of: Uint32Array | null = null;
  private readonly states: Uint32Array[] = [];
  private readonly places = new Map<SavedState, number>();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Row `row` begins in a saved state of its level. */
  put(row: number, start: SavedState, level: unknown): void {
    const { S, B, env, source } = this.plan;
    this.of ??= new Uint32Array(S * B);
    let place = this.places.get(start);
    if (place === undefined) {
      checkStart(this.plan, start, level);
      if (!source.starts) throw new Error(`The task source “${source.title}” gives saved states without saying so.`);
      place = this.states.push(Uint32Array.from({ length: env.words }, (_, k) => start[k]!));
      this.places.set(start, place);
    }
    this.of[row] = place;
  }

  all(): Begins | undefined {
    return this.of ? { of: this.of, states: this.states } : undefined;
  }
}

/** A start must be a state of the world that is not over and has a step left. */
function checkStart({ env, source }: Plan, start: SavedState, level: unknown): void {
  const isOver = start.at(-1)! >>> 16 !== 0;
  if (start.length !== env.words || isOver || usedSteps(start) >= env.maxSteps(level))
    throw new Error(`The task source “${source.title}” gave a start that no episode can go on from.`);
}

/** [S, B, 1 + words] of all rows, as the kernel that starts a rollout reads it. */
export function packBegins({ S, B, env: { words } }: Plan, tasks: Tasks): Uint32Array<ArrayBuffer> {
  const packed = new Uint32Array(S * B * (words + 1));
  for (let row = 0; row < S * B; row++) {
    const saved = beginOf(tasks, row);
    if (!saved) continue;
    packed[row * (words + 1)] = 1;
    packed.set(saved, row * (words + 1) + 1);
  }
  return packed;
}

/** Those of some rows of a stored batch that began at the start of their level. */
export function fromStart(
  plan: Plan,
  { levelSeeds, state }: Pick<BatchView, 'levelSeeds' | 'state'>,
  rows: readonly number[],
) {
  const { env, T, source } = plan;
  if (!source.starts) return rows;
  const start = new Uint32Array(env.words);
  return rows.filter((i) => {
    env.reset(plan.level(levelSeeds[i]!), start, 0);
    return start.every((word, w) => word === state[i * (T + 1) * env.words + w]);
  });
}
