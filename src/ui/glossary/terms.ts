/** A symbol or word of the formulas, with one short explanation. */
export type Term = {
  readonly id: string;
  /** as people meet it; the first one names it in lists. A word of the lessons has none */
  readonly symbols: readonly string[];
  readonly name: string;
  readonly text: string;
  /** fields or slots, by the beginnings of their paths, in whose formulas the symbol means this; all where none is named */
  readonly where?: readonly string[];
  /** charts whose head carries it */
  readonly metrics?: readonly string[];
};

/** The glossary, in the order of an update: what is played, what it is worth, what follows from it. */
export const TERMS: readonly Term[] = [
  {
    id: 'r',
    symbols: ['r'],
    name: 'reward of a step',
    text: 'What the world pays for one step: often 0 until the goal pays 1.',
    where: ['advantage', 'reward', 'task'],
  },
  {
    id: 'R',
    symbols: ['R'],
    name: 'return of an episode',
    text: 'All rewards of one episode added up.',
    where: ['advantage', 'revise', 'reward', 'source', 'objective'],
    metrics: ['returnMean'],
  },
  {
    id: 'returnToGo',
    symbols: ['G'],
    name: 'return from a step on',
    text: 'The rewards from this step to the end of the episode, later ones discounted by γ.',
    where: ['advantage'],
  },
  {
    id: 'groupSize',
    symbols: ['G'],
    name: 'group size',
    text: 'How many episodes start from the same task. Their returns are compared with each other.',
    where: ['rollout', 'advantage.copo.threshold'],
  },
  {
    id: 'P',
    symbols: ['P'],
    name: 'tasks per batch',
    text: 'How many different tasks one batch holds. With G episodes each, a batch is P · G episodes.',
    where: ['rollout'],
  },
  {
    id: 'T',
    symbols: ['T'],
    name: 'step limit',
    text: 'An episode is cut after this many steps.',
    where: ['task'],
  },
  {
    id: 'V',
    symbols: ['V'],
    name: 'value',
    text: 'The return to expect from a state on, as a critic or the episodes of the batch estimate it.',
    where: ['advantage', 'source', 'policy'],
  },
  {
    id: 'A',
    symbols: ['A'],
    name: 'advantage, the credit of a step',
    text: 'How much better a step was than the usual one there. Above 0 the action becomes more likely, below 0 less.',
    where: ['advantage', 'revise', 'objective', 'source'],
    metrics: ['creditRms'],
  },
  {
    id: 'exact',
    symbols: ['A^π'],
    name: 'exact advantage',
    text: 'The true credit of a step under the current policy. It is computed, not estimated, where the world is small enough.',
    where: [],
  },
  {
    id: 'γ',
    symbols: ['γ'],
    name: 'discount',
    text: 'How much a reward loses for each step it comes later. At 1 it loses nothing; at 0.9 a tenth per step.',
    where: ['advantage', 'reward'],
  },
  {
    id: 'λ',
    symbols: ['λ'],
    name: 'trace',
    text: 'How far credit looks ahead: at 0 it trusts the critic after one step, at 1 only the rewards that came.',
    where: ['advantage'],
  },
  {
    id: 'δ',
    symbols: ['δ'],
    name: 'surprise of the critic',
    text: 'Reward plus the value of the next state minus the value of this one.',
    where: ['advantage'],
  },
  {
    id: 'ω',
    symbols: ['ω'],
    name: 'step weight',
    text: 'How much the comparison of steps adds to that of whole episodes. At 0 only episodes are compared.',
    where: ['advantage'],
  },
  {
    id: 'normalize',
    symbols: ['normalize', 'whiten'],
    name: 'in units of the spread',
    text: 'Each number minus the mean, divided by the standard deviation. Where all are equal, each becomes 0.',
    where: ['advantage'],
  },
  {
    id: 'π',
    symbols: ['π', 'π_θ'],
    name: 'policy',
    text: 'The agent that is trained: the probability of each action, given what the agent sees.',
    where: ['objective', 'advantage', 'revise'],
  },
  {
    id: 'π_old',
    symbols: ['π_old'],
    name: 'policy that played',
    text: 'The policy as it was when it played the batch. Training moves π away from it.',
  },
  {
    id: 'π_ref',
    symbols: ['π_ref'],
    name: 'reference policy',
    text: 'A frozen copy that π is kept close to, if the KL weight is above 0.',
  },
  {
    id: 'ρ',
    symbols: ['ρ'],
    name: 'ratio',
    text: 'How much more likely the policy makes an action now than when it was played: π / π_old. It starts at 1.',
    where: ['objective'],
    metrics: ['ratioMean', 'ratioMax', 'clipFraction'],
  },
  {
    id: 'ε',
    symbols: ['ε_low', 'ε_high'],
    name: 'clip range',
    text: 'How far the ratio ρ may move from 1 before an update stops pushing it further.',
    where: ['objective'],
  },
  {
    id: 'clip',
    symbols: ['clip'],
    name: 'hold between two bounds',
    text: 'A number outside the bounds becomes the nearer bound. Beyond it, the gradient is 0.',
    where: ['objective'],
  },
  {
    id: 'H',
    symbols: ['H'],
    name: 'entropy',
    text: 'How undecided the policy is, in nats: 0 when it is sure, log n when n actions are equally likely.',
    where: ['advantage', 'control', 'objective.aepo'],
    metrics: ['entropy'],
  },
  {
    id: 'KL',
    symbols: ['KL'],
    name: 'KL divergence',
    text: 'How different two policies are, in nats. 0 means that they choose alike.',
    metrics: ['approxKL', 'klRef', 'klStart'],
  },
  {
    id: 'β',
    symbols: ['β'],
    name: 'KL weight',
    text: 'How much a difference from the reference costs.',
    where: ['control', 'objective.klCoef', 'objective.klIn'],
  },
  {
    id: 'β_H',
    symbols: ['β_H'],
    name: 'entropy bonus',
    text: 'How much being undecided is rewarded.',
    where: ['control', 'objective'],
  },
  {
    id: 'ess',
    symbols: ['ESS', 'ess'],
    name: 'effective sample size',
    text: 'The share of the batch that still counts once each episode is weighted by its ratio: 1 is all of it.',
    where: ['objective'],
    metrics: ['ess', 'essStep', 'essStart'],
  },
  {
    id: 'θ',
    symbols: ['θ'],
    name: 'weights',
    text: 'All numbers of the policy’s network or table, which training changes.',
    where: ['optimizer', 'control'],
  },
  {
    id: 'η',
    symbols: ['η'],
    name: 'learning rate',
    text: 'How long a step of the optimizer is.',
    where: [
      'optimizer.learningRate',
      'optimizer.adam',
      'optimizer.sgd',
      'optimizer.rmsProp',
      'optimizer.normalizedSgd',
      'objective.vcpo',
    ],
  },
  {
    id: 'S',
    symbols: ['S'],
    name: 'seeds',
    text: 'Copies of the agent that learn side by side and differ only by chance.',
    where: ['run'],
  },
];
