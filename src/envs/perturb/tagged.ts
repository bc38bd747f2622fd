import { TAGS, TAG, tagOf, taggedNames, untagged } from '../../contract/tags.ts';
import { FLAG, type Environment, type Move } from '../types.ts';
import { REFUSED_WORD, TAG_WORDS } from './spoken.ts';
import { withWord } from './withWord.ts';

/** Bit of the own word of a state: the last action was refused. */
const REFUSED = 256;
/** Bits that a policy sees of the last step: its tag, if it had one, and whether it was refused. */
const SEEN = TAGS.length;

/** What a policy reads of the last step in its own word of an observation. */
function seenOf(own: number, speaks: boolean): number {
  const tag = own & 255;
  const isRefused = (own & REFUSED) !== 0;
  if (speaks) return TAG_WORDS[tag]! | (isRefused ? REFUSED_WORD << 8 : 0);
  return (tag > 0 ? 1 << (tag - 1) : 0) | (isRefused ? 1 << (SEEN - 1) : 0);
}

/**
 * The world with a tag before each action; `own` below: number of actions without tags. A state is what the last step was (its
 * tag, or 256 where it was refused), then the words of the world. `src/slots/wrapper/thoughts.wgsl` is the twin.
 */
export function tagged<L>(env: Environment<L>): Environment<L> {
  const words = env.words + 1;
  const inFront = withWord(env);
  const { canonical, language } = env;
  const ownOf = (level: L): number => env.actions(level).length;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const move: Move = { action: 0, seed: 0 };
  /** own word of a state after a step; a refused step loses its tag */
  const after = (flags: number, action: number, own: number): number =>
    (flags & FLAG.invalid) !== 0 ? REFUSED : tagOf(action, own);
  /** A shortest solution is never refused and never comes back: it plans first, then explores. */
  const thoughtful = (path: readonly number[], own: number): number[] =>
    path.map((action, t) => action + own * (t === 0 ? TAG.plan : TAG.explore));
  return {
    ...inFront,
    actions: (level) => taggedNames(env.actions(level)),
    features: (level) => 32 * wordsSeen(level) + (language.speaks(level) ? 32 : SEEN),
    language: {
      ...language,
      length: (level) => language.length(level) + 4,
      commands: (level) => TAG_WORDS.flatMap((tag) => language.commands(level).map((command) => [tag, ...command])),
    },
    step(level, state, at, { action, seed }, result) {
      const isOver = state[at + words - 1]! >>> 16 !== 0;
      const own = ownOf(level);
      move.action = untagged(action, own);
      move.seed = seed;
      env.step(level, state, at + 1, move, result);
      if (!isOver) state[at] = after(result.flags, action, own);
    },
    observe(level, state, at, bits, bitsAt) {
      env.observe(level, state, at + 1, bits, bitsAt);
      bits[bitsAt + wordsSeen(level)] = seenOf(state[at]!, language.speaks(level));
    },
    canonical(level, state, at, matters) {
      if (matters === 'world') state[at] = 0;
      canonical?.(level, state, at + 1, matters);
    },
    // what was thought last is seen and changes nothing in the world: states are the same state
    key: (level, state, at, out, outAt) => env.key(level, state, at + 1, out, outAt),
    legal(level, state, at) {
      const legal = env.legal(level, state, at + 1);
      const own = ownOf(level);
      if (legal === 0xffffffff || TAGS.length * own > 32) return 0xffffffff;
      const bits = legal & (2 ** own - 1);
      return TAGS.reduce((all, _tag, k) => all | (bits << (own * k)), 0) >>> 0;
    },
    ...(inFront.signals && { signals: { ...inFront.signals, isTagged: true } }),
    outcomes(level, from, action) {
      const own = ownOf(level);
      return env.outcomes(level, from.slice(1, words), untagged(action, own)).map((outcome) => ({
        ...outcome,
        state: Uint32Array.of(after(outcome.flags, action, own), ...outcome.state),
      }));
    },
    shortestPath(level) {
      const path = env.shortestPath(level);
      return path && thoughtful(path, ownOf(level));
    },
    ...(env.solve && {
      solve(level) {
        const found = env.solve!(level);
        return { ...found, path: found.path && thoughtful(found.path, ownOf(level)) };
      },
    }),
    scene: (level, state, at) => ({
      ...env.scene(level, state, at + 1),
      thought: { tag: state[at]! & 255, isRefused: (state[at]! & REFUSED) !== 0 },
    }),
    text(level, state, at) {
      const own = state[at]!;
      const last = (own & REFUSED) !== 0 ? ['refused'] : own > 0 ? [TAGS[own]!] : [];
      return [...last.map((word) => `; last step: ${word}`), env.text(level, state, at + 1)].join('\n');
    },
  };
}
