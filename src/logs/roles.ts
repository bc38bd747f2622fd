import { ROLES, type Mapping, type Role } from './types.ts';

/** Names by which a column is recognized, without case, spaces and signs; the first one that a log has is taken. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  task: [
    'task',
    'taskid',
    'taskname',
    'prompt',
    'promptid',
    'uid',
    'group',
    'groupid',
    'instance',
    'instanceid',
    'problem',
    'problemid',
    'questionid',
    'question',
  ],
  episode: [
    'episode',
    'episodeid',
    'trajectory',
    'trajectoryid',
    'traj',
    'trajid',
    'trajuid',
    'rollout',
    'rolloutid',
    'session',
    'sessionid',
    'trial',
    'trialid',
    'conversationid',
    'sample',
    'sampleid',
  ],
  step: [
    'step',
    'stepid',
    'stepindex',
    'stepidx',
    't',
    'turn',
    'turnid',
    'turnindex',
    'turnidx',
    'envstep',
    'index',
    'order',
  ],
  update: ['update', 'iteration', 'globalstep', 'globalsteps', 'trainingstep', 'trainstep'],
  reward: ['reward', 'stepreward', 'turnreward', 'r'],
  outcome: [
    'outcome',
    'return',
    'episodereturn',
    'episodereward',
    'totalreward',
    'finalreward',
    'trajectoryreward',
    'score',
    'finalscore',
  ],
  success: ['success', 'won', 'issuccess', 'resolved', 'solved', 'iscorrect', 'correct', 'passed'],
  terminated: ['terminated', 'done', 'isdone', 'terminal'],
  state: [
    'state',
    'statekey',
    'stateid',
    'observation',
    'obs',
    'anchorobs',
    'observationtext',
    'statetext',
    'screen',
    'url',
  ],
  next: ['nextstate', 'nextobservation', 'nextobs', 'finalstate', 'finalobservation', 'newobservation'],
  action: ['action', 'actiontext', 'actionid', 'command', 'toolcall', 'toolcalls', 'tool', 'act'],
  text: ['text', 'message', 'content', 'response', 'output', 'completion', 'thought', 'reasoning'],
  source: ['role', 'source', 'speaker'],
  logp: ['logp', 'logprob', 'logprobs', 'oldlogp', 'oldlogprob', 'oldlogprobs', 'logprobability'],
  entropy: ['entropy', 'entropies', 'policyentropy'],
  value: ['value', 'values', 'v', 'criticvalue', 'valueestimate'],
  nextValue: ['nextvalue', 'finalvalue', 'valuefinal', 'bootstrapvalue'],
  greedy: ['greedyreturn', 'greedyreward', 'baselinereturn'],
  scoreNorm: ['scorenorm'],
  logpPhi: ['logpphi'],
};

/** What each role is, for the form that corrects a mapping and for sentences. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  task: 'task: rows with the same one are compared',
  episode: 'episode',
  step: 'order of the steps in an episode',
  update: 'training update: episodes of different ones are not compared',
  reward: 'reward of the step',
  outcome: 'return or score of the whole episode',
  success: 'whether the episode succeeded',
  terminated: 'whether the episode ended by itself',
  state: 'state or observation before the step',
  next: 'state or observation after the step',
  action: 'action',
  text: 'what was said or thought',
  source: 'who speaks, where a row is one message',
  logp: 'log-probability of the action, or of each token',
  entropy: 'entropy of the policy',
  value: 'value that a critic gave the state',
  nextValue: 'value of the state after the last step',
  greedy: 'return of a greedy episode of the same task',
  scoreNorm: 'squared length of the score, ‖∂ log π/∂ logits‖²',
  logpPhi: 'log-probability under a process model',
};

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The roles of columns by their names; a column has one role at most. */
export function mappingOf(columns: readonly string[]): Mapping {
  const byName = new Map<string, string>();
  for (const column of columns) if (!byName.has(bare(column))) byName.set(bare(column), column);
  const taken = new Set<string>();
  const found: Partial<Record<Role, string>> = {};
  for (const role of ROLES) {
    const name = NAMES[role].find((n) => byName.has(n) && !taken.has(byName.get(n)!));
    if (name === undefined) continue;
    found[role] = byName.get(name)!;
    taken.add(found[role]);
  }
  return found;
}

/** A mapping that was given, over the one that was recognized: '' takes a role away, and a column leaves its other role. */
export function corrected(recognized: Mapping, given: Mapping | undefined, columns: readonly string[]): Mapping {
  if (!given) return recognized;
  const wanted = new Set(Object.values(given));
  const result: Partial<Record<Role, string>> = {};
  for (const role of ROLES) {
    const name = Object.hasOwn(given, role)
      ? given[role]
      : wanted.has(recognized[role]!)
        ? undefined
        : recognized[role];
    if (name !== undefined && name !== '' && columns.includes(name)) result[role] = name;
  }
  return result;
}
