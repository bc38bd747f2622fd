import { threefryInto } from '../../core/random.ts';
import { fail, ok } from '../../core/problem.ts';
import type { StepRole } from '../../contract/units.ts';
import type { AnyValues } from '../../core/settings.ts';
import { FLAG, type Environment, type Outcome } from '../types.ts';
import { goOn, isOver } from './clock.ts';
import { withWords } from './withWord.ts';

/**
 * `limit`: steps of the world after which a note is due; `most`: notes of an episode, where the limit is above 1; `symbols`
 * of a note, each one of `alphabet`.
 */
export type NoteSettings = {
  readonly limit: number;
  readonly most: number;
  readonly symbols: number;
  readonly alphabet: number;
};

/** Letters of notes. */
export const LETTERS = 'abcdefghijklmnop';
/** Legal actions are bits of one word. */
const MOST_ACTIONS = 32;
const EVERYTHING = 0xffffffff;
/** Bits of a symbol in a note; 0: there is none. */
const BITS = 5;
/** Most steps that a clock counts. */
const MOST_STEPS = 0xffff;
/** Marks settings whose step limit counts notes already. */
const COUNTED = 'countsNotes';

// First word of a state: symbol that is written now, counted from 1, 0 for none; steps of the world since the last note << 8;
// notes written << 16.
const placeIn = (word: number): number => word & 255;
const sinceIn = (word: number): number => (word >>> 8) & 255;
const writtenIn = (word: number): number => word >>> 16;
const control = (place: number, since: number, written: number): number => place | (since << 8) | (written << 16);

/** A note as letters. */
export const lettersOf = (note: number): string => {
  let text = '';
  for (let left = note; left !== 0; left >>>= BITS) text += LETTERS[(left & 31) - 1]!;
  return text;
};

/** Steps of an episode, those that write notes counted, in which the world makes T. */
function stepsWith(T: number, { limit, most, symbols }: NoteSettings): number {
  const notes = limit === 1 ? T : Math.min(most, Math.floor((T - 1) / limit));
  return Math.min(MOST_STEPS, T + symbols * notes);
}

/**
 * The world with notes that the policy writes to itself. Where one is due the world waits: each of the next K steps writes a
 * symbol, and only symbols are legal there. With a limit of 1 a note is written before every step of the world and what is
 * seen is that step's observation; with a limit L it is written after every L of them, and what is seen are the observations
 * since the last note, up to L. So the note is all that comes from further back. It is written from the L observations that
 * it replaces; the one that came last, and does not fit beside them, is what is seen after it.
 *
 *   state: what is due | the note | what is written of the next one | L earlier states of the world | the world
 *   seen:  L observations, the newest first, then the note, what is written of the next one, and which symbol is due
 *
 * Steps that write cost nothing and do not count against the step limit of the world: the limit that its level gets is that
 * many steps higher. `src/slots/wrapper/notes.wgsl` is the twin.
 */
export function noted<L>(env: Environment<L>, given: NoteSettings): Environment<L> {
  const { limit, most, symbols: K, alphabet: M } = given;
  const kept = limit === 1 ? 0 : limit;
  const inner = env.words;
  const front = 3 + kept * inner;
  const inFront = withWords(env, front);
  const { words } = inFront;
  const { canonical, flicker, solve, isJunction } = env;
  const ownOf = (level: L): number => env.actions(level).length;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const ownBits = 2 * K * M + K;
  /** Where the state of k + 1 steps of the world earlier is. */
  const earlier = (at: number, k: number): number => at + 3 + k * inner;
  const isDue = (state: Uint32Array, at: number): boolean => placeIn(state[at]!) > 0;
  /** Observations that are seen, and how many earlier states of the world stand between them and the newest. */
  const seenIn = (state: Uint32Array, at: number): number =>
    kept === 0 ? 1 : Math.min(limit, sinceIn(state[at]!) + 1);
  const isLate = (state: Uint32Array, at: number): boolean => kept > 0 && isDue(state, at);
  /** Where the state of the kth observation is, the newest first. */
  const shownAt = (state: Uint32Array, at: number, k: number): number => {
    const back = isLate(state, at) ? k + 1 : k;
    return back === 0 ? at + front : earlier(at, back - 1);
  };
  const first = limit === 1 ? control(1, 0, 0) : 0;

  /** Writes a symbol into the words in front of a state. */
  function write(state: Uint32Array, at: number, symbol: number): void {
    const word = state[at]!;
    const place = placeIn(word);
    state[at + 2]! |= (symbol + 1) << (BITS * (place - 1));
    if (place < K) {
      state[at] = word + 1;
      return;
    }
    if (limit === 1) {
      state[at] = 0;
      return;
    }
    turn(state, at);
    state.fill(0, at + 3, at + front);
    state[at] = control(0, 0, writtenIn(word) + 1);
  }

  /** What was written becomes the note. */
  function turn(state: Uint32Array, at: number): void {
    state[at + 1] = state[at + 2]!;
    state[at + 2] = 0;
  }

  /** After a step of the world from the state `before`, that did not end it. */
  function count(state: Uint32Array, at: number, before: Uint32Array): void {
    if (limit === 1) {
      turn(state, at);
      state[at] = first;
      return;
    }
    const [since, written] = [sinceIn(state[at]!), writtenIn(state[at]!)];
    state.copyWithin(at + 3 + inner, at + 3, at + front - inner);
    state.set(before, at + 3);
    const next = Math.min(limit, since + 1);
    const writes = next === limit && written < most;
    // what nobody will see any more
    if (next === limit && !writes) state.fill(0, at + front - inner, at + front);
    state[at] = control(writes ? 1 : 0, next, written);
  }

  const before = new Uint32Array(inner);
  const symbolOf = (level: L, action: number): number => Math.min(M - 1, Math.max(0, action - ownOf(level)));

  const { solve: _none, ...rest } = inFront;
  const world: Environment<L> = {
    ...rest,
    cutAt: (settings, steps) => ({ ...settings, maxSteps: steps, [COUNTED]: true }),
    level(settings: AnyValues, rewards, seed) {
      const plain = env.level(settings, rewards, seed);
      if (!plain.ok) return plain;
      const actions = env.actions(plain.value).length + M;
      if (actions > MOST_ACTIONS) {
        const message = `would make ${actions} actions with those of this world, and at most ${MOST_ACTIONS} fit`;
        const path = 'task.notes.alphabet';
        const room = MOST_ACTIONS - actions + M;
        const repair =
          room >= 2
            ? { label: `write with ${room} symbols`, set: [{ path, value: room }] }
            : { label: 'write no notes', set: [{ path: 'task.notes.on', value: false }] };
        return fail({ kind: 'configRejected', issues: [{ path, message, repair }] });
      }
      if (settings[COUNTED] === true) return ok(plain.value);
      const wanted = stepsWith(env.maxSteps(plain.value), given);
      const longer = (maxSteps: number) => env.level({ ...settings, maxSteps }, rewards, seed);
      const made = longer(wanted);
      // a level that is one of several takes a share of the limit
      const got = made.ok ? env.maxSteps(made.value) : wanted;
      return got === wanted ? made : longer(Math.min(MOST_STEPS, Math.round(wanted ** 2 / got)));
    },
    notebook: {
      first: ownOf,
      isDue,
      told: (state, at) => lettersOf(state[at + 1]!),
      read: (state, at) => state[at + 1]!,
      put(state, at, note) {
        state[at + 1] = note;
      },
    },
    decides: (level) => [
      ...(env.decides?.(level) ?? Array<StepRole>(ownOf(level)).fill('action')),
      ...Array<StepRole>(M).fill('note'),
    ],
    keeps: {
      words: 1,
      isOfLevel: false,
      read(state, at, into) {
        into[0] = state[at + 1]!;
      },
      put(state, at, from) {
        state[at + 1] = from[0]!;
      },
      isNew: (state, before, at) => isDue(state, limit === 1 ? at : before) && !isDue(state, limit === 1 ? before : at),
    },
    actions: (level) => [...env.actions(level), ...[...LETTERS.slice(0, M)].map((letter) => `note ${letter}`)],
    features: (level) => 32 * wordsSeen(level) * limit + ownBits,
    reset(level, state, at) {
      state.fill(0, at, at + front);
      state[at] = first;
      env.reset(level, state, at + front);
    },
    step(level, state, at, move, result) {
      const clock = state[at + words - 1]!;
      if (isOver(clock, result)) return;
      if (isDue(state, at)) {
        result.reward = result.flags = 0;
        write(state, at, symbolOf(level, move.action));
        state[at + words - 1] = goOn(clock & 0xffff, env.maxSteps(level), result);
        return;
      }
      if (kept > 0) before.set(state.subarray(at + front, at + words));
      env.step(level, state, at + front, move, result);
      if ((result.flags & FLAG.terminated) === 0) count(state, at, before);
    },
    observe(level, state, at, bits, bitsAt) {
      const seen = wordsSeen(level);
      const shown = seenIn(state, at);
      for (let k = 0; k < limit; k++) {
        const to = bitsAt + k * seen;
        if (k < shown) env.observe(level, state, shownAt(state, at, k), bits, to);
        else bits.fill(0, to, to + seen);
      }
      const own = bitsAt + limit * seen;
      bits.fill(0, own, own + Math.ceil(ownBits / 32));
      const set = (bit: number): void => {
        bits[own + (bit >>> 5)]! |= 1 << (bit & 31);
      };
      for (let part = 0; part < 2; part++)
        for (let k = 0; k < K; k++) {
          const symbol = (state[at + 1 + part]! >>> (BITS * k)) & 31;
          if (symbol > 0) set((part * K + k) * M + symbol - 1);
        }
      if (isDue(state, at)) set(2 * K * M + placeIn(state[at]!) - 1);
    },
    canonical(level, state, at, matters) {
      if (matters === 'world') state.fill(0, at + 1, at + front);
      const held = seenIn(state, at) - (isLate(state, at) ? 0 : 1);
      for (let k = 0; k < (matters === 'world' ? 0 : held); k++) {
        state[earlier(at, k + 1) - 1] = 0;
        canonical?.(level, state, earlier(at, k), matters);
      }
      canonical?.(level, state, at + front, matters);
    },
    ...(flicker && {
      flicker: {
        isOn: flicker.isOn,
        draw(level, state, at, seen) {
          for (let k = 0; k < seenIn(state, at); k++) {
            const obsAt = seen.obsAt + k * wordsSeen(level);
            flicker.draw(level, state, shownAt(state, at, k), { ...seen, obsAt });
          }
        },
      },
    }),
    // a note changes nothing in the world; only that one is due does
    key(level, state, at, out, outAt) {
      env.key(level, state, at + front, out, outAt);
      const place = placeIn(state[at]!);
      if (place > 0) threefryInto(out[outAt]!, out[outAt + 1]!, place, 0, out, outAt);
    },
    legal(level, state, at) {
      const own = ownOf(level);
      if (isDue(state, at)) return ((2 ** M - 1) * 2 ** own) >>> 0;
      const legal = env.legal(level, state, at + front);
      return legal === EVERYTHING ? 2 ** own - 1 : legal;
    },
    outcomes(level, from, action): readonly Outcome[] {
      if (isDue(from, 0)) {
        const state = from.slice(0, words);
        state[words - 1] = 0;
        write(state, 0, symbolOf(level, action));
        return [{ numerator: 1, denominator: 1, state, reward: 0, flags: 0 }];
      }
      const was = from.slice(front, words);
      return env.outcomes(level, was, Math.min(action, ownOf(level) - 1)).map((o) => {
        const state = new Uint32Array(words);
        state.set(from.subarray(0, front));
        state.set(o.state, front);
        if ((o.flags & FLAG.terminated) === 0) count(state, 0, was);
        return { ...o, state };
      });
    },
    shortestPath: (level) => withNotes(level, env.shortestPath(level)),
    ...(solve && {
      solve(level) {
        const found = solve(level);
        return { ...found, path: withNotes(level, found.path) };
      },
    }),
    ...(isJunction && {
      isJunction: (level, state, at, from) => !isDue(state, from) && isJunction(level, state, at + front, from + front),
    }),
    layer: (state, at) => `${isDue(state, at) ? 'a note is due, ' : ''}${env.layer(state, at + front)}`,
    scene: (level, state, at) => ({ ...env.scene(level, state, at + front), note: noteOf(state, at) }),
    text(level, state, at) {
      const { note, draft, place } = noteOf(state, at);
      const due = place > 0 ? `; writes: ${draft}_` : '';
      return `; note: ${note === '' ? 'none' : note}${due}\n${env.text(level, state, at + front)}`;
    },
  };

  /** What is written in a state. */
  function noteOf(state: Uint32Array, at: number) {
    return { note: lettersOf(state[at + 1]!), draft: lettersOf(state[at + 2]!), place: placeIn(state[at]!) };
  }

  /** A path of the world with blank notes where they are due. */
  function withNotes(level: L, path: readonly number[] | null): readonly number[] | null {
    if (path === null) return null;
    const blank = Array<number>(K).fill(ownOf(level));
    return path.flatMap((action, t) => {
      const notes = limit === 1 ? t + 1 : Math.floor(t / limit);
      const isNote = limit === 1 || (t > 0 && t % limit === 0 && notes <= most);
      return isNote ? [...blank, action] : [action];
    });
  }

  return world;
}
