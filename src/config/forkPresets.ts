import type { Preset } from './presets.ts';

/** A maze of corridors with two junctions on the way to the goal, and dead ends. */
const MAZE = ['###########', '#S........#', '#.###.###.#', '#.#...#...#', '#.#.###.#.#', '#...#...#G#', '###########'];

const forking = {
  ...{ 'task.grid.level': 'custom', 'task.grid.text': MAZE.join('\n'), 'task.grid.maxSteps': 30 },
  ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 16, 'run.updates': 80 },
  ...{ 'rollout.method': 'arpo', 'rollout.arpo.starts': 8, 'advantage.method': 'arpo' },
};

/** Episodes that are forked while they are played, and places that are alike. */
export const forkPresets: readonly Preset[] = [
  {
    id: 'maze-arpo',
    title: 'Corridors, forks at junctions · ARPO',
    look: 'Half of the episodes are forked where corridors part. After 60 updates success is about 0.7, with a third fewer steps; fresh episodes alone (GRPO) reach 0.4.',
    changes: { ...forking, 'rollout.arpo.eligible': 'junction', 'rollout.arpo.alpha': 0.3 },
  },
  {
    id: 'maze-arpo-released',
    title: 'Corridors, released constants · ARPO',
    look: 'A coin decides at nearly every step, so half of the forks part within the first tenth of an episode. Success grows little faster than without forks.',
    changes: {
      ...forking,
      ...{ 'rollout.arpo.eligible': 'all', 'rollout.arpo.forkPoint': 'after' },
      ...{ 'rollout.arpo.alpha': 0.5, 'rollout.arpo.beta': 0.2 },
    },
  },
  {
    id: 'maze-aepo',
    title: 'Corridors, balanced budget of forks · AEPO',
    look: 'One probe of each task says how many episodes begin fresh, and a fork right after a fork is less likely. Forks lie late, at the junctions.',
    changes: {
      ...forking,
      ...{ 'advantage.method': 'aepo', 'rollout.arpo.budget': 'balanced', 'rollout.arpo.penalty': 0.25 },
      ...{ 'rollout.arpo.eligible': 'junction', 'rollout.arpo.alpha': 0.3 },
    },
  },
  {
    id: 'bonus-room-similar',
    title: 'Bonus room, similar states · GiGPO',
    look: 'Maps that differ in a twentieth of their cells count as one place. Success reaches 1, as with equal states; GRPO stays below a third.',
    changes: { 'task.grid.level': 'bonusRoom', 'advantage.method': 'gigpoSimilar', 'run.updates': 100 },
  },
];
