import { healthPresets } from './healthPresets.ts';
import { lessonPresets, table } from './lessonPresets.ts';
import { configWith } from './schema.ts';
import type { Config } from './slots.ts';
import { worldPresets } from './worldPresets.ts';

/** An experiment someone should see: a difference to the defaults, and what to look for. */
export type Preset = {
  readonly id: string;
  readonly title: string;
  /** heading in the menu */
  readonly group?: string;
  readonly look: string;
  readonly changes: Readonly<Record<string, unknown>>;
};

const gridPresets: readonly Preset[] = [
  {
    id: 'key-door',
    title: 'Key and door · GiGPO',
    look: 'Success rises within seconds; the arrows point first to the key, then to the door.',
    changes: {},
  },
  {
    id: 'key-door-grpo',
    title: 'Key and door · GRPO',
    look: 'Every step of a failed episode gets the same blame, even those that fetched the key.',
    changes: { 'advantage.method': 'grpo' },
  },
  {
    id: 'key-door-rloo',
    title: 'Key and door · RLOO',
    look: 'The same colors as GRPO on another scale; Adam makes the two nearly equal.',
    changes: { 'advantage.method': 'rloo' },
  },
  {
    id: 'key-door-dr-grpo',
    title: 'Key and door · Dr. GRPO',
    look: 'No division by the spread: groups with one lucky episode pull less.',
    changes: { 'advantage.method': 'drGrpo' },
  },
  {
    id: 'key-door-reinforce-pp',
    title: 'Key and door · REINFORCE++',
    look: 'One scale for the whole batch: easy groups cannot blow up their own signal.',
    changes: { 'advantage.method': 'reinforcePP' },
  },
  {
    id: 'key-door-reinforce-pp-baseline',
    title: 'Key and door · REINFORCE++ baseline',
    look: 'Group mean first, then one scale for the batch.',
    changes: { 'advantage.method': 'reinforcePPBaseline' },
  },
  {
    id: 'key-door-ppo',
    title: 'Key and door · PPO with critic',
    look: 'The critic’s own errors show up as credit before it has learned the values.',
    changes: {
      'advantage.method': 'gae',
      'objective.epochs': 4,
      'objective.minibatches': 4,
      'objective.entropyCoef': 0.01,
      'run.updates': 300,
    },
  },
  {
    id: 'key-door-ppo-max',
    title: 'Key and door · PPO-max',
    look: 'Ten updates train only the critic, then success follows within five. The KL penalty in the reward keeps the policy near its random start: the return settles near 0.9, where plain PPO reaches 1.',
    changes: {
      'advantage.method': 'gae',
      'objective.method': 'ppoClip',
      'objective.epochs': 4,
      'objective.minibatches': 4,
      'objective.klIn': 'reward',
      'objective.klCoef': 0.05,
      'objective.valueClip': 0.2,
      'objective.criticWarmup': 10,
      'reward.normalize': true,
      'reward.normalizeClip': 0.8,
      'optimizer.clipNorm': 1,
      'run.updates': 300,
    },
  },
  {
    id: 'key-door-safe',
    title: 'Key and door · SAFE',
    look: 'The gap between the two values falls below 0.02 within 15 updates. By then success is at 1, and it stays there while the gate opens: the KL weight rises from 0 to 0.1.',
    changes: {
      'policy.critics': 'double',
      'advantage.method': 'gae',
      'objective.method': 'ppoClip',
      'objective.epochs': 4,
      'objective.minibatches': 4,
      'objective.entropyCoef': 0.01,
      'control.safe.on': true,
      'objective.valueClip': 0.2,
      'objective.valueLoss': 'mean',
      'objective.valueHuber': 0.5,
      'run.updates': 300,
    },
  },
  {
    id: 'key-door-oprl',
    title: 'Key and door · OPRL',
    look: 'The step part is flat in the first update; then it marks the key and the door.',
    changes: { 'advantage.method': 'oprl', 'advantage.oprl.beta': 0.5, 'rollout.groupSize': 16 },
  },
  {
    id: 'bro-rl',
    title: 'Empty room, groups of 256 · BroRL',
    look: 'One task, 256 tries, and two routes that are equally good. See “Mass balance” (Curves, Exploration): with few samples, the route that was not tried loses ground; with many, neither does.',
    changes: {
      'task.grid.level': 'empty',
      'task.grid.n': 6,
      'advantage.method': 'grpo',
      'rollout.tasksPerBatch': 1,
      'rollout.groupSize': 256,
      'run.updates': 60,
    },
  },
  {
    id: 'corridor',
    title: 'Corridor of 12 · GiGPO',
    look: 'The goal is first found by luck; credit then spreads back from it.',
    changes: { 'task.grid.level': 'corridor', 'task.grid.n': 12 },
  },
  {
    id: 'four-rooms',
    title: 'Four rooms · GiGPO',
    look: 'Each seed has its own map; the gaps between the rooms light up.',
    changes: { 'task.grid.level': 'fourRooms', 'task.grid.n': 9, 'run.updates': 300 },
  },
  {
    id: 'door-key',
    title: 'Door and key behind a wall · GiGPO',
    look: 'Two milestones in a row before the first reward.',
    changes: { 'task.grid.level': 'doorKey', 'task.grid.n': 6, 'run.updates': 300 },
  },
  {
    id: 'cliff',
    title: 'Cliff walk · GiGPO',
    look: 'Steps at the edge take the blame; the agent keeps away from it and still reaches the goal.',
    changes: {
      'task.grid.level': 'cliff',
      'task.grid.w': 6,
      'task.grid.h': 3,
      'reward.grid.step': -10,
      'reward.grid.dead': -200,
      'objective.entropyCoef': 0.02,
    },
  },
  {
    id: 'cliff-shortcut',
    title: 'Cliff walk, falling is free · GiGPO',
    look: 'Dying to save time: every step costs and falling is free, so the agent learns to jump off the cliff at once.',
    changes: {
      'task.grid.level': 'cliff',
      'task.grid.w': 6,
      'task.grid.h': 3,
      'reward.grid.step': -10,
    },
  },
  {
    id: 'frozen-lake',
    title: 'Frozen lake, a little slippery · GiGPO',
    look: 'One move in five slips: success settles near 0.7, and the ice decides the rest.',
    changes: {
      'task.grid.level': 'custom',
      'task.grid.text': 'slip: 1 8 1\nice: all\nmap:\nS...\n.O.O\n...O\nO..G',
      'objective.entropyCoef': 0.01,
    },
  },
  {
    id: 'frozen-lake-hard',
    title: 'Frozen lake, very slippery · GiGPO',
    look: 'The best policy succeeds 74 % of the time, this one hardly ever: the ice hides which steps were good.',
    changes: { 'task.grid.level': 'frozenLake4', 'objective.entropyCoef': 0.02, 'run.updates': 300 },
  },
  {
    id: 'bonus-room',
    title: 'Bonus room · GiGPO',
    look: 'Paid for the wrong thing: the return rises while success falls, because the bonus tile is worth more than the goal.',
    changes: { 'task.grid.level': 'bonusRoom', 'run.updates': 300 },
  },
  {
    id: 'silent-corridor',
    title: 'Corridor of 40, table · GRPO',
    look: 'A corridor of 40: whole groups fail together, so nothing is ever learned. Shorten it.',
    changes: {
      ...table,
      'advantage.method': 'grpo',
      'task.grid.level': 'corridor',
      'task.grid.n': 40,
      'run.updates': 100,
    },
  },
];

/** All experiments, in the order of the menu. */
export const presets: readonly Preset[] = [
  ...gridPresets.map((p) => ({ group: 'Grid-world', ...p })),
  ...worldPresets,
  ...lessonPresets,
  ...healthPresets,
];

export function presetConfig(preset: Preset): Config {
  return configWith(preset.changes);
}

export function presetById(id: string): Preset | undefined {
  return presets.find((p) => p.id === id);
}
