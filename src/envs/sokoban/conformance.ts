import { keyText } from '../../core/hash.ts';
import { checkValues, exactly, type Check, type EnvironmentCase, type Json, type Tolerance } from '../checks.ts';
import { cellOf, squaresOf } from './board.ts';
import { readCollection } from './collection.ts';
import { generateReverse, type ReverseParams } from './generate.ts';
import { parseLevel, writeLevel, type SokobanMap } from './level.ts';
import { countStates } from './moves.ts';
import { featuresOf, observePlanes, tokensOf } from './observe.ts';
import { keyOf, resetState, stepState, WORDS, type Rules } from './rules.ts';
import { sokoban, type SokobanLevel } from './sokoban.ts';
import { GIVE_UP, solve } from './solver.ts';

/** True for the cases that `checkSokobanCase` understands. */
export function isSokobanCase({ kind, inputs }: EnvironmentCase): boolean {
  return kind.startsWith('sokoban') || (kind === 'values' && inputs['env'] === 'sokoban');
}

/** Compares everything a Sokoban case expects with what the definitions give. Integers and strings must be equal. */
export function checkSokobanCase(c: EnvironmentCase, tolerance: Tolerance): Check[] {
  const { kind, inputs, expected } = c;
  switch (kind) {
    case 'sokoban':
      return Object.entries(walkSokoban(inputs))
        .filter(([key]) => Object.hasOwn(expected as object, key))
        .map(([key, got]) => exactly(`${kind}.${key}`, got, (expected as Json)[key]));
    case 'sokobanParse':
      return [exactly(kind, (inputs['texts'] as string[]).map(parseResult), expected)];
    case 'sokobanCollection':
      return [exactly(kind, readCollection(inputs['text'] as string), expected)];
    case 'sokobanGenerate':
      return [exactly(kind, (inputs['specs'] as Json[]).map(generated), expected)];
    case 'sokobanSolve':
      return [exactly(kind, (inputs['levels'] as string[]).map(solved), expected)];
    case 'values':
      return checkValues(sokoban, levelOf(inputs, 'planes'), inputs, expected as Json, tolerance);
    default:
      return [{ key: kind, built: false, passed: false, maxError: 0 }];
  }
}

function mapOf(text: string): SokobanMap {
  const parsed = parseLevel(text);
  if (!parsed.ok) throw new Error(`The level of this case does not parse: ${parsed.code}.`);
  return parsed.map;
}

const REWARDS = { step: -100, boxOn: 1000, boxOff: -1000, goal: 10_000, invalid: 0, dead: 0 };

/** Rules of a fixture level: its config gives only what differs from the defaults of the specification. */
function rulesOf(text: string, config: Json): Rules {
  const rewards = Object.fromEntries(Object.entries(REWARDS).map(([k, v]) => [k, (config[k] as number) ?? v]));
  return {
    map: mapOf(text),
    T: (config['T'] as number) ?? 120,
    rewards: rewards as typeof REWARDS,
    deadEnd: Boolean(config['deadEnd']),
    slip: (config['slip'] as [number, number, number] | undefined) ?? [0, 1, 0],
  };
}

/** Level of a case in a view. */
export function levelOf(inputs: Json, view: 'planes' | 'tokens'): SokobanLevel {
  const rules = rulesOf(inputs['level'] as string, (inputs['config'] ?? {}) as Json);
  return { rules, view: { kind: view }, maskActions: false };
}

function keyString(state: Uint32Array): string {
  const key = new Uint32Array(2);
  keyOf(state, 0, key, 0);
  return keyText(key[0]!, key[1]!);
}

function activeBits(map: SokobanMap, state: Uint32Array): number[] {
  const bits = new Uint32Array(Math.ceil(featuresOf(map) / 32));
  observePlanes(map, state, 0, bits, 0);
  const all = Array.from({ length: featuresOf(map) }, (_, f) => f);
  return all.filter((f) => ((bits[f >>> 5]! >>> (f & 31)) & 1) === 1);
}

/** Everything that the definitions say on a walk. */
export function walkSokoban(inputs: Json): Json {
  const { rules } = levelOf(inputs, 'planes');
  const state = new Uint32Array(WORDS);
  resetState(rules, state, 0);
  const look = (when: '0' | 'End'): Json => ({
    [`active${when}`]: activeBits(rules.map, state),
    [`tokens${when}`]: tokensOf(rules.map, state, 0),
  });
  const before = { words0: [...state], key0: keyString(state), ...look('0') };
  const result = { reward: 0, flags: 0 };
  const log = (inputs['actions'] as number[]).map((action) => {
    stepState(rules, state, 0, action >>> 0, inputs['seed'] as number, result);
    return { reward: result.reward, flags: result.flags, stateKey: keyString(state), words: [...state] };
  });
  const column = (name: 'reward' | 'flags' | 'stateKey' | 'words'): unknown[] => log.map((row) => row[name]);
  return {
    ...before,
    reward: column('reward'),
    flags: column('flags'),
    stateKey: column('stateKey'),
    words: column('words'),
    ...look('End'),
  };
}

function parseResult(text: string): Json {
  const parsed = parseLevel(text);
  if (!parsed.ok) return { ok: 0, code: parsed.code, line: parsed.line, column: parsed.column };
  const state = new Uint32Array(WORDS);
  resetState(rulesOf(text, {}), state, 0);
  return { ok: 1, words: [...state], xsb: writeLevel(parsed.map) };
}

function generated(spec: Json): Json {
  const made = generateReverse(spec['seed'] as number, spec['params'] as ReverseParams);
  return made.ok ? { level: made.level, pushes: made.pushes, attempt: made.attempt } : { error: 'levelFull' };
}

function solved(text: string): Json {
  const map = mapOf(text);
  const { minMoves, minPushes } = solve(map);
  const dead = squaresOf(map.dead).map((square) => cellOf(map.W, square));
  return { minMoves, minPushes, dead, states: countStates(map, GIVE_UP)?.unfinished ?? null };
}
