import { defineVersionRule } from '../../types.ts';
import { queueSettingsOf, queuesOf } from './boundedQueue.ts';

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
    playTime: {
      kind: 'number',
      label: 'Time to play',
      default: 2,
      min: 0.01,
      max: 100,
      scale: 'log',
      unit: 'training steps',
      doc: 'Mean time a generator takes for a task group; one update of training takes 1.',
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
    interrupt: {
      kind: 'switch',
      label: 'Take over new weights',
      default: true,
      doc: 'Running groups continue with new weights as soon as there are any.',
    },
  },
  metrics: ['simTime', 'throughput', 'speedUp', 'trainerIdle', 'generatorIdle', 'queueLength', 'queueHeld'],
  hint({ staleness, tasksPerBatch, generators }) {
    const most = (Number(staleness) + 1) * Number(tasksPerBatch);
    if (Number(generators) <= most) return null;
    const message = `can never all be busy: the bound allows ${most} task groups at once`;
    return { setting: 'generators', message, instead: most };
  },
  versions(rollout) {
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
