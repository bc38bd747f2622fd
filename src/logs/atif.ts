import type { TableBuilder } from './builder.ts';
import { callsOf, takeTalk, type Message } from './talk.ts';
import { isFields, numberOf, own, ownAt, shown, sumOf, textOf, type Fields } from './values.ts';

/**
 * The Agent Trajectory Interchange Format (harbor-framework/harbor, rfcs/0001-trajectory-format, ATIF v1.0 to v1.7): one
 * file an episode. What is read: `steps` with source, message, tool_calls, observation and metrics.logprobs. Rewards stand in
 * other files beside it, where the harness has put them.
 */

/** Steps of one trajectory. */
const MOST_STEPS = 100_000;
const VERSION = /^ATIF-v1\.[0-7]$/;

export const isAtif = (value: unknown): boolean =>
  typeof own(value, 'schema_version') === 'string' &&
  (own(value, 'schema_version') as string).startsWith('ATIF') &&
  Array.isArray(own(value, 'steps'));

/** What other files say of a trajectory. */
export type Verdict = { readonly reward: number; readonly task: string };

/** The folder of a trial, to which files that belong together lead: up to the last folder that has a role of its own. */
export function trialOf(name: string): string {
  const parts = name.split('/').slice(0, -1);
  while (parts.length > 0 && ['agent', 'verifier', 'logs'].includes(parts.at(-1)!)) parts.pop();
  return parts.join('/');
}

/** True of a name of a file that may hold a verdict. */
export const isVerdict = (name: string): boolean =>
  ['result.json', 'reward.txt', 'reward.json', 'rewards.json'].includes(name.split('/').at(-1)!.toLowerCase());

/** A reward in a file beside a trajectory: the number alone, { reward }, or the result of a harness. NaN: none. */
export function verdictIn(name: string, text: string): Verdict {
  if (name.toLowerCase().endsWith('.txt')) return { reward: numberOf(text.slice(0, 60).trim()) ?? NaN, task: '' };
  const value = parsed(text);
  if (typeof value === 'number') return { reward: value, task: '' };
  const reward = own(value, 'reward') ?? own(value, 'score') ?? ownAt(value, 'verifier_result', 'reward');
  const rewards = ownAt(value, 'verifier_result', 'rewards') ?? own(value, 'rewards');
  return {
    reward: numberOf(reward ?? rewardIn(rewards)) ?? NaN,
    task: textOf(own(value, 'task_name') ?? own(value, 'task_id')) ?? '',
  };
}

/** The reward among several by names: `reward`, or the only one. */
function rewardIn(rewards: unknown): unknown {
  if (!isFields(rewards)) return rewards;
  const found = own(rewards, 'reward');
  if (found !== undefined) return found;
  const names = Object.keys(rewards);
  return names.length === 1 ? own(rewards, names[0]!) : undefined;
}

/** Rewards by trajectory or file, as { name: reward } or { name: { reward, task } }; only names that are no fields of a verdict. */
export function verdictsIn(text: string): Map<string, Verdict> {
  const found = new Map<string, Verdict>();
  const value = parsed(text);
  if (!isFields(value)) return found;
  for (const name of Object.keys(value)) {
    const item = value[name];
    const reward = numberOf(isFields(item) ? own(item, 'reward') : item);
    if (reward === null || Number.isNaN(reward)) continue;
    found.set(name, { reward, task: textOf(own(item, 'task') ?? own(item, 'task_id')) ?? '' });
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Takes a trajectory in. Null, or why it cannot be read. `line`: its number among the files. */
export function takeAtif(
  builder: TableBuilder,
  value: unknown,
  file: string,
  line: number,
  verdict: Verdict | undefined,
): string | null {
  if (!isAtif(value)) return 'it is not a trajectory in ATIF';
  const version = own(value, 'schema_version') as string;
  if (!VERSION.test(version)) return `its version is ${shown(version, 30)}; ATIF v1.0 to v1.7 are read`;
  const steps = own(value, 'steps') as readonly unknown[];
  if (steps.length > MOST_STEPS) return `it has more than ${MOST_STEPS.toLocaleString('en-US')} steps`;
  const messages: Message[] = [];
  for (const step of steps) {
    const message = messageIn(step);
    if (typeof message === 'string') return message;
    if (message) messages.push(message);
  }
  const extra = own(value, 'extra');
  const reward =
    verdict?.reward ??
    numberIn(extra, ['reward', 'score']) ??
    numberIn(own(value, 'final_metrics'), ['reward', 'mean_reward']);
  const first = messages.find(({ who, text }) => who === 'user' && text !== null)?.text ?? '';
  const folder = trialOf(file).split('/').at(-1) ?? '';
  const task = [verdict?.task, textOf(own(extra, 'task_id') ?? own(extra, 'task')), taskIn(folder)].find(
    (name) => name,
  );
  const name = textOf(own(value, 'trajectory_id') ?? own(value, 'session_id')) ?? '';
  const episode = {
    ...{ update: '', task: task ?? shown(first, 200), outcome: reward ?? numberIn(value as Fields, ['reward']) ?? NaN },
    // copies of one trajectory in several folders are several episodes
    ...{ name: folder === '' ? name || file : folder, success: NaN, greedy: NaN },
  };
  return takeTalk(builder, episode, messages, line) > 0 ? null : 'no step in it is of an agent';
}

/** Trials of a task are called task__something. */
const taskIn = (folder: string): string => (folder.includes('__') ? folder.slice(0, folder.lastIndexOf('__')) : '');

function numberIn(value: unknown, names: readonly string[]): number | undefined {
  for (const name of names) {
    const x = numberOf(own(value, name));
    if (x !== null && !Number.isNaN(x)) return x;
  }
  return undefined;
}

/** A step as a message; null for one that was copied from an earlier trajectory. */
function messageIn(step: unknown): Message | string | null {
  const who = own(step, 'source');
  if (typeof who !== 'string') return 'a step does not say its source';
  if (own(step, 'is_copied_context') === true) return null;
  const results = ownAt(step, 'observation', 'results');
  const seen = Array.isArray(results)
    ? results.map((result) => textOf(own(result, 'content'))).filter((text) => text !== null)
    : [];
  const reward = numberOf(ownAt(step, 'extra', 'reward'));
  if (reward === null) return 'the reward of a step is not a number';
  return {
    ...{ who: who.trim().toLowerCase(), text: textOf(own(step, 'message')), action: callsOf(own(step, 'tool_calls')) },
    ...{ reward, logp: sumOf(ownAt(step, 'metrics', 'logprobs')) ?? NaN },
    answer: seen.length > 0 ? seen.join('\n') : null,
  };
}
