import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { makePlan } from '../engine/plan.ts';
import { boxobanCount, boxobanLevel } from '../envs/sokoban/boxoban.ts';
import { rewardSettings, taskSettings } from '../envs/sokoban/settings.ts';
import { sokoban, type SokobanLevel } from '../envs/sokoban/sokoban.ts';
import { seedsOfLevels } from './boxoban.ts';

test('under the seed of each number an evaluation plays that level of the set, as it stands in the file', async () => {
  const config = presetConfig(presetById('sokoban-boxoban-drawn')!);
  await prepareTask(config);
  const plan = must(makePlan(config));
  const seeds = seedsOfLevels('unfiltered');
  expect(new Set(seeds).size).toBe(boxobanCount('unfiltered'));
  for (const [number, seed] of seeds.entries())
    expect(startOf(plan.level(seed) as SokobanLevel)).toBe(startOf(ofText(boxobanLevel('unfiltered', number)!)));
});

const ofText = (text: string): SokobanLevel =>
  must(sokoban.level({ ...defaultsOf(taskSettings), level: 'custom', text }, defaultsOf(rewardSettings), 0));

function startOf(level: SokobanLevel): string {
  const state = new Uint32Array(sokoban.words);
  sokoban.reset(level, state, 0);
  return sokoban.text(level, state, 0);
}
