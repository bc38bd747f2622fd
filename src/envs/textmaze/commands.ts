import { tokenIds, VOCABULARY } from '../vocabulary.ts';
import { COLORS, DIRECTIONS, ITEMS } from './names.ts';

/** Action id = index: go 0–3, take a key 4–7, unlock 8–11, take an item 12–14, look, plan, recall. Spec environments §4.2. */
export const COMMANDS: readonly string[] = [
  ...DIRECTIONS.map((direction) => `go ${direction}`),
  ...COLORS.map((color) => `take ${color} key`),
  ...COLORS.map((color) => `unlock ${color} door`),
  ...ITEMS.map((item) => `take ${item}`),
  'look',
  'plan',
  'recall',
];

export const ACTION = { go: 0, takeKey: 4, unlock: 8, takeItem: 12, look: 15, plan: 16, recall: 17 } as const;
/** Words that are no command. */
export const SYNTAX = 0xffffffff;

/** Commands that a task offers: all, or without plan and recall. */
export const commandCount = (metaActions: boolean): number => (metaActions ? COMMANDS.length : ACTION.plan);

/** [actions] token ids of each command, without the closing <stop>. */
const COMMAND_TOKENS: readonly (readonly number[])[] = COMMANDS.map((command) => tokenIds(command.split(' ')));
export const commandTokens = (count: number): readonly (readonly number[])[] => COMMAND_TOKENS.slice(0, count);

/** Action id of written tokens (without <stop>) among the first `count` commands, SYNTAX if they are no command. */
export function actionOf(tokens: readonly number[], count: number): number {
  const action = COMMAND_TOKENS.findIndex(
    (command, id) => id < count && command.length === tokens.length && command.every((token, k) => token === tokens[k]),
  );
  return action < 0 ? SYNTAX : action;
}

/** Action id of typed words, SYNTAX if they are no command. */
export function parseCommand(text: string, count: number): number {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const ids = words.map((word) => VOCABULARY.indexOf(word));
  return actionOf(ids, count);
}
