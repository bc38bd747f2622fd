import { defineMetrics } from './types.ts';

/** What a run says that hears of other runs of the same task. */
export const peerMetrics = defineMetrics([
  {
    id: 'peerRows',
    title: 'Episodes of others',
    group: 'data',
    unit: 'episodes',
    doc: 'Episodes of other tabs that trained beside the batch, after they were played again and checked.',
    look: '0 while nobody else shares. Above 0 in any update: the link of this run alone does not repeat it.',
  },
  {
    id: 'peersKnown',
    title: 'Tabs in the pool',
    group: 'data',
    unit: 'tabs',
    doc: 'Other tabs that the episodes in the pool come from.',
    look: 'As many as share. Falls to 0 when they stop, or when all of their groups earn the same.',
  },
  {
    id: 'peerSent',
    title: 'Episodes told',
    group: 'data',
    unit: 'episodes',
    doc: 'Episodes of this update that other tabs were told of: of groups whose returns differ.',
    look: '0 at first, where everything fails, and again at the end, where everything succeeds.',
  },
  {
    id: 'peerRefused',
    title: 'Episodes refused',
    group: 'data',
    unit: 'episodes',
    doc: 'Episodes of others that did not come out as told when they were played again, or of held-out levels.',
    look: 'Always 0 among honest tabs of the same version.',
  },
]);
