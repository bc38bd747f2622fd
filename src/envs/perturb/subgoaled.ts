import { threefryInto } from '../../core/random.ts';
import { fail, ok } from '../../core/problem.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { StepRole } from '../../contract/units.ts';
import { madeOnce, type Remembered } from '../subgoals.ts';
import { FLAG, type Environment, type Outcome, type StepResult } from '../types.ts';
import { goOn, isOver } from './clock.ts';
import { entryAfter, subgoalOrder } from './subgoalOrder.ts';
import {
  BITS,
  control,
  countIn,
  entryIn,
  goalIn,
  OWN,
  PHASE,
  phaseIn,
  PHASES,
  plannedIn,
  stepsIn,
} from './subgoalWord.ts';
import { withWords } from './withWord.ts';

/**
 * `segments`: before each step of the world the subgoal is kept or another one is chosen; `blueprint`: a plan of at most
 * `entries` is made once, in the first steps; `given`: they come in the order of a solution, the next one when one is reached.
 * `vocabulary`: place in the list of the world. `isLocal`: who acts sees what is nearby and its subgoal alone.
 */
export type SubgoalSettings = {
  readonly mode: 'segments' | 'blueprint' | 'given';
  readonly vocabulary: number;
  readonly isLocal: boolean;
  readonly entries: number;
};

/** Legal actions are bits of one word. */
const MOST_ACTIONS = 32;
const EVERYTHING = 0xffffffff;
/** Most steps that a clock counts. */
const MOST_STEPS = 0xffff;
/** Marks settings of a level that is cut after so many steps, those of the policy's own counted. */
const CUT = 'cutsOwnSteps';
/** Cells to each side within which an offset is seen exactly. */
const NEAR = 7;
const OFFSETS = 2 * (2 * NEAR + 1);

type Limited = { readonly [CUT]?: number };

/**
 * The world with subgoals that the policy sets itself. The decisions of a planner are steps in which the world stands still:
 *
 *   segments    keep or new (not before the first step of the world) → if new, a subgoal → the step of the world
 *   blueprint   the entries of a plan, once → steps of the world, and `done`, which moves on to the next entry; T/K steps of
 *               the world move on by force
 *   given       steps of the world alone; whichever reaches the subgoal moves on to the next one that does not hold yet
 *
 *   state: phase and subgoal | the plan | steps of the world | what the vocabulary remembers | the world
 *   seen:  the observation | with a local view what is nearby | phase, subgoal, where it is, and the plan while it is made
 *
 * A planner sees the observation; who acts sees it too, or what is nearby alone. Steps that decide cost nothing, and the world
 * counts its own steps: its limit is what it is without subgoals, while episodes have room for the decisions.
 */
export function subgoaled<L>(env: Environment<L>, given: SubgoalSettings): Environment<L> {
  const { mode, isLocal, entries: K } = given;
  const vocabulary = env.subgoals?.[Math.min(given.vocabulary, env.subgoals.length - 1)];
  const [isPlan, isGiven] = [mode === 'blueprint', mode === 'given'];
  const M = vocabulary?.most ?? 0;
  const [memory, marks] = [vocabulary?.memory, vocabulary?.marks ?? 0];
  const front = 3 + (memory?.words ?? 0);
  const inFront = withWords(env, front);
  const { words } = inFront;
  const nearby = isLocal ? env.nearby : undefined;
  const { canonical, flicker, solve, isJunction, stride } = env;
  const ownOf = (level: L): number => env.actions(level).length;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const wordsNear = (level: L): number => (nearby ? Math.ceil(nearby.bits(level) / 32) : 0);
  const ownBits = PHASES + M + marks * OFFSETS + (isPlan ? K * M : 0);
  const of = (state: Uint32Array, at: number): Remembered => ({ state, at: at + front, memoryAt: at + 3 });
  const namesOf = (level: L): readonly string[] => vocabulary?.names(level) ?? [];
  const goalsOf = madeOnce(
    (level: L) => level as object,
    (level) => namesOf(level).length,
  );
  const orderOf = madeOnce(
    (level: L) => level as object,
    (level) => subgoalOrder(env, vocabulary, level),
  );
  const longest = (T: number): number => Math.min(MOST_STEPS, isGiven ? T : isPlan ? T + 2 * K - 1 : 3 * T - 1);
  const maxSteps = (level: L): number => (level as Limited)[CUT] ?? longest(env.maxSteps(level));
  const budgetOf = (level: L): number => Math.ceil(env.maxSteps(level) / K);
  const isWorlds = (level: L, word: number, action: number): boolean =>
    phaseIn(word) === PHASE.act && !(isPlan && action === ownOf(level) + OWN.done);
  const firstWord = (level: L): number => {
    if (!isGiven) return isPlan ? control(PHASE.plan, -1) : control(PHASE.choose, -1);
    const order = orderOf(level);
    return control(PHASE.act, order[0]!, 0, order.length);
  };

  /** A decision that leaves the world as it is. */
  function decide(level: L, state: Uint32Array, at: number, choice: number): void {
    const word = state[at]!;
    const goal = Math.min(goalsOf(level) - 1, Math.max(0, choice - OWN.first));
    switch (phaseIn(word)) {
      case PHASE.keep:
        state[at] = choice === OWN.fresh ? control(PHASE.choose, -1) : control(PHASE.act, goalIn(word));
        break;
      case PHASE.choose:
        state[at] = control(PHASE.act, goal);
        break;
      case PHASE.plan: {
        let count = countIn(word);
        const isEnd = choice <= OWN.end && count > 0;
        if (!isEnd) state[at + 1]! |= (goal + 1) << (BITS * count++);
        const isWhole = isEnd || count === K;
        state[at] = isWhole
          ? control(PHASE.act, plannedIn(state[at + 1]!, 0), 0, count)
          : control(PHASE.plan, -1, 0, count);
        break;
      }
      default:
        moveOn(state, at);
    }
  }

  /** The next entry of the plan; the last one stays. */
  function moveOn(state: Uint32Array, at: number): void {
    const word = state[at]!;
    const [entry, count] = [entryIn(word) + 1, countIn(word)];
    if (entry < count) state[at] = control(PHASE.act, plannedIn(state[at + 1]!, entry), entry, count);
  }

  /** After a step of the world that did not end the episode. */
  function count(level: L, state: Uint32Array, at: number): void {
    const word = state[at]!;
    if (isGiven) {
      state[at] = goalIn(word) < 0 ? word : followed(level, state, at);
      return;
    }
    if (!isPlan) {
      state[at] = control(PHASE.keep, goalIn(word));
      return;
    }
    if (entryIn(word) + 1 >= countIn(word)) return;
    if (stepsIn(word) + 1 >= budgetOf(level)) moveOn(state, at);
    else state[at] = word + 0x10000;
  }

  /** Given subgoals: the same one, or where it is reached the next one that does not hold yet; the last one stays. */
  function followed(level: L, state: Uint32Array, at: number): number {
    const [order, was] = [orderOf(level), entryIn(state[at]!)];
    const entry = entryAfter(order, was, (g) => vocabulary!.reached(level, of(state, at), g));
    return control(PHASE.act, order[entry]!, entry, order.length) | (entry > was ? 0x10000 : 0);
  }

  function setBits(level: L, state: Uint32Array, at: number, set: (bit: number) => void): void {
    const word = state[at]!;
    const [phase, goal] = [phaseIn(word), goalIn(word)];
    set(phase);
    if (goal >= 0) set(PHASES + goal);
    const W = stride?.(level) ?? 1;
    const here = env.cell(state, at + front);
    const near = (d: number): number => Math.min(NEAR, Math.max(-NEAR, d)) + NEAR;
    for (let k = 0; k < marks && goal >= 0; k++) {
      const there = vocabulary!.mark(level, of(state, at), goal, k);
      const first = PHASES + M + k * OFFSETS;
      set(first + near((there % W) - (here % W)));
      set(first + OFFSETS / 2 + near(Math.floor(there / W) - Math.floor(here / W)));
    }
    if (phase !== PHASE.plan) return;
    for (let k = 0; k < countIn(word); k++) set(PHASES + M + marks * OFFSETS + k * M + plannedIn(state[at + 1]!, k));
  }

  const result: StepResult = { reward: 0, flags: 0 };
  const { solve: _none, ...rest } = inFront;
  const world: Environment<L> = {
    ...rest,
    hides: (settings) => isLocal || (env.hides?.(settings) ?? false),
    maxSteps,
    cutAt: (settings, steps) => ({ ...settings, [CUT]: steps }),
    level(settings: AnyValues, rewards, seed) {
      const { [CUT]: cut, ...plain } = settings;
      const steps = cut as number | undefined;
      const ofWorld = (n: number): number => (isGiven ? n : isPlan ? n - 2 * K + 1 : Math.floor((n + 1) / 3));
      const inside = steps === undefined ? 0 : Math.max(1, ofWorld(steps));
      const own = inside === 0 ? plain : (env.cutAt?.(plain, inside) ?? { ...plain, maxSteps: inside });
      const made = env.level(own, rewards, seed);
      if (!made.ok) return made;
      const refused = (message: string) =>
        fail({
          kind: 'configRejected',
          issues: [
            {
              ...{ path: 'task.subgoals.on', message },
              repair: { label: 'set no subgoals', set: [{ path: 'task.subgoals.on', value: false }] },
            },
          ],
        });
      if (namesOf(made.value).length === 0) return refused('needs something to aim at, and this level has nothing');
      if (isGiven && orderOf(made.value).length === 0)
        return refused('needs a solution that brings subgoals about, and this level has none');
      const actions = ownOf(made.value) + (isGiven ? 0 : OWN.first + M);
      if (actions > MOST_ACTIONS)
        return refused(`would make ${actions} actions with those of this world, and at most ${MOST_ACTIONS} fit`);
      return steps === undefined ? ok(made.value) : ok({ ...made.value, [CUT]: steps });
    },
    aiming: {
      names: namesOf,
      chosen: (state, at) => goalIn(state[at]!),
      reached: (level, state, at) =>
        goalIn(state[at]!) >= 0 && vocabulary!.reached(level, of(state, at), goalIn(state[at]!)),
      holds: (level, state, at, goal) => vocabulary!.reached(level, of(state, at), goal),
      ...(isGiven && { movedOn: (state, at) => stepsIn(state[at]!) === 1 }),
    },
    decides: (level) => [
      ...(env.decides?.(level) ?? Array<StepRole>(ownOf(level)).fill('action')),
      ...(isGiven ? [] : isPlan ? (['action', 'plan'] as const) : (['switch', 'switch'] as const)),
      ...Array<StepRole>(isGiven ? 0 : M).fill(isPlan ? 'plan' : 'subgoal'),
    ],
    actions(level) {
      if (isGiven) return env.actions(level);
      const names = namesOf(level);
      const goals = Array.from({ length: M }, (_, g) => `aim: ${names[g] ?? `none ${g + 1}`}`);
      return [...env.actions(level), ...(isPlan ? ['done', 'end of plan'] : ['keep', 'new']), ...goals];
    },
    features: (level) => 32 * (wordsSeen(level) + wordsNear(level)) + ownBits,
    reset(level, state, at) {
      state.fill(0, at, at + front);
      state[at] = firstWord(level);
      env.reset(level, state, at + front);
      memory?.begin(level, of(state, at));
    },
    step(level, state, at, move, out) {
      const last = at + words - 1;
      const clock = state[last]!;
      if (isOver(clock, out)) return;
      if (!isWorlds(level, state[at]!, move.action)) {
        out.reward = out.flags = 0;
        decide(level, state, at, move.action - ownOf(level));
        state[last] = goOn(clock & 0xffff, maxSteps(level), out);
        return;
      }
      state[last] = state[at + 2]!;
      env.step(level, state, at + front, move, out);
      state[at + 2] = state[last]! & 0xffff;
      memory?.follow(level, of(state, at));
      if (isGiven) state[at]! &= 0xffff;
      const isEnd = (out.flags & (FLAG.terminated | FLAG.truncated)) !== 0;
      if (isEnd) state[last] = ((clock & 0xffff) + 1) | ((out.flags & 15) << 16);
      else state[last] = goOn(clock & 0xffff, maxSteps(level), out);
      // a cut leaves the subgoal as it is followed: its value is that of acting on
      if (state[last]! >>> 16 === 0) count(level, state, at);
    },
    observe(level, state, at, bits, bitsAt) {
      const [seen, close] = [wordsSeen(level), wordsNear(level)];
      const isNear = nearby !== undefined && phaseIn(state[at]!) === PHASE.act;
      bits.fill(0, bitsAt, bitsAt + seen + close + Math.ceil(ownBits / 32));
      if (isNear) nearby.observe(level, state, at + front, bits, bitsAt + seen);
      else env.observe(level, state, at + front, bits, bitsAt);
      const own = bitsAt + seen + close;
      setBits(level, state, at, (bit) => (bits[own + (bit >>> 5)]! |= 1 << (bit & 31)));
    },
    ...(flicker && {
      flicker: {
        isOn: flicker.isOn,
        draw(level, state, at, seen) {
          if (!nearby || phaseIn(state[at]!) !== PHASE.act) flicker.draw(level, state, at + front, seen);
        },
      },
    }),
    canonical(level, state, at, matters) {
      state[at + 2] = 0;
      state[at]! &= isGiven ? 0xffff : -1;
      if (matters === 'world') {
        state[at]! &= isGiven ? 0 : ~(31 << 3);
        state.fill(0, at + 1, at + front);
      }
      canonical?.(level, state, at + front, matters);
    },
    key(level, state, at, out, outAt) {
      env.key(level, state, at + front, out, outAt);
      threefryInto(out[outAt]!, out[outAt + 1]!, state[at]! & 0xffff, state[at + 1]!, out, outAt);
    },
    legal(level, state, at) {
      const word = state[at]!;
      const own = ownOf(level);
      const goals = ((2 ** goalsOf(level) - 1) * 2 ** (own + OWN.first)) >>> 0;
      switch (phaseIn(word)) {
        case PHASE.keep:
          return (3 << own) >>> 0;
        case PHASE.choose:
          return goals;
        case PHASE.plan:
          return (goals | (countIn(word) > 0 ? 1 << (own + OWN.end) : 0)) >>> 0;
        default: {
          const legal = env.legal(level, state, at + front);
          const acts = legal === EVERYTHING ? 2 ** own - 1 : legal;
          return (acts | (isPlan && entryIn(word) + 1 < countIn(word) ? 1 << (own + OWN.done) : 0)) >>> 0;
        }
      }
    },
    outcomes(level, from, action): readonly Outcome[] {
      if (!isWorlds(level, from[0]!, action)) {
        const state = from.slice(0, words);
        state[words - 1] = 0;
        decide(level, state, 0, action - ownOf(level));
        return [{ numerator: 1, denominator: 1, state, reward: 0, flags: 0 }];
      }
      return env.outcomes(level, from.slice(front, words), Math.min(action, ownOf(level) - 1)).map((o) => {
        const state = new Uint32Array(words);
        state.set(from.subarray(0, front));
        state.set(o.state, front);
        memory?.follow(level, of(state, 0));
        if (isGiven) state[0]! &= 0xffff;
        if ((o.flags & FLAG.terminated) === 0) count(level, state, 0);
        return { ...o, state };
      });
    },
    shortestPath: (level) => withSubgoals(level, env.shortestPath(level)),
    ...(solve && {
      solve(level) {
        const found = solve(level);
        return { ...found, path: withSubgoals(level, found.path) };
      },
    }),
    ...(isJunction && {
      isJunction: (level, state, at, from) =>
        phaseIn(state[from]!) === PHASE.act && isJunction(level, state, at + front, from + front),
    }),
    layer: (state, at) => `${phaseIn(state[at]!)} ${goalIn(state[at]!)}, ${env.layer(state, at + front)}`,
    scene: (level, state, at) => ({ ...env.scene(level, state, at + front), aim: aimOf(level, state, at) }),
    text(level, state, at) {
      const { subgoal, decides, plan } = aimOf(level, state, at);
      const planned = plan.length > 0 ? `; plan: ${plan.join(', ')}` : '';
      const told = `; subgoal: ${subgoal === '' ? 'none' : subgoal}; decides: ${decides}${planned}`;
      return `${told}\n${env.text(level, state, at + front)}`;
    },
  };

  function aimOf(level: L, state: Uint32Array, at: number) {
    const word = state[at]!;
    const names = namesOf(level);
    const decides = (['action', 'switch', 'subgoal', 'plan'] as const)[phaseIn(word)]!;
    const order = isGiven
      ? orderOf(level)
      : Array.from({ length: countIn(word) }, (_, k) => plannedIn(state[at + 1]!, k));
    const plan = order.map((g) => names[g]!);
    return { subgoal: names[goalIn(word)] ?? '', decides, plan };
  }

  /** The subgoals that hold in each state of a path of the world, from its start on. */
  function heldOn(level: L, path: readonly number[]): boolean[][] {
    const state = new Uint32Array(words);
    const held = (): boolean[] => namesOf(level).map((_, g) => vocabulary!.reached(level, of(state, 0), g));
    world.reset(level, state, 0);
    const all = [held()];
    for (const action of path) {
      env.step(level, state, front, { action, seed: 0 }, result);
      memory?.follow(level, of(state, 0));
      all.push(held());
    }
    return all;
  }

  /** A path of the world, with the subgoal that it brings about next wherever the one before holds. */
  function withSubgoals(level: L, path: readonly number[] | null): readonly number[] | null {
    if (path === null || isGiven) return path;
    const own = ownOf(level);
    const held = heldOn(level, path);
    const nextAt = (t: number): number => {
      for (let u = t + 1; u < held.length; u++) {
        const g = held[u]!.findIndex((holds, k) => holds && !held[u - 1]![k]);
        if (g >= 0) return g;
      }
      return -1;
    };
    if (isPlan) {
      const plan: number[] = [];
      for (let t = 0; t < path.length && plan.length < K; t++) {
        const g = nextAt(t);
        if (g >= 0 && plan.at(-1) !== g) plan.push(g);
      }
      const entries = (plan.length > 0 ? plan : [0]).map((g) => own + OWN.first + g);
      return [...entries, ...(entries.length < K ? [own + OWN.end] : []), ...path];
    }
    let goal = -1;
    return path.flatMap((action, t) => {
      const next = nextAt(t);
      const isNew = t === 0 || (held[t]![goal] === true && next >= 0 && next !== goal);
      if (isNew) goal = Math.max(0, next);
      const choice = own + OWN.first + goal;
      if (t === 0) return [choice, action];
      return isNew ? [own + OWN.fresh, choice, action] : [own + OWN.keep, action];
    });
  }

  return world;
}
