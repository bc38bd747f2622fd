import { expect, test } from 'vitest';
import { isSameTask, nearestPreset } from './nearestPreset.ts';
import { presetById, presetConfig } from './presets.ts';
import { configWith } from './schema.ts';

const titleOf = (changes: Record<string, unknown>): string => nearestPreset(configWith(changes)).baseTitle;

test('an experiment of ours is told as itself, also with other seeds, another pace of learning and more updates', () => {
  const like = { 'run.seeds': 7, 'run.updates': 333, 'optimizer.learningRate': 0.0123 };
  for (const id of ['key-door', 'bonus-room-similar', 'side-roads-notes', 'maze-arpo', 'key-door-capo']) {
    const preset = presetById(id)!;
    expect(nearestPreset(presetConfig(preset)).baseTitle).toBe(preset.title);
    expect(nearestPreset(configWith(like, presetConfig(preset))).baseTitle).toBe(preset.title);
  }
});

test('what comes from nowhere is told as an experiment in its own world', () => {
  const worlds = ['grid', 'sokoban', 'textmaze'];
  for (const world of worlds) expect(nearestPreset(configWith({ 'task.method': world })).base.task.method).toBe(world);
  expect(titleOf({})).toBe(presetById('key-door')!.title);
});

test('a task is the same while only other parts of the experiment differ', () => {
  const config = configWith({});
  expect(isSameTask(config, configWith({ 'advantage.method': 'grpo', 'run.seeds': 9 }))).toBe(true);
  expect(isSameTask(config, configWith({ 'task.grid.maxSteps': 12 }))).toBe(false);
  expect(isSameTask(config, configWith({ 'task.method': 'sokoban' }))).toBe(false);
  // a setting of a world that is not this one
  expect(isSameTask(config, configWith({ 'task.sokoban.maxSteps': 12 }))).toBe(true);
});
