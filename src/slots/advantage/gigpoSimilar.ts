import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { gigpoParams, groupInGroup, groupInGroupOn } from './gigpo.ts';
import { likenessParams, mostDifferent, similarHeads, tellsPlaces } from './similarity.ts';

const params = settings({
  ...gigpoParams,
  ...likenessParams,
});

/**
 * GiGPO whose anchor groups hold observations that look alike instead of equal states.
 *
 *   A[i,t] = Normalize(R over the task group) + ω·Normalize(G over the cluster of the observation)
 *
 * In row order a step joins the first cluster of its task group whose first member shares enough cells, else it opens a
 * new one. Clusters never merge, so the credit depends on the order of the episodes. (The released code compares texts.)
 */
export const gigpoSimilar = defineEstimator({
  id: 'gigpoSimilar',
  title: 'GiGPO over similar states',
  rev: 1,
  source: { title: 'Group-in-Group Policy Optimization', arxiv: '2505.10978', level: 'code' },
  needs: ['outcome', 'reward', 'taskIndex', 'length', 'obsCells'],
  formula: 'A = normalize(R over the task group) + ω · normalize(G over similar observations)',
  look: 'More steps have a group than with GiGPO, but their members were not all in the same place.',
  params,
  parts: ['episode', 'step'],
  alone: ({ omega, threshold }) => (omega === 0 ? 'nothing' : threshold === 0 ? 'anyway' : 'revisits'),
  hint: (values, cells) => tellsPlaces(values, cells),
  run: (batch, values) => groupInGroup(batch, similarHeads(batch, values), values),
  onGpu: ({ compare }) => compare === 'cells',
  scratch: ({ omega }) => (omega === 1 ? 8 : 9),
  gpu: (ops, values) =>
    groupInGroupOn(
      ops,
      ops.setsAlike((cells) => mostDifferent(cells, values.threshold)),
      values,
    ),
});
