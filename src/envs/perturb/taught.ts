import { below, PURPOSE, random } from '../../core/random.ts';
import { ok } from '../../core/problem.ts';
import { FLAG, type Environment, type StepResult, type Subgoal } from '../types.ts';
import { TOLD_TOKENS, TOLD_WORDS } from './spoken.ts';
import { withWord } from './withWord.ts';

/** What a teacher tells and how well; see `src/slots/wrapper/teacher.ts`. */
export type Teaching = {
  readonly shows: 'place' | 'words' | 'both';
  readonly wrong: number;
  readonly mistake: 'any' | 'object' | 'order' | 'place';
  readonly patience: number;
  readonly alone: number;
};

/** Subgoals of a level at most; words of one in a packed level. */
const MOST = 16;
const PACKED = 5;
/** Stands for "the episode succeeds" in place of a word of the state. */
const SUCCESS = 255;
/** Other tellings of a level, where a teacher errs: members of a group meet them in turn. */
const TELLINGS = 4;
/** Cells to each side within which a direction is seen exactly. */
const NEAR = 7;

// First own word: subgoals passed | reached << 8 | steps at the current one << 16. Second: what is told, 0 for nothing:
// place | words << 12, six bits each.
const passedIn = (word: number): number => word & 255;
const reachedIn = (word: number): number => (word >>> 8) & 255;
const wordsIn = (told: number): number[] =>
  [12, 18, 24].map((shift) => (told >>> shift) & 63).filter((word) => word > 0);

const toldOf = ({ place, says }: Subgoal): number =>
  says.slice(0, 3).reduce((told, word, k) => told | ((TOLD_WORDS.indexOf(word) + 1) << (12 + 6 * k)), place);

/** What is told, for people: the words, without those of the drawing. */
export const toldWords = (told: number): string =>
  wordsIn(told)
    .map((word) => TOLD_WORDS[word - 1]!.replace('cell:', ''))
    .join(' ');

const SEED = Symbol('seed');
const LIST = Symbol('list');
type Told = { readonly words: number; readonly subgoals: readonly Subgoal[] };
type Lesson = { readonly [SEED]?: number; readonly [LIST]?: Told };

/** The subgoals in the order in which they are told, each wrong with the chance of the teacher. */
export function tell(
  all: readonly Subgoal[],
  { wrong, mistake }: Pick<Teaching, 'wrong' | 'mistake'>,
  draw: (k: number, slot: number) => number,
  shifted: ((place: number, word: number) => Subgoal) | null,
): Subgoal[] {
  const list = [...all];
  const K = all.length;
  const kinds = (['object', 'order', 'place'] as const).filter((kind) => (kind === 'place' ? shifted : K > 1));
  for (let k = 0; k < K && kinds.length > 0; k++) {
    if (draw(k, 0) / 2 ** 32 >= wrong) continue;
    const kind = kinds.find((own) => own === mistake) ?? kinds[below(draw(k, 1), kinds.length)]!;
    if (kind === 'object') list[k] = all[(k + 1 + below(draw(k, 2), K - 1)) % K]!;
    else if (kind === 'place') list[k] = { ...shifted!(list[k]!.place, draw(k, 2)), says: list[k]!.says };
    else {
      const other = k + 1 < K ? k + 1 : k - 1;
      [list[k], list[other]] = [list[other]!, list[k]!];
    }
  }
  return list;
}

/**
 * The world with a teacher, who tells the student one subgoal after the other. A state is how far the list is done and what
 * is told, then the words of the world; `src/slots/wrapper/teacher.wgsl` is the twin.
 */
export function taught<L>(env: Environment<L>, teaching: Teaching): Environment<L> {
  const inFront = withWord(withWord(env));
  const { words } = inFront;
  const { teach, gpu, stride, language, deal } = env;
  const tellings = teaching.wrong > 0 ? TELLINGS : 1;
  const inner = deal?.count ?? 1;
  const placeMask = env.placeBits === undefined ? 0xffffffff : 2 ** env.placeBits - 1;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const listOf = (level: L): readonly Subgoal[] => (level as Lesson)[LIST]?.subgoals ?? [];
  const patienceOf = (level: L): number =>
    teaching.patience || Math.ceil(env.maxSteps(level) / Math.max(1, listOf(level).length));
  /** words of a state in front of those that subgoals test */
  const before = (level: L): number => words - ((level as Lesson)[LIST]?.words ?? env.words);
  const isPlaceShown = stride !== undefined && teaching.shows !== 'words';
  const areWordsShown = stride === undefined || teaching.shows !== 'place';

  const holds = ({ word, at: shift, mask, least, most }: Subgoal, state: Uint32Array, at: number, flags: number) => {
    if (word === SUCCESS) return (flags & FLAG.success) !== 0;
    const field = ((state[at + word]! >>> shift) & mask) >>> 0;
    return field >= least && field <= most;
  };

  /** Goes on from subgoal k to the first that does not hold yet, and tells it. */
  function next(
    list: readonly Subgoal[],
    k: number,
    reached: number,
    state: Uint32Array,
    at: number,
    own: number,
  ): void {
    while (k < list.length && holds(list[k]!, state, own, 0)) k++;
    state[at] = k | (reached << 8);
    state[at + 1] = k < list.length ? toldOf(list[k]!) : 0;
  }

  /** After a step of the world: reached, given up, or one step more. */
  function after(level: L, state: Uint32Array, at: number, flags: number): void {
    const list = listOf(level);
    const word = state[at]!;
    const k = passedIn(word);
    if (k >= list.length) return;
    const own = at + before(level);
    if (holds(list[k]!, state, own, flags)) next(list, k + 1, reachedIn(word) + 1, state, at, own);
    else if ((word >>> 16) + 1 >= patienceOf(level)) next(list, k + 1, reachedIn(word), state, at, own);
    else state[at] = word + 0x10000;
  }

  /** Where the subgoal is, as two of 2·NEAR + 1 bits. */
  function directionOf(level: L, state: Uint32Array, at: number): number {
    const told = state[at + 1]!;
    if (told === 0) return 0;
    const W = stride!(level);
    const [to, from] = [told & 4095, env.cell(state, at + 2)];
    const near = (d: number): number => Math.min(NEAR, Math.max(-NEAR, d)) + NEAR;
    const [dx, dy] = [(to % W) - (from % W), Math.floor(to / W) - Math.floor(from / W)];
    return (1 << near(dx)) | (1 << (2 * NEAR + 1 + near(dy)));
  }

  function listFor(level: L, telling: number): Told | undefined {
    const lesson = teach?.(level);
    if (!lesson) return undefined;
    const seed = (level as Lesson)[SEED] ?? 0;
    const W = stride?.(level);
    const shifted = (place: number, draw: number): Subgoal => {
      const by = 1 + (draw & 1);
      const x = place % W!;
      const isAcross = (draw & 2) !== 0;
      const to = isAcross ? (x >= by ? place - by : place + by) : place >= by * W! ? place - by * W! : place + by * W!;
      return { word: 0, at: 0, mask: placeMask, least: to, most: to, place: to, says: [] };
    };
    const draw = (k: number, slot: number): number => random(seed, PURPOSE.teacher, telling, k, slot);
    const subgoals = tell(lesson.subgoals.slice(0, MOST), teaching, draw, W === undefined ? null : shifted);
    return { words: lesson.words, subgoals };
  }

  return {
    ...inFront,
    level(given, rewards, seed) {
      const made = env.level(given, rewards, seed);
      return made.ok ? ok({ ...made.value, [SEED]: seed }) : made;
    },
    deal: {
      ...inFront.deal,
      count: inner * (1 + tellings),
      variant(member, trains) {
        const share = 1 - teaching.alone;
        const isTaught = trains && Math.ceil((member + 1) * share) > Math.ceil(member * share);
        return (deal?.variant(member, trains) ?? 0) + inner * (isTaught ? 1 + (member % tellings) : 0);
      },
      level(level, variant) {
        const own = variant % inner === 0 ? level : deal!.level(level, variant % inner);
        const telling = Math.floor(variant / inner);
        return telling === 0 ? own : { ...own, [LIST]: listFor(own, telling) };
      },
    },
    teaches: {
      word: 0,
      listed: (level) => listOf(level).length,
      reached: (level, state, at) => reachedIn(state[at]!) / Math.max(1, listOf(level).length),
      told: (state, at) => toldWords(state[at + 1]!),
    },
    reset(level, state, at) {
      env.reset(level, state, at + 2);
      next(listOf(level), 0, 0, state, at, at + before(level));
    },
    step(level, state, at, move, result: StepResult) {
      const isOver = state[at + words - 1]! >>> 16 !== 0;
      env.step(level, state, at + 2, move, result);
      if (!isOver) after(level, state, at, result.flags);
    },
    outcomes: (level, from, action) =>
      env.outcomes(level, from.slice(2, words), action).map((outcome) => {
        const state = Uint32Array.of(from[0]!, from[1]!, ...outcome.state);
        after(level, state, 0, outcome.flags);
        return { ...outcome, state };
      }),
    features: (level) => 32 * wordsSeen(level) + (language.speaks(level) ? 32 : seenBits(isPlaceShown, areWordsShown)),
    language: { ...language, length: (level) => language.length(level) + 4 },
    observe(level, state, at, bits, bitsAt) {
      env.observe(level, state, at + 2, bits, bitsAt);
      const said = wordsIn(state[at + 1]!);
      let own = bitsAt + wordsSeen(level);
      if (language.speaks(level)) {
        bits[own] = said.reduce((all, word, k) => all | (TOLD_TOKENS[word - 1]! << (8 * k)), 0);
        return;
      }
      if (isPlaceShown) bits[own++] = directionOf(level, state, at);
      if (areWordsShown) bits[own] = said.reduce((all, word) => all | (1 << (word - 1)), 0);
    },
    canonical(level, state, at, matters) {
      if (matters === 'world') state[at] = state[at + 1] = 0;
      env.canonical?.(level, state, at + 2, matters);
    },
    // what is told changes nothing in the world: states are the same state
    key: (level, state, at, out, outAt) => env.key(level, state, at + 2, out, outAt),
    layer: (state, at) => env.layer(state, at + 2),
    scene(level, state, at) {
      const scene = env.scene(level, state, at + 2);
      const told = state[at + 1]!;
      if (told === 0) return scene;
      const W = stride?.(level);
      const cell = W === undefined ? null : Math.floor((told & 4095) / W) * scene.width + ((told & 4095) % W);
      return { ...scene, told: { words: toldWords(told), cell } };
    },
    text(level, state, at) {
      const told = state[at + 1]!;
      return `${told === 0 ? '' : `; the teacher says: ${toldWords(told)}\n`}${env.text(level, state, at + 2)}`;
    },
    ...(gpu && {
      gpu: {
        ...gpu,
        packLevel(level) {
          const list = listOf(level);
          const packed = new Uint32Array(4 + MOST * PACKED);
          packed.set([list.length, patienceOf(level), stride?.(level) ?? 1, before(level)]);
          list.forEach((one, k) => {
            const { word, at, mask, least, most } = one;
            packed.set([word | (at << 8), mask, least, most, toldOf(one)], 4 + k * PACKED);
          });
          return Uint32Array.of(...gpu.packLevel(level), ...packed);
        },
      },
    }),
  };
}

/** Bits of an observation beside those of the world. */
const seenBits = (place: boolean, words: boolean): number =>
  (place ? (words ? 32 : 4 * NEAR + 2) : 0) + (words ? TOLD_WORDS.length : 0);
