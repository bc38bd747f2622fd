import { settings } from '../../core/settings.ts';
import { keyed } from '../../envs/perturb/keyed.ts';
import { defineWrapper } from './types.ts';

/**
 * Which states count as one (BQ-NCO). Steps are grouped, counted and recognized by the key of the state before them, so a
 * coarser key gives anchor groups more members:
 *
 *   exact          the whole state
 *   reduced        without what cannot matter any more: Sokoban boxes + smallest square in reach; grid keys without a door
 *   symmetric      level and state up to turning and mirroring; π sees that image and its action is turned back
 *   bisimulation   states with the same future, by partition refinement of the listed level
 */
export const stateKeys = defineWrapper({
  id: 'stateKeys',
  title: 'State keys',
  rev: 1,
  source: { title: 'BQ-NCO', arxiv: '2301.03313', level: 'abstract' },
  look: 'Fewer different states in a batch, and larger anchor groups.',
  also: 'symmetry, canonical form, quotient, bisimulation, equivariant, anchors, GiGPO',
  params: settings({
    stateKeys: {
      kind: 'choice',
      group: 'State keys',
      label: 'States count as one',
      default: 'exact',
      options: ['exact', 'reduced', 'symmetric', 'bisimulation'],
      optionLabels: [
        'if all is equal',
        'if what matters is equal',
        'if one is the other turned',
        'if their future is equal',
      ],
      doc: 'What anchor groups, counts and graphs take for the same state.',
    },
  }),
  isOff: ({ stateKeys: mode }) => mode === 'exact',
  world: (env, params) => keyed(env, params),
  refuses: ({ stateKeys: mode }, view) =>
    mode === 'symmetric' && view === 'index' ? 'has no image of the number of a state' : null,
  onlyOnCpu: true,
  wgsl: async () => '',
});
