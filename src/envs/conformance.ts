import { hashInto, keyText } from '../core/hash.ts';
import { below, LevelStream, randomPair, threefry } from '../core/random.ts';
import { activeBits, checkValues, exactly, walk } from './checks.ts';
import type { Check, EnvironmentCase, Json, Tolerance } from './checks.ts';
import { generateLevel, type Params } from './grid/generate.ts';
import { grid, type GridLevel } from './grid/grid.ts';
import { parseMap } from './grid/level.ts';
import { tokenWords, type View } from './grid/observe.ts';
import { resetState, WORDS, type Rules } from './grid/rules.ts';
import { checkSokobanCase, isSokobanCase, levelOf as sokobanLevelOf, walkSokoban } from './sokoban/conformance.ts';
import { sokoban } from './sokoban/sokoban.ts';
import {
  actionsOf,
  checkTextmazeCase,
  isTextmazeCase,
  levelOf as mazeLevelOf,
  walkTextmaze,
} from './textmaze/conformance.ts';
import { textmaze } from './textmaze/textmaze.ts';
import type { Environment } from './types.ts';
import { tokenIds } from './vocabulary.ts';

/** Compares everything a case expects with what the definitions give. Integers and strings must be equal. */
export function checkEnvironmentCase(c: EnvironmentCase, tolerance: Tolerance): Check[] {
  const of = (key: string): string => `${c.kind}.${key}`;
  if (isSokobanCase(c)) return checkSokobanCase(c, tolerance);
  if (isTextmazeCase(c)) return checkTextmazeCase(c, tolerance);
  switch (c.kind) {
    case 'rng':
      return checkRandom(c.inputs, c.expected as Json).map((check) => ({ ...check, key: of(check.key) }));
    case 'grid':
      return Object.entries(walkGrid(c.inputs))
        .filter(([key]) => Object.hasOwn(c.expected as object, key))
        .map(([key, got]) => exactly(of(key), got, (c.expected as Json)[key]));
    case 'gridParse':
      return [exactly(c.kind, (c.inputs['texts'] as string[]).map(parseResult), c.expected)];
    case 'gridGenerate':
      return [exactly(c.kind, (c.inputs['specs'] as Json[]).map(generated), c.expected)];
    case 'values':
      return checkValues(grid, gridLevelOf(c.inputs, PLANES), c.inputs, c.expected as Json, tolerance);
    default:
      return [notBuilt(c.kind)];
  }
}

/** A walk of a golden file: its levels by the word with which keys name the view, `active0`, `egoEnd`, `tokens0`. */
export type Walk = {
  readonly env: Environment;
  readonly levels: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly actions: readonly number[];
  /** everything that the definitions say on it, by key */
  readonly said: Json;
};

/** The walk of a case as any form of the environment can take it; null for cases of other kinds. */
export function walkOf({ kind, inputs }: EnvironmentCase): Walk | null {
  const seed = inputs['seed'] as number;
  const actions = (inputs['actions'] ?? []) as number[];
  switch (kind) {
    case 'grid': {
      const [active, ego, tokens] = [PLANES, EGO, TOKENS].map((view) => gridLevelOf(inputs, view));
      return { env: forgetful(grid), levels: { active, ego, tokens }, seed, actions, said: walkGrid(inputs) };
    }
    case 'sokoban': {
      const levels = { active: sokobanLevelOf(inputs, 'planes'), tokens: sokobanLevelOf(inputs, 'tokens') };
      return { env: forgetful(sokoban), levels, seed, actions, said: walkSokoban(inputs) };
    }
    case 'textmaze': {
      const tokens = mazeLevelOf(inputs, 'tokens');
      const said = walkTextmaze(inputs);
      return { env: forgetful(textmaze), levels: { tokens }, seed, actions: actionsOf(inputs, tokens), said };
    }
    default:
      return null;
  }
}

/** The levels beside it are its own, so their type can be forgotten. */
const forgetful = (env: unknown): Environment => env as Environment;

const notBuilt = (key: string): Check => ({ key, built: false, passed: false, maxError: 0 });

function checkRandom(inputs: Json, expected: Json): Check[] {
  const list = (key: string): Record<string, number>[] => (inputs[key] ?? []) as Record<string, number>[];
  const pairs = list('blocks') as unknown as { key: [number, number]; ctr: [number, number] }[];
  const hashes = list('hash') as unknown as { tag: number; family: number; words: number[] }[];
  const out = new Uint32Array(2);
  const got: Json = {
    blocks: pairs.map(({ key, ctr }) => threefry(key[0], key[1], ctr[0], ctr[1])),
    random: list('random').map((r) => randomPair(r['seed']!, r['purpose']!, r['a']!, r['b']!, r['c']!)),
    below: list('below').map((r) => below(r['word']!, r['n']!)),
    stream: list('stream').map((r) => {
      const stream = new LevelStream(r['seed']!, r['family']!, r['attempt']!);
      return Array.from({ length: 12 }, () => stream.below(r['n']!));
    }),
    hash: hashes.map(({ tag, family, words }) => {
      hashInto(tag, family, Uint32Array.from(words), 0, words.length, out, 0);
      return keyText(out[0]!, out[1]!);
    }),
  };
  return Object.keys(expected).map((key) => exactly(key, got[key], expected[key]));
}

export type { Check, EnvironmentCase } from './checks.ts';

const PLANES: View = { kind: 'planes' };
const EGO: View = { kind: 'ego', size: 5 };
const TOKENS = { kind: 'tokens' } as const;
const REWARDS = { goal: 1000, step: 0, dead: 0, collision: -1000, bonus: 100, subgoal: 0, invalid: 0 };

/** Rules of a fixture level: its config gives only what differs from the defaults of the specification. */
function rulesOf(text: string, config: Json): Rules {
  const parsed = parseMap(text);
  if (!parsed.ok) throw new Error(`The level of this case does not parse: ${parsed.code}.`);
  const rewards = Object.fromEntries(Object.entries(REWARDS).map(([k, v]) => [k, (config[k] as number) ?? v]));
  const turn = config['actions'] === 'turn';
  return {
    map: parsed.map,
    T: (config['T'] as number) ?? 100,
    turn,
    dirs: turn ? [] : ((config['dirs'] as number[]) ?? [0, 1, 2, 3]),
    rewards: { ...(rewards as typeof REWARDS), timed: Boolean(config['timed']) },
  };
}

/** Level of a case in a view. */
function gridLevelOf(inputs: Json, view: GridLevel['view']): GridLevel {
  const rules = rulesOf(inputs['level'] as string, (inputs['config'] ?? {}) as Json);
  return { rules, view, maskActions: false };
}

function walkGrid(inputs: Json): Json {
  const level = gridLevelOf(inputs, PLANES);
  const { states, log } = walk(grid, level, inputs['actions'] as number[], inputs['seed'] as number);
  const look = (when: '0' | 'End', state: Uint32Array): Json => ({
    [`active${when}`]: activeBits(grid, level, state),
    [`ego${when}`]: activeBits(grid, gridLevelOf(inputs, EGO), state),
    [`tokens${when}`]: tokenIds(tokenWords(level.rules, state, 0)),
  });
  return { ...log, ...look('0', states[0]!), ...look('End', states.at(-1)!) };
}

function parseResult(text: string): Json {
  const parsed = parseMap(text);
  if (!parsed.ok) return { ok: 0, code: parsed.code, line: parsed.line, column: parsed.column };
  const state = new Uint32Array(WORDS);
  resetState(rulesOf(text, {}), state, 0);
  return { ok: 1, words: [...state] };
}

function generated(spec: Json): Json {
  const made = generateLevel(spec['generator'] as string, spec['seed'] as number, (spec['params'] ?? {}) as Params);
  return made.ok ? { level: made.text } : { error: made.code };
}
