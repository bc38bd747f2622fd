import { activeBits, checkValues, exactly, walk } from '../checks.ts';
import type { Check, EnvironmentCase, Json, Tolerance } from '../checks.ts';
import { cellOf, squaresOf } from './board.ts';
import { readCollection } from './collection.ts';
import { generateReverse, type ReverseParams } from './generate.ts';
import { parseLevel, writeLevel, type SokobanMap } from './level.ts';
import { countStates } from './moves.ts';
import { tokensOf } from './observe.ts';
import { resetState, WORDS, type Rules } from './rules.ts';
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

/** Everything that the definitions say on a walk. */
export function walkSokoban(inputs: Json): Json {
  const level = levelOf(inputs, 'planes');
  const { states, log } = walk(sokoban, level, inputs['actions'] as number[], inputs['seed'] as number);
  const look = (when: '0' | 'End', state: Uint32Array): Json => ({
    [`active${when}`]: activeBits(sokoban, level, state),
    [`tokens${when}`]: tokensOf(level.rules.map, state, 0),
  });
  return { ...log, ...look('0', states[0]!), ...look('End', states.at(-1)!) };
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
