import { keyText } from '../../core/hash.ts';
import { checkValues, exactly, walk } from '../checks.ts';
import type { Check, EnvironmentCase, Json, Tolerance } from '../checks.ts';
import { VOCABULARY } from '../vocabulary.ts';
import { commandCount, COMMANDS, parseCommand } from './commands.ts';
import { generateTree, type TreeParams } from './generate.ts';
import { layoutOf } from './layout.ts';
import { lengthOfMaze } from './length.ts';
import { parseMaze, writeMaze } from './level.ts';
import { exitsOf, resetState, WORDS, type Rewards, type Rules } from './rules.ts';
import { BAG_FEATURES, obsKeyOf, say, textOf, type Speech } from './say.ts';
import { textmaze, type TextmazeLevel } from './textmaze.ts';

/** True for the cases that `checkTextmazeCase` understands. */
export function isTextmazeCase({ kind, inputs }: EnvironmentCase): boolean {
  return kind.startsWith('textmaze') || (kind === 'values' && inputs['env'] === 'textmaze');
}

/** Compares the text-maze cases of a golden file: walks, parsing, generation, vocabulary and exact values. */
export function checkTextmazeCase(c: EnvironmentCase, tolerance: Tolerance): Check[] {
  const parts = (got: Json): Check[] =>
    Object.entries(c.expected as Json).map(([key, want]) => exactly(`${c.kind}.${key}`, got[key], want));
  switch (c.kind) {
    case 'textmaze':
      return parts(walkTextmaze(c.inputs));
    case 'textmazeVocabulary':
      return parts({ vocab: VOCABULARY, commands: COMMANDS });
    case 'textmazeParse':
      return [exactly(c.kind, (c.inputs['texts'] as string[]).map(parseResult), c.expected)];
    case 'textmazeGenerate':
      return [exactly(c.kind, (c.inputs['specs'] as Json[]).map(generated), c.expected)];
    default:
      return checkValues(textmaze, levelOf(c.inputs, 'bag'), c.inputs, c.expected as Json, tolerance);
  }
}

const REWARDS: Rewards = { goal: 1000, step: 0, subgoal: 0, invalid: 0, syntax: 0, meta: 0 };

/** Level of a case in a view: its config gives only what differs from the defaults of the specification. */
export function levelOf(inputs: Json, view: 'bag' | 'tokens'): TextmazeLevel {
  const text = inputs['level'] as string;
  const config = (inputs['config'] ?? {}) as Json;
  const parsed = parseMaze(text);
  if (!parsed.ok) throw new Error(`The level of this case does not parse: ${parsed.code}.`);
  const { maze } = parsed;
  const rewards = Object.fromEntries(Object.entries(REWARDS).map(([k, v]) => [k, (config[k] as number) ?? v]));
  const metaActions = (config['metaActions'] ?? 1) !== 0;
  const goalFirst = config['goalShown'] === 'first';
  const length = lengthOfMaze(maze, metaActions, goalFirst);
  const rules: Rules = {
    maze,
    falseExits: 0,
    T: (config['T'] as number) ?? 10 * maze.names.length,
    actions: commandCount(metaActions),
    slip: (config['slip'] as [number, number, number]) ?? [0, 1, 0],
    rewards: rewards as unknown as Rewards,
    ...exitsOf(maze),
  };
  return {
    rules,
    layout: layoutOf(maze),
    view: { kind: view },
    features: view === 'bag' ? BAG_FEATURES : 8 * length,
    length,
    goalFirst,
    maskActions: false,
  };
}

function obsKey(speech: Speech): string {
  const key = new Uint32Array(2);
  obsKeyOf(speech, key, 0);
  return keyText(key[0]!, key[1]!);
}

/** Action ids of the commands of a case. */
export function actionsOf(inputs: Json, { rules }: TextmazeLevel): number[] {
  return (inputs['commands'] as string[]).map((command) => parseCommand(command, rules.actions));
}

/** Everything that the definitions say on a walk. */
export function walkTextmaze(inputs: Json): Json {
  const level = levelOf(inputs, 'tokens');
  const actions = actionsOf(inputs, level);
  const { states, log } = walk(textmaze, level, actions, inputs['seed'] as number);
  const speeches = states.map((state) => say(level.rules, level.goalFirst, state, 0));
  const [text0, ...text] = speeches.map(({ tokens }) => textOf(tokens));
  const [obsKey0, ...keys] = speeches.map(obsKey);
  return {
    ...log,
    ...{ text0, text, tokens0: speeches[0]!.tokens, obsKey0, obsKey: keys },
    actions: actions.map((action) => action | 0),
  };
}

function parseResult(text: string): Json {
  const parsed = parseMaze(text);
  if (!parsed.ok) return { ok: 0, code: parsed.code, line: parsed.line, column: parsed.column };
  const state = new Uint32Array(WORDS);
  resetState(levelOf({ level: text }, 'bag').rules, state, 0);
  return { ok: 1, words: [...state] };
}

function generated(spec: Json): Json {
  const given = (spec['params'] ?? {}) as Json;
  const number = (key: string): number => Number(given[key] ?? 0);
  const params: TreeParams = {
    rooms: number('rooms'),
    chain: number('chain'),
    loops: number('loops'),
    goal: (given['goal'] ?? 'take') as TreeParams['goal'],
    distract: number('distract') !== 0,
  };
  return { level: writeMaze(generateTree(spec['seed'] as number, params)) };
}
