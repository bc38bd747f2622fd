import { expect, test } from 'vitest';
import { settledAt } from '../../config/events.ts';
import { forkConfig } from '../../config/fork.ts';
import { configWith } from '../../config/schema.ts';
import type { SeriesFrame } from '../../worker/protocol.ts';
import { actionOf } from '../keys.ts';
import { placeOf } from './plotStory.ts';
import { changesOf, lossOf, reasonsOf } from './words.ts';

const LR = 'optimizer.learningRate';

test('changes of one update stand together, and a fork lists those of its parents where they were in force', () => {
  const parent = configWith({ 'run.events': `10 ${LR} 0.01; 10 rollout.temperature 2; 90 ${LR} 0.1` });
  expect(changesOf(parent)).toEqual([
    { update: 10, words: 'learning rate 0.01, temperature 2' },
    { update: 90, words: 'learning rate 0.1' },
  ]);
  const child = configWith({ 'run.events': `70 ${LR} 0.5` }, settledAt(parent, 64));
  expect(changesOf(forkConfig(parent, 64, child)).map((c) => c.update)).toEqual([10, 70]);
});

test('what is lost is said in updates and in changes', () => {
  const config = configWith({ 'run.events': `10 ${LR} 0.01; 12 ${LR} 0.02; 30 ${LR} 0.03` });
  expect(lossOf(config, 19, 20)).toBe('The last update will be dropped. Undo, beside Reset, takes that back.');
  expect(lossOf(config, 12, 20)).toMatch(/^The last 8 updates and the change made in them will be dropped\./);
  expect(lossOf(config, 8, 20)).toMatch(/^The last 12 updates and the 2 changes made in them/);
});

test('reasons of a checkpoint are read one after the other', () => {
  const reasons = [
    { kind: 'power' as const, words: 'power of two' },
    { kind: 'best' as const, words: 'best evaluation 0.93' },
  ];
  expect(reasonsOf({ update: 64, reasons })).toBe('power of two, best evaluation 0.93');
});

test('against environment steps an update stands where its last step was taken', () => {
  const series = {
    points: 3,
    S: 1,
    update: Float32Array.of(1, 5, 10),
    envSteps: Float32Array.of(100, 480, 990),
    stepsBefore: Float32Array.of(0, 380, 890),
    values: new Float32Array(),
  } satisfies SeriesFrame;
  expect([0, 1, 5, 20].map((u) => placeOf(series, u, 'envSteps'))).toEqual([0, 100, 480, 990]);
  expect(placeOf(series, 5, 'update')).toBe(5);
  expect(placeOf(null, 5, 'envSteps')).toBe(5);
});

test('keys: shift with an arrow is a checkpoint, an arrow alone is not; F forks', () => {
  const press = (key: string, shiftKey = false) =>
    actionOf({ key, shiftKey, ctrlKey: false, metaKey: false, altKey: false });
  expect([press('ArrowLeft', true), press('ArrowRight', true), press('f')]).toEqual(['before', 'after', 'fork']);
  expect([press('ArrowLeft'), press('ArrowRight')]).toEqual([null, null]);
  expect(press(' ', true)).toBeNull();
});
