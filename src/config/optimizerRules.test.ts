import { expect, test } from 'vitest';
import { checkRules } from './rules.ts';
import { configWith } from './schema.ts';

const found = (changes: Record<string, unknown>): string[] =>
  checkRules(configWith(changes))
    .filter(({ path }) => /^optimizer|stepPreview|matchSize/.test(path))
    .map(({ severity, path }) => `${severity} ${path}`);

const normalized = { 'optimizer.method': 'normalizedSgd', 'optimizer.learningRate': 0.1 };

test('a limit of the norm is pointed out where every step has the same length, and not where old gradients count', () => {
  expect(found(normalized)).toEqual(['hint optimizer.clipNorm']);
  expect(found({ ...normalized, 'optimizer.clipNorm': 0 })).toEqual([]);
  expect(found({ ...normalized, 'optimizer.normalizedSgd.momentum': 0.5 })).toEqual([]);
  expect(found({ 'optimizer.method': 'rmsProp' })).toEqual([]);
});

test('a learning rate made for Adam is pointed out where it is the length of a step', () => {
  const quiet = { ...normalized, 'optimizer.clipNorm': 0 };
  expect(found({ ...quiet, 'optimizer.learningRate': 0.003 })).toEqual(['hint optimizer.learningRate']);
});

test('a matched update size is left to the one optimizer whose step follows the size of the gradient', () => {
  for (const method of ['adam', 'rmsProp', 'npgIgt']) {
    const rate = { 'optimizer.method': method, 'optimizer.learningRate': 0.3 };
    expect(found({ ...rate, 'revise.matchSize.on': true }), method).toEqual(['hint revise.matchSize.on']);
  }
  expect(found({ 'optimizer.method': 'sgd', 'revise.matchSize.on': true })).toEqual([]);
});

test('the step preview goes with every optimizer but the one that plays ahead of its steps', () => {
  const preview = { 'control.stepPreview.on': true, 'optimizer.learningRate': 0.3, 'optimizer.clipNorm': 0 };
  for (const method of ['adam', 'rmsProp', 'sgd', 'normalizedSgd'])
    expect(found({ ...preview, 'optimizer.method': method }), method).toEqual([]);
  expect(found({ ...preview, 'optimizer.method': 'npgIgt' })).toEqual(['error control.stepPreview.on']);
});
