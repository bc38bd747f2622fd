import type { TableBuilder } from './builder.ts';
import { mappingOf } from './roles.ts';
import { messageOf, takeTalk, type Episode, type Message } from './talk.ts';
import { isFields, numberOf, own, shown, textOf, type Fields } from './values.ts';
import { turnsIn } from './written.ts';

/** Names under which a line holds the messages of an episode. */
const MESSAGES = [
  'messages',
  'conversation',
  'conversations',
  'trajectory',
  'turns',
  'dialogue',
  'dialog',
  'history',
  'steps',
];
/** Messages of one episode. */
const MOST_MESSAGES = 100_000;

const isMessage = (value: unknown): boolean =>
  isFields(value) && ['role', 'from', 'source'].some((name) => typeof own(value, name) === 'string');

/** The name under which a record holds its messages; null where it does not. */
export function messagesName(value: unknown): string | null {
  const name = MESSAGES.find((n) => {
    const list = own(value, n);
    return Array.isArray(list) && list.length > 0 && isMessage(list[0]);
  });
  return name ?? null;
}

/** What a line says of its episode, by the names that are recognized. A text: why it cannot be read. */
function episodeOf(line: Fields, name: string): Episode | string {
  const mapping = mappingOf(Object.keys(line).slice(0, 500));
  const said = (role: keyof typeof mapping): unknown =>
    mapping[role] === undefined ? undefined : own(line, mapping[role]);
  const [outcome, reward, success, greedy] = [said('outcome'), said('reward'), said('success'), said('greedy')].map(
    numberOf,
  );
  if ([outcome, reward, success, greedy].includes(null)) return 'its reward, outcome or success is not a number';
  return {
    update: textOf(said('update')) ?? '',
    task: textOf(said('task')) ?? '',
    name: textOf(said('episode')) ?? name,
    outcome: Number.isNaN(outcome!) ? reward! : outcome!,
    success: success!,
    greedy: greedy!,
  };
}

/** An episode a line, with a list of messages. Null, or why it cannot be read. */
export function takeMessages(builder: TableBuilder, value: unknown, line: number): string | null {
  const name = messagesName(value);
  if (name === null) return 'it has no list of messages';
  const list = own(value, name) as readonly unknown[];
  if (list.length > MOST_MESSAGES) return `it has more than ${MOST_MESSAGES.toLocaleString('en-US')} messages`;
  const messages: Message[] = [];
  for (const item of list) {
    const message = messageOf(item);
    if (typeof message === 'string') return message;
    messages.push(message);
  }
  const episode = episodeOf(value as Fields, `${builder.file}line ${line}`);
  if (typeof episode === 'string') return episode;
  // episodes without a task are of the same one if they begin with the same words
  const first = messages.find(({ who, text }) => who !== 'system' && text !== null)?.text ?? '';
  const task = episode.task === '' ? shown(first, 200) : episode.task;
  return takeTalk(builder, { ...episode, task }, messages, line) > 0 ? null : 'no message in it is of an agent';
}

/** True of a line as verl writes its generations down: what was asked, what was answered, and a score. */
export const isGeneration = (value: unknown): boolean =>
  typeof own(value, 'input') === 'string' &&
  typeof own(value, 'output') === 'string' &&
  own(value, 'score') !== undefined;

/**
 * A generation of verl: { input, output, gts, score, step }. Equal inputs of one training step are a group, as the samples
 * of a prompt are in GRPO. An output of several turns is cut into them where their roles are written in it.
 */
export function takeGeneration(builder: TableBuilder, value: unknown, line: number): string | null {
  if (!isGeneration(value)) return 'it does not have input, output and score';
  const [score, step] = [numberOf(own(value, 'score')), numberOf(own(value, 'step'))];
  if (score === null || Number.isNaN(score)) return 'its score is not a number';
  const { first, turns } = turnsIn(own(value, 'input') as string, own(value, 'output') as string);
  const named = (text: string): Pick<Message, 'action' | 'reward' | 'logp' | 'answer'> & { text: string } => ({
    ...{ text, action: null, reward: NaN, logp: NaN, answer: null },
  });
  const messages: Message[] = [
    { who: 'user', ...named(first) },
    ...turns.map(({ who, text }) => ({ who, ...named(text) })),
  ];
  const episode = {
    ...{ update: step === null || Number.isNaN(step) ? '' : String(step), task: own(value, 'input') as string },
    ...{
      name: textOf(own(value, 'request_id') ?? own(value, 'uid')) ?? `${builder.file}line ${line}`,
      outcome: score,
      greedy: NaN,
    },
    success: numberOf(own(value, 'acc') ?? own(value, 'success')) ?? NaN,
  };
  return takeTalk(builder, episode, messages, line) > 0 ? null : 'its output is empty';
}

/** True of a line of the trajectories that the lab exports. */
export const isOfLab = (value: unknown): boolean =>
  Array.isArray(own(value, 'actions')) && Array.isArray(own(value, 'rewards')) && own(value, 'level') !== undefined;

/** A trajectory that the lab exported: lists of actions, rewards and, since version 0.9, keys of states. */
export function takeLab(builder: TableBuilder, value: unknown, line: number): string | null {
  if (!isOfLab(value)) return 'it is not a trajectory of the lab';
  const list = (name: string): readonly unknown[] | null => {
    const found = own(value, name);
    return Array.isArray(found) ? found : null;
  };
  const [actions, states] = [list('actions')!, list('states')];
  const rewards = list('seen') ?? list('rewards')!;
  if (rewards.length !== actions.length || actions.length === 0)
    return 'its lists of actions and rewards differ in length';
  if (states && states.length !== actions.length + 1) return 'its list of states does not fit its actions';
  const numbers = rewards.map(numberOf);
  if (numbers.some((r) => r === null || Number.isNaN(r))) return 'one of its rewards is not a number';
  const extra = (['logp', 'entropy', 'value'] as const).map((name) => [name, list(name)] as const);
  const text = (name: string): string => textOf(own(value, name)) ?? '';
  for (let t = 0; t < actions.length; t++) {
    const { step } = builder;
    step.clear();
    step.update = `${text('update')}${text('seed') === '' ? '' : `, seed ${text('seed')}`}`;
    step.task = own(value, 'task') === undefined ? text('level') : text('task');
    step.episode = text('trajectory');
    step.order = t;
    step.line = line;
    step.reward = numbers[t]!;
    step.action = textOf(actions[t]);
    step.success = numberOf(own(value, 'success')) ?? NaN;
    step.terminated = numberOf(own(value, 'terminated')) ?? NaN;
    if (states) [step.state, step.next] = [textOf(states[t]), textOf(states[t + 1])];
    for (const [name, values] of extra) step[name] = numberOf(values?.[t]) ?? NaN;
    step.nextValue = numberOf(own(value, 'finalValue')) ?? NaN;
    builder.add();
  }
  return null;
}
