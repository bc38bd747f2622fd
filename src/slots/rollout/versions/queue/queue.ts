import type { AnyValues } from '../../../../core/settings.ts';
import { defineVersionRule } from '../../types.ts';
import { queueSettingsOf, queuesOf } from './boundedQueue.ts';
import { clockSize, versionsByLength } from './lengthClock.ts';

const byLengths = ({ timeBy, ages }: AnyValues): boolean => ages === 'queue' && timeBy === 'lengths';

/**
 * A simulated clock says which version plays: u − k … u, step t when t/T of the time of its task group has passed. See
 * `BoundedQueue`.
 */
export const queue = defineVersionRule({
  id: 'queue',
  title: 'from a queue with a bound',
  params: {
    generators: {
      kind: 'integer',
      label: 'Generators',
      default: 4,
      min: 1,
      max: 256,
      doc: 'C: how many task groups are played at once while the trainer learns.',
      formula: 'C',
    },
    timeBy: {
      kind: 'choice',
      label: 'Time of a group',
      default: 'drawn',
      options: ['drawn', 'lengths'],
      optionLabels: ['drawn at random', 'its longest episode'],
      doc: 'What makes a task group take long; its episodes are played side by side.',
    },
    playTime: {
      kind: 'number',
      label: 'Time to play',
      default: 2,
      min: 0.01,
      max: 100,
      scale: 'log',
      unit: 'training steps',
      doc: 'Mean time of a task group, or that of a whole episode; one update of training takes 1.',
    },
    tail: {
      kind: 'number',
      label: 'Spread of times',
      default: 1,
      min: 0,
      max: 2,
      doc: 'Spread of the logarithm of these times: 0 = all equal; 1 = some take ten times as long.',
      formula: 'time · exp(σz − σ²/2)',
    },
    publishEvery: {
      kind: 'integer',
      label: 'Publish every',
      default: 1,
      min: 1,
      max: 129,
      unit: 'updates',
      doc: 'Generators get new weights only after every m-th update; at most staleness + 1.',
      formula: 'm',
    },
    interrupt: {
      kind: 'switch',
      label: 'Take over new weights',
      default: true,
      doc: 'Running groups continue with new weights as soon as there are any.',
    },
  },
  metrics: ['simTime', 'throughput', 'speedUp', 'trainerIdle', 'generatorIdle', 'queueLength', 'queueHeld'],
  hint({ staleness, tasksPerBatch, generators, publishEvery }) {
    if (Number(publishEvery) > Number(staleness) + 1) {
      const message = `with a staleness of ${Number(staleness)} weights are published every ${Number(staleness) + 1} updates`;
      return { setting: 'publishEvery', message, instead: Number(staleness) + 1 };
    }
    const most = (Number(staleness) + 1) * Number(tasksPerBatch);
    if (Number(generators) <= most) return null;
    const message = `can never all be busy: the bound allows ${most} task groups at once`;
    return { setting: 'generators', message, instead: most };
  },
  clockSize: (rollout) => (byLengths(rollout) ? clockSize(queueSettingsOf(rollout)) : 0),
  refuses(rollout) {
    const { generators, tasks } = queueSettingsOf(rollout);
    if (!byLengths(rollout) || generators >= tasks) return null;
    const message = `are fewer than the ${tasks} tasks of a batch: when groups begin would depend on each other`;
    return { setting: 'generators', message, instead: tasks };
  },
  versions(rollout) {
    if (byLengths(rollout)) return versionsByLength(queueSettingsOf(rollout));
    const queues = queuesOf(queueSettingsOf(rollout));
    return {
      at: (seed, update, task, t, T) => queues.of(seed).versionOf(update, task, t / T),
      measure({ seed, update, B }) {
        const { end, trainerIdle, generatorIdle, waiting, held } = queues.of(seed).at(update);
        return {
          simTime: end,
          throughput: ((update + 1) * B) / end,
          speedUp: queues.synchronous(seed).at(update).end / end,
          trainerIdle,
          generatorIdle,
          queueLength: waiting,
          queueHeld: held,
        };
      },
    };
  },
});
