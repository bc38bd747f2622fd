import { STEP_ROLES } from '../../contract/units.ts';
import { settings } from '../../core/settings.ts';
import { given } from '../advantage/given.ts';
import { defineRevision } from './types.ts';

const ACTION = STEP_ROLES.indexOf('action');
const NOTE = STEP_ROLES.indexOf('note');

/**
 * A ← 0 at the steps of the role that is frozen: planner (switches, subgoals, plans) or executor (actions, notes). Credit that
 * compares episodes was compared before, each episode once, however many steps either role took.
 */
export const trainedRoles = defineRevision({
  id: 'trainedRoles',
  title: 'One role learns',
  rev: 1,
  source: { title: 'AgentFlow', arxiv: '2510.05592', level: 'code' },
  needs: ['decides', 'length'],
  formula: 'A ← A·1[role learns]',
  look: 'The credit strip is gray where the frozen role decided. Whether success still rises says who had to learn.',
  caption: 'leaves out the role that does not learn (“One role learns”)',
  also: 'role mask, planner, executor, frozen, CoDA, PECO, AgentFlow, Flow-GRPO',
  params: settings({
    role: {
      kind: 'choice',
      label: 'Learns',
      default: 'planner',
      options: ['planner', 'executor', 'both'],
      optionLabels: ['who plans (AgentFlow)', 'who acts', 'both, by one score (CoDA)'],
      doc: 'Weights are shared, so the other role may still drift, as entropy bonus and KL stay.',
    },
  }),
  run(A, { batch }, { role }) {
    const { B, T, length } = batch;
    const decides = given(batch, 'decides');
    for (let i = 0; i < B; i++)
      for (let k = i * T; k < i * T + length[i]!; k++) {
        const acts = decides[k] === ACTION || decides[k] === NOTE;
        if (role !== 'both' && acts === (role === 'planner')) A[k] = 0;
      }
  },
});
