import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { estimators } from '../../slots/methods.ts';
import { addressOf, definitionOf, paperOf } from './links.ts';
import { revisedBy } from './revised.ts';
import { byAction } from './visits.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

const ROOT = join(import.meta.dirname, '../../..');

test.each(estimators.map((e) => e.id))('%s: its definition is a file of the repository', (id) => {
  expect(existsSync(join(ROOT, definitionOf(id))), definitionOf(id)).toBe(true);
});

test('sources are files of the site', () => {
  expect(addressOf('src/a.ts')).toBe('./source/src/a.ts.txt');
  expect(paperOf('2505.10978')).toBe('https://arxiv.org/abs/2505.10978');
});

test('visits of a state by action: the most frequent first, with what came of each', () => {
  // three episodes of two steps; the state was met in the steps 0, 2 and 4
  const snapshot = { T: 2, action: Uint32Array.of(3, 0, 1, 0, 3, 0), success: Uint32Array.of(1, 1, 0) };
  expect(byAction(snapshot, Uint32Array.of(0, 2, 4), Float32Array.of(1, 0.5, 0))).toEqual([
    { action: 3, visits: 2, successes: 1, toGo: 0.5, judged: 0.5 },
    { action: 1, visits: 1, successes: 1, toGo: 0.5, judged: 0.5 },
  ]);
  const judged = Float32Array.of(3, 1, 2);
  expect(byAction(snapshot, Uint32Array.of(0, 2, 4), Float32Array.of(1, 0.5, 0), judged)).toEqual([
    { action: 3, visits: 2, successes: 1, toGo: 0.5, judged: 2.5 },
    { action: 1, visits: 1, successes: 1, toGo: 0.5, judged: 1 },
  ]);
});

test('credit that the run changes before it learns is told by what changes it', () => {
  expect(revisedBy(configWith({}))).toBeNull();
  expect(revisedBy(configWith({ 'revise.virtualTarget.on': true }))).toBe(
    'pulls the credit of successes toward a virtual target',
  );
  expect(revisedBy(configWith({ 'revise.matchSize.on': true, 'revise.softerBlame.on': true }))).toBe(
    'divides all credit by its root mean square (“Match update size”) and lets bad credit count less in groups that mostly fail (“Softer blame”)',
  );
});
