import type { RowPlan } from '../../../contract/rows.ts';
import { settings } from '../../../core/settings.ts';
import { FLAG, type Move, type StepResult } from '../../../envs/types.ts';
import { defineRollout, type RowContext, type RowsSeen } from '../types.ts';
import { growTree, type TreeRule } from './branching.ts';

const params = settings({
  starts: {
    kind: 'integer',
    label: 'Fresh starts',
    default: 4,
    min: 1,
    max: 512,
    doc: 'N: episodes of a group that begin at the start; the rest of the G are forked from them.',
    formula: 'N',
  },
  mode: {
    kind: 'choice',
    label: 'Decision',
    default: 'sample',
    options: ['sample', 'threshold'],
    optionLabels: ['by chance, with probability P', 'wherever P is above τ'],
    doc: 'How the probability P decides on a fork.',
  },
  alpha: {
    kind: 'number',
    label: 'Base probability',
    default: 0.05,
    min: 0,
    max: 1,
    doc: 'Probability of a fork where the policy is as uncertain as at the start.',
    formula: 'α',
  },
  beta: {
    kind: 'number',
    label: 'Weight of the entropy',
    default: 0.5,
    min: 0,
    max: 10,
    doc: 'How much a rise of the entropy since the start adds to it.',
    formula: 'β',
  },
  tau: {
    kind: 'number',
    label: 'Threshold',
    default: 0.5,
    min: 0,
    max: 1,
    doc: 'Forks wherever P is above it.',
    formula: 'τ',
    when: { setting: 'mode', is: ['threshold'] },
  },
  eligible: {
    kind: 'choice',
    label: 'Steps that may fork',
    default: 'newState',
    options: ['newState', 'all'],
    optionLabels: ['new states with a choice', 'all but the first'],
    doc: 'A choice: at least two legal actions change the state. Without this filter the forks are used up at once.',
  },
  beam: {
    kind: 'integer',
    label: 'Beam',
    default: 2,
    min: 2,
    max: 8,
    doc: 'A step is forked up to beam − 1 times.',
  },
  penalty: {
    kind: 'number',
    label: 'Penalty for forks in a row',
    default: 0,
    min: 0,
    max: 1,
    doc: 'Each fork directly before lowers P by this share (AEPO); 0 = off.',
    formula: 'λ',
  },
  scope: {
    kind: 'choice',
    label: 'Forks in a row',
    default: 'path',
    options: ['path', 'task'],
    optionLabels: ['on each path', 'in the whole group'],
    doc: 'Where forks in a row are counted for the penalty.',
  },
});

/**
 * Episodes are forked where the policy has become less certain than it was at the start:
 *
 *   ΔĤ[i,t] = (H[i,t] − H[i,0]) / ln|A|
 *   P[i,t] = clip(α + β·ΔĤ[i,t], 0, 1) · max(0, 1 − λ·l[i])
 *
 * N episodes of a group begin at the start. At each eligible step t ≥ 1 an episode is forked before its action with
 * probability P, while some of the G − N others are free; a fork decides from its next step on, with the entropy of its
 * root. What is free when all episodes are over begins at the start as well. (The released code forks after the action, and
 * compares with the entropies of an earlier batch; see the paper's own rule with `threshold`.)
 */
export const arpo = defineRollout({
  id: 'arpo',
  title: 'Forks where uncertain (ARPO)',
  rev: 1,
  source: { title: 'Agentic Reinforced Policy Optimization', arxiv: '2507.19849', level: 'digest' },
  formula: 'P = clip(α + β·(H[t] − H[0])/ln|A|, 0, 1)',
  look: 'Episodes share their beginnings and part at junctions; fewer steps are played per episode.',
  params,
  needs: ['length', 'taskIndex', 'entropy', 'legal', 'state', 'stateKey'],
  forks: true,
  fresh: ({ starts }, groupSize) => Math.min(starts, groupSize),
  next(seen, context, { starts, eligible, ...rule }) {
    const { count, taskIndex, length, entropy } = seen;
    const { T, G, actions, draw, tasks } = context;
    const tree: TreeRule = { ...rule, actions, total: G, starts: Math.min(starts, G), maxSteps: T };
    const P = new Set(Array.from(tasks)).size;
    const mayFork = eligible === 'all' ? () => true : choicesIn(seen, context);
    return Array.from({ length: P }, (_, task) => {
      const rows = Array.from({ length: count }, (_row, i) => i).filter((i) => taskIndex[i] === task);
      const { parent, step, late } = growTree(tree, {
        played: rows.length,
        steps: (slot) => length[rows[slot]!]!,
        entropy: (slot, t) => entropy[rows[slot]! * T + t]!,
        eligible: (slot, t) => mayFork(rows[slot]!, t),
        draw: (slot, t, k) => draw(rows[slot]!, t * (tree.beam - 1) + k),
      });
      const forks = parent.slice(rows.length).map((from, k): RowPlan => ({
        ...{ task, origin: 'fork', parent: rows[from]! },
        branchStep: step[rows.length + k]!,
      }));
      const rest = late > 0 && rows.length < G ? late : 0;
      return [...forks, ...Array.from({ length: rest }, (): RowPlan => ({ task, origin: 'late' }))];
    }).flat();
  },
});

const move: Move = { action: 0, seed: 0 };
const result: StepResult = { reward: 0, flags: 0 };

/** Is a state new in its episode, and do at least two legal actions change it? */
function choicesIn(
  { length, stateKey, state, legal }: RowsSeen<'length' | 'stateKey' | 'state' | 'legal'>,
  { env, T, actions, level, episodeSeed }: RowContext,
): (row: number, t: number) => boolean {
  const isNew = new Map<number, readonly boolean[]>();
  const newStates = (row: number): readonly boolean[] => {
    const met = new Set<string>();
    return Array.from({ length: length[row]! }, (_, t) => {
      const at = 2 * (row * T + t);
      return met.size < met.add(`${stateKey[at]} ${stateKey[at + 1]}`).size;
    });
  };
  const after = new Uint32Array(env.words);
  const key = new Uint32Array(2);
  const changes = (row: number, t: number, action: number): boolean => {
    if (((legal[row * T + t]! >>> action) & 1) === 0) return false;
    const at = (row * (T + 1) + t) * env.words;
    after.set(state.subarray(at, at + env.words));
    move.action = action;
    move.seed = episodeSeed(row);
    env.step(level(row), after, 0, move, result);
    if ((result.flags & FLAG.terminated) !== 0) return true;
    env.key(level(row), after, 0, key, 0);
    return key[0] !== stateKey[2 * (row * T + t)] || key[1] !== stateKey[2 * (row * T + t) + 1];
  };
  return (row, t) => {
    let news = isNew.get(row);
    if (!news) isNew.set(row, (news = newStates(row)));
    if (!news[t]) return false;
    let useful = 0;
    for (let a = 0; a < actions && useful < 2; a++) if (changes(row, t, a)) useful++;
    return useful >= 2;
  };
}
