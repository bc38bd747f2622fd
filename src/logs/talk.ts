import type { TableBuilder } from './builder.ts';
import { isAgent } from './rowsReader.ts';
import { isFields, numberOf, own, ownAt, sumOf, textOf } from './values.ts';

/** One message of an episode, in the words of a log. */
export type Message = {
  readonly who: string;
  readonly text: string | null;
  readonly action: string | null;
  readonly reward: number;
  readonly logp: number;
  /** what the message answers with: the observation after an action, where it stands in the same record */
  readonly answer: string | null;
};

/** What is said of a whole episode. */
export type Episode = {
  readonly update: string;
  readonly task: string;
  readonly name: string;
  readonly outcome: number;
  readonly success: number;
  readonly greedy: number;
};

/**
 * Writes an episode down that was a conversation: what the agent says is a step, and what it has heard since the step
 * before is the state. What it hears after its last step is the state that the episode ended in. The number of steps.
 */
export function takeTalk(builder: TableBuilder, episode: Episode, messages: readonly Message[], line: number): number {
  let heard: string[] = [];
  let i = -1;
  let steps = 0;
  for (const message of messages) {
    if (!isAgent(message.who)) {
      if (message.who !== 'system' && message.text !== null) heard.push(message.text);
      if (!Number.isNaN(message.reward) && i >= 0) builder.pay(i, message.reward);
      continue;
    }
    const { step } = builder;
    step.clear();
    step.update = episode.update;
    step.task = episode.task;
    step.episode = episode.name;
    step.outcome = episode.outcome;
    step.success = episode.success;
    step.greedy = episode.greedy;
    step.line = line;
    step.order = steps++;
    step.state = heard.join('\n');
    step.action = message.action ?? message.text ?? '';
    step.text = message.text;
    step.reward = message.reward;
    step.logp = message.logp;
    heard = message.answer === null ? [] : [message.answer];
    if (builder.add() < 0) return steps;
    i = builder.episodeOfStep();
  }
  if (i >= 0 && heard.length > 0) builder.end(i, heard.join('\n'));
  return steps;
}

/** A call of a tool as the text that two equal calls share. */
export function callsOf(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.slice(0, 100).map((call) => {
    const inner = isFields(own(call, 'function')) ? own(call, 'function') : call;
    const name = textOf(own(inner, 'function_name') ?? own(inner, 'name')) ?? '';
    return `${name} ${textOf(own(inner, 'arguments') ?? own(inner, 'input')) ?? ''}`.trim();
  });
  return texts.join('\n');
}

/** A message of a chat: { role, content, tool_calls }, or { from, value }. A text: why it is none. */
export function messageOf(value: unknown): Message | string {
  const who = own(value, 'role') ?? own(value, 'source') ?? own(value, 'from');
  if (typeof who !== 'string') return 'a message does not say who speaks (role)';
  const reward = numberOf(own(value, 'reward'));
  if (reward === null) return 'the reward of a message is not a number';
  const logp = sumOf(own(value, 'logprobs') ?? ownAt(value, 'metrics', 'logprobs'));
  return {
    who: who.trim().toLowerCase(),
    text: textOf(own(value, 'content') ?? own(value, 'message') ?? own(value, 'value') ?? own(value, 'text')),
    action: callsOf(own(value, 'tool_calls')),
    reward,
    logp: logp ?? NaN,
    answer: null,
  };
}
