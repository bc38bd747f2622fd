import { settings } from '../../../core/settings.ts';
import { fromStartStore } from '../again/episodeStore.ts';
import { defineRollout } from '../types.ts';
import { foreignGroups } from './groups.ts';

export const swarmSettings = settings({
  foreign: {
    kind: 'number',
    label: 'Share of others',
    default: 0.5,
    min: 0.05,
    max: 0.9,
    doc: 'J/(I + J): groups of other tabs that train beside the I groups of the batch.',
    formula: 'J/(I+J)',
  },
  ratio: {
    kind: 'choice',
    label: 'Ratio against',
    default: 'local',
    options: ['local', 'sender'],
    optionLabels: ['this policy, as in the paper', 'the policy that played'],
    doc: 'Whose log π_old others’ rows are divided by. The first gives ratio 1: it hides how far off they are.',
  },
  pool: {
    kind: 'integer',
    label: 'Pool',
    default: 512,
    min: 16,
    max: 8192,
    scale: 'log',
    unit: 'episodes',
    doc: 'Episodes of others that are kept to draw from, 64 groups of 8; the oldest make room.',
  },
  expiry: {
    kind: 'integer',
    label: 'Expires after',
    default: 10,
    min: 1,
    max: 1000,
    scale: 'log',
    unit: 'updates',
    doc: 'Groups of others are forgotten this many updates after they came.',
  },
});

/**
 * Several tabs learn the same task and tell each other what they played. Beside the I groups of the batch train J of others:
 *
 *   J groups, each as likely, of those in the pool whose returns differ    A[i] = (R[i] − mean)/std inside each
 *   L = I/(I+J)·L(batch) + J/(I+J)·L(groups of others)
 *
 * What is told is actions, not observations or weights: whoever hears of a row plays it again, and a row that does not come out
 * as it was told is refused. Whether anybody is heard is no setting: the person decides for the tab. Alone it is the run that
 * samples every episode. (In the paper I + J is fixed, so that more of others means less of its own.)
 */
export const swarm = defineRollout({
  id: 'swarm',
  title: 'Share with other tabs (SAPO)',
  rev: 1,
  source: { title: 'SAPO: sharing rollouts in a swarm', arxiv: '2509.08721', level: 'digest' },
  formula: 'I own groups + J of others',
  look: 'A tab that is stuck jumps some updates after a lucky one. With more than half from others, agents copy.',
  params: swarmSettings,
  metrics: ['peerRows', 'peersKnown', 'peerSent', 'peerRefused', 'againRows'],
  state: ({ pool }) => ({
    ...fromStartStore(pool),
    groups: { type: 'f64', per: 'replica', width: 1 + 2 * pool, onFork: ['tasks'] },
  }),
  beside: (params, { P, G }) => ({ again: foreignGroups(params, P) * G, imitated: 0 }),
  warns: ({ foreign }) =>
    foreign > 0.75
      ? 'trains mostly on what others did, less than a quarter is its policy’s: copying looks like learning'
      : null,
  memory: async () => (await import('./swarmMemory.ts')).swarmMemory,
});
