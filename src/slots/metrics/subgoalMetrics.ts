import { segmentsIn, switchesIn, type Segment } from '../../contract/followed.ts';
import { defineMetrics, type BatchSeen } from './types.ts';

/** They exist where the policy sets itself subgoals. */
const needs = [{ setting: 'task.subgoals.on', is: [true] }] as const;

/** Mean over the segments of a batch; a gap where there are none. */
function overSegments({ batch }: BatchSeen, of: (segment: Segment) => number): number {
  const segments = segmentsIn(batch);
  return segments.length === 0 ? NaN : segments.reduce((sum, one) => sum + of(one), 0) / segments.length;
}

/** What a hierarchy does: how often its planner switches, how long it keeps a subgoal, and whether that comes true. */
export const subgoalMetrics = defineMetrics([
  {
    id: 'switchRate',
    title: 'Switch rate',
    group: 'structure',
    unit: 'share of decisions',
    doc: 'Decisions to take a new subgoal, divided by all decisions between keeping the old one and taking a new one.',
    look: 'Near 1 a subgoal lasts one step, near 0 the first one stays: either way there is no hierarchy left.',
    range: [0, 1],
    needs: [...needs, { setting: 'task.subgoals.mode', is: ['segments'] }],
    batch({ batch }) {
      const { asked, switched } = switchesIn(batch);
      return asked === 0 ? NaN : switched / asked;
    },
  },
  {
    id: 'segmentLength',
    title: 'Steps under one subgoal',
    group: 'structure',
    unit: 'steps of the world',
    doc: 'Mean number of steps of the world from one choice of a subgoal to the next, or to the end.',
    look: 'A few steps, as far as things are apart. One step is a policy without a planner.',
    needs,
    batch: (seen) => overSegments(seen, ({ steps }) => steps),
  },
  {
    id: 'segmentsReached',
    title: 'Subgoals reached',
    group: 'structure',
    unit: 'share of segments',
    doc: 'Segments in which the subgoal came to hold before the next one was chosen; one that held already does not count.',
    look: 'Rises where a subgoal means what it says. Success may rise without it: then actions do not follow subgoals.',
    range: [0, 1],
    needs,
    batch: (seen) => overSegments(seen, ({ reached }) => Number(reached)),
  },
]);
