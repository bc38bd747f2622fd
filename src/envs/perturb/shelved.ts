import { fail } from '../../core/problem.ts';
import type { AnyValues } from '../../core/settings.ts';
import { FLAG, type Environment, type Outcome, type StepResult } from '../types.ts';
import { goOn, isOver } from './clock.ts';
import { waitingReward } from './delayed.ts';
import { withWords } from './withWord.ts';

/**
 * `slots` of the store, `context`: observations seen at once; `dropped`, `repeated`: thousandths that it costs to let go of an
 * observation that no slot holds, for the whole context, and to read or write again what was just read or is held.
 */
export type ShelfSettings = {
  readonly slots: number;
  readonly context: number;
  readonly dropped: number;
  readonly repeated: number;
};

const MOST_ACTIONS = 32;
const EVERYTHING = 0xffffffff;
/** Steps for which a slot counts as just read. */
const RECENT = 3;

// First word of a state: slot that is read now, counted from 1; filled slots, bit 4 + k; steps since slot k was read, as steps
// that it still counts as just read, two bits from 12 + 2k; earlier observations in the context << 28.
const readingIn = (word: number): number => word & 15;
const isFilled = (word: number, k: number): boolean => ((word >>> (4 + k)) & 1) === 1;
const recentIn = (word: number, k: number): number => (word >>> (12 + 2 * k)) & 3;
const heldIn = (word: number): number => word >>> 28;

/** The word after a step: nothing is read any more, and what was just read is a step longer ago. */
function older(word: number): number {
  let next = word & 0xf0000ff0;
  for (let k = 0; k < 8; k++) next |= Math.max(0, recentIn(word, k) - 1) << (12 + 2 * k);
  return next >>> 0;
}

/**
 * The world with a store that the policy writes to and reads from (Memex): `write k` keeps the observation in slot k,
 * `read k` shows that of slot k until the next step. Both cost a step in which the world stands still. What is seen are the
 * last C observations, which slots are filled and where they were filled, and what is read. Keys are those of the world: reading
 * and writing compete with moves in one anchor group.
 *
 *   state: what is read, filled, just read, held | C − 1 earlier states of the world | one for each slot | the world
 *
 * `src/slots/wrapper/notesStore.wgsl` is the twin.
 */
export function shelved<L>(env: Environment<L>, given: ShelfSettings, rewards: AnyValues): Environment<L> {
  const { slots: N, context: C, dropped, repeated } = given;
  const kept = C - 1;
  const inner = env.words;
  const shelf = 1 + kept * inner;
  const front = shelf + N * inner;
  const inFront = withWords(env, front);
  const { words } = inFront;
  const { canonical, flicker } = env;
  const waiting = waitingReward(rewards);
  const lost = -Math.round(dropped / C);
  const ownOf = (level: L): number => env.actions(level).length;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const earlier = (at: number, k: number): number => at + 1 + k * inner;
  const slotAt = (at: number, k: number): number => at + shelf + k * inner;
  /** Bits beyond the observations: filled, and where, eight bits a slot. */
  const ownBits = N * 9;
  const [one, other] = [new Uint32Array(2), new Uint32Array(2)];

  /** Does a slot hold the state of the world that stands at `from`? */
  function isHeld(level: L, state: Uint32Array, at: number, from: number): boolean {
    env.key(level, state, from, one, 0);
    for (let k = 0; k < N; k++) {
      if (!isFilled(state[at]!, k)) continue;
      env.key(level, state, slotAt(at, k), other, 0);
      if (one[0] === other[0] && one[1] === other[1]) return true;
    }
    return false;
  }

  /** Reads or writes; what it costs beyond the step. */
  function keepOrRead(level: L, state: Uint32Array, at: number, op: number): { cost: number; isIdle: boolean } {
    const word = state[at]!;
    const k = op % N;
    let next = older(word);
    let cost = 0;
    const isIdle = op >= N && !isFilled(word, k);
    if (op < N) {
      if (isHeld(level, state, at, at + front)) cost = -repeated;
      state.copyWithin(slotAt(at, k), at + front, at + words);
      state[slotAt(at, k) + inner - 1]! &= 0xffff;
      next |= 1 << (4 + k);
    } else if (!isIdle) {
      if (recentIn(word, k) > 0) cost = -repeated;
      next = (next & ~(3 << (12 + 2 * k))) | (RECENT << (12 + 2 * k)) | (k + 1);
    }
    state[at] = next >>> 0;
    return { cost, isIdle };
  }

  /** After a step of the world from the state `before` that did not end it: what it costs to let go of the oldest. */
  function push(level: L, state: Uint32Array, at: number, before: Uint32Array): number {
    const word = state[at]!;
    const held = heldIn(word);
    const isLost = held === kept && !isHeld(level, state, at, kept === 0 ? at + front : earlier(at, kept - 1));
    state.copyWithin(earlier(at, 1), earlier(at, 0), earlier(at, kept - 1));
    state.set(before, earlier(at, 0));
    state[at] = ((older(word) & 0x0fffffff) | (Math.min(kept, held + 1) << 28)) >>> 0;
    return isLost ? lost : 0;
  }

  const before = new Uint32Array(inner);
  const FILLED = 0xff0;
  return {
    ...inFront,
    keeps: {
      words: 1 + N * inner,
      isOfLevel: true,
      read(state, at, into) {
        into[0] = state[at]! & FILLED;
        into.set(state.subarray(at + shelf, at + front), 1);
      },
      put(state, at, from) {
        state[at] = (state[at]! & ~FILLED) | from[0]!;
        state.set(from.subarray(1, 1 + N * inner), at + shelf);
        // what is no longer there is not read
        if (readingIn(state[at]!) > 0 && !isFilled(state[at]!, readingIn(state[at]!) - 1)) state[at]! &= ~15;
      },
      isNew: (state, before, at) =>
        (state[before]! & FILLED) !== (state[at]! & FILLED) ||
        state.subarray(at + shelf, at + front).some((word, k) => word !== state[before + shelf + k]!),
    },
    level(settings, own, seed) {
      const made = env.level(settings, own, seed);
      if (!made.ok || env.actions(made.value).length + 2 * N <= MOST_ACTIONS) return made;
      const path = 'task.notes.slots';
      const room = Math.floor((MOST_ACTIONS - env.actions(made.value).length) / 2);
      const message = `would make ${env.actions(made.value).length + 2 * N} actions, and at most ${MOST_ACTIONS} fit`;
      const repair =
        room > 0
          ? { label: `use ${room} slots`, set: [{ path, value: room }] }
          : { label: 'write no notes', set: [{ path: 'task.notes.on', value: false }] };
      return fail({ kind: 'configRejected', issues: [{ path, message, repair }] });
    },
    actions: (level) => [
      ...env.actions(level),
      ...['write', 'read'].flatMap((verb) => Array.from({ length: N }, (_, k) => `${verb} ${k + 1}`)),
    ],
    features: (level) => 32 * wordsSeen(level) * (C + 1) + ownBits,
    step(level, state, at, move, result: StepResult) {
      const clock = state[at + words - 1]!;
      if (isOver(clock, result)) return;
      const op = move.action - ownOf(level);
      if (op >= 0 && op < 2 * N) {
        const { cost, isIdle } = keepOrRead(level, state, at, op);
        result.reward = waiting + cost;
        result.flags = isIdle ? FLAG.noEffect : 0;
        state[at + words - 1] = goOn(clock & 0xffff, env.maxSteps(level), result);
        return;
      }
      before.set(state.subarray(at + front, at + words));
      env.step(level, state, at + front, move, result);
      if ((result.flags & FLAG.terminated) === 0) result.reward += push(level, state, at, before);
    },
    observe(level, state, at, bits, bitsAt) {
      const seen = wordsSeen(level);
      const word = state[at]!;
      env.observe(level, state, at + front, bits, bitsAt);
      for (let k = 0; k < C; k++) {
        const to = bitsAt + (k + 1) * seen;
        const from = k < kept ? earlier(at, k) : slotAt(at, readingIn(word) - 1);
        if (k < kept ? k < heldIn(word) : readingIn(word) > 0) env.observe(level, state, from, bits, to);
        else bits.fill(0, to, to + seen);
      }
      const own = bitsAt + (C + 1) * seen;
      bits.fill(0, own, own + Math.ceil(ownBits / 32));
      for (let k = 0; k < N; k++) {
        if (!isFilled(word, k)) continue;
        const shown = 1 | ((env.cell(state, slotAt(at, k)) & 255) << 1);
        for (let b = 0; b < 9; b++)
          if (((shown >>> b) & 1) === 1) bits[own + ((9 * k + b) >>> 5)]! |= 1 << ((9 * k + b) & 31);
      }
    },
    ...(flicker && {
      flicker: {
        isOn: flicker.isOn,
        draw(level, state, at, shown) {
          flicker.draw(level, state, at + front, shown);
          const [word, seen] = [state[at]!, wordsSeen(level)];
          for (let k = 0; k < heldIn(word); k++)
            flicker.draw(level, state, earlier(at, k), { ...shown, obsAt: shown.obsAt + (k + 1) * seen });
          if (readingIn(word) > 0)
            flicker.draw(level, state, slotAt(at, readingIn(word) - 1), { ...shown, obsAt: shown.obsAt + C * seen });
        },
      },
    }),
    canonical(level, state, at, matters) {
      // what is kept, and what it costs to let go of it, is a part of the state for the world too
      for (let k = 0; k < kept + N; k++) {
        const isThere = k < kept ? k < heldIn(state[at]!) : isFilled(state[at]!, k - kept);
        if (!isThere) continue;
        state[earlier(at, k) + inner - 1] = 0;
        canonical?.(level, state, earlier(at, k), matters);
      }
      canonical?.(level, state, at + front, matters);
    },
    legal(level, state, at) {
      const own = ownOf(level);
      const legal = env.legal(level, state, at + front);
      if (legal === EVERYTHING) return EVERYTHING;
      return ((legal & (2 ** own - 1)) | ((2 ** (2 * N) - 1) * 2 ** own)) >>> 0;
    },
    outcomes(level, from, action): readonly Outcome[] {
      const own = ownOf(level);
      if (action >= own && action < own + 2 * N) {
        const state = from.slice(0, words);
        const { cost, isIdle } = keepOrRead(level, state, 0, action - own);
        state[words - 1] = 0;
        const flags = isIdle ? FLAG.noEffect : 0;
        return [{ numerator: 1, denominator: 1, state, reward: waiting + cost, flags }];
      }
      const was = from.slice(front, words);
      return env.outcomes(level, was, action).map((o) => {
        const state = new Uint32Array(words);
        state.set(from.subarray(0, front));
        state.set(o.state, front);
        const cost = (o.flags & FLAG.terminated) === 0 ? push(level, state, 0, was) : 0;
        return { ...o, state, reward: o.reward + cost };
      });
    },
    layer: (state, at) => `${state[at]! & 0xfff},${env.layer(state, at + front)}`,
    scene(level, state, at) {
      const word = state[at]!;
      const filled = Array.from({ length: N }, (_, k) => isFilled(word, k));
      return { ...env.scene(level, state, at + front), store: { filled, reading: readingIn(word) } };
    },
    text(level, state, at) {
      const word = state[at]!;
      const filled = Array.from({ length: N }, (_, k) => (isFilled(word, k) ? [k + 1] : [])).flat();
      const reads = readingIn(word) > 0 ? `, reads slot ${readingIn(word)}` : '';
      return `; store: ${filled.join(' ') || 'empty'}${reads}\n${env.text(level, state, at + front)}`;
    },
  };
}
