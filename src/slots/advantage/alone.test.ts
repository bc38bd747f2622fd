import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { estimators } from '../methods.ts';
import type { Estimator } from '../types.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { sampleBatch, type SampleTrajectory } from './sampleBatch.ts';
import { learnsAlone } from './tryAlone.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

/** Every estimator with its defaults, each choice taken once, each switch turned, and each number at its least. */
const variants = estimators.flatMap((estimator) => {
  const base: AnyValues = defaultsOf(estimator.params);
  const others = Object.entries(estimator.params).flatMap(([name, s]): AnyValues[] =>
    s.kind === 'choice'
      ? s.options.filter((o) => o !== s.default).map((o) => ({ ...base, [name]: o }))
      : s.kind === 'switch'
        ? [{ ...base, [name]: !s.default }]
        : s.kind === 'number' || s.kind === 'integer'
          ? [{ ...base, [name]: s.min }]
          : [],
  );
  return [base, ...others].map((params) => [`${estimator.id} ${JSON.stringify(params)}`, estimator, params] as const);
});

/** Task groups of one episode each, with states that come again or not. */
const alone = (isOnce: boolean) =>
  arbitraryTrajectories.map((list) => {
    // without pairs a process model stays the copy of the policy that it began as
    const own = (x: SampleTrajectory) => (x.logp ? { logpPhi: x.logp } : {});
    const episodes = list.map((x, task) => ({ ...x, ...own(x), task, greedy: task / 4, parent: -1 }));
    if (!isOnce) return sampleBatch(episodes, 7);
    const states = (n: number) => Array.from({ length: n }, (_, t) => 10 + t);
    const cells = (n: number) =>
      Array.from({ length: n }, (_, t) => Array.from({ length: 8 }, (_c, c) => (c === t ? 1 : 0)));
    const once = episodes.map((x) => ({ ...x, state: states(x.reward.length), cells: cells(x.reward.length) }));
    return sampleBatch(once, 7);
  });

test.each(variants)('%s: groups of one get credit as it was found by trying', (_, estimator, params) => {
  const learned = (isOnce: boolean): boolean => {
    let found = false;
    const look = fc.property(alone(isOnce), (batch) => {
      found ||= estimator.run(batch, params).A.some((a) => a !== 0);
    });
    fc.assert(look, { numRuns: 40 });
    return found;
  };
  const seen = learned(true) ? 'anyway' : learned(false) ? 'revisits' : 'nothing';
  expect(learnsAlone(estimator, params, 2)).toBe(seen);
  expect(estimator.alone(params, 2)).toBe(seen);
});

/** Settings of an estimator in all combinations: choices, switches, and each number at its default and its bounds. */
function* combinations(estimator: Estimator): Generator<AnyValues> {
  const values = Object.entries(estimator.params).map(([name, s]) => {
    const all =
      s.kind === 'choice'
        ? s.options
        : s.kind === 'switch'
          ? [false, true]
          : s.kind === 'number' || s.kind === 'integer'
            ? [...new Set([s.default, s.min, s.max])]
            : [s.default];
    return [name, all] as const;
  });
  const total = values.reduce((product, [, all]) => product * all.length, 1);
  // some have a thousand combinations: then every eleventh, which meets all pairs, as no count of values is 11
  for (let n = 0; n < total; n += total > 200 ? 11 : 1) {
    let rest = n;
    yield Object.fromEntries(
      values.map(([name, all]) => {
        const value = all[rest % all.length]!;
        rest = Math.floor(rest / all.length);
        return [name, value];
      }),
    );
  }
}

test.each(estimators.map((e) => [e.id, e] as const))('%s says of itself what trying shows', (_, estimator) => {
  for (const params of combinations(estimator))
    for (const tasks of [1, 2]) {
      const told = `${JSON.stringify(params)} with ${tasks}: ${estimator.alone(params, tasks)}`;
      expect(told).toBe(`${JSON.stringify(params)} with ${tasks}: ${learnsAlone(estimator, params, tasks)}`);
    }
});

test('what is known of the estimators: who needs company, and who does not', () => {
  const known = {
    nothing: [
      ...['grpo', 'drGrpo', 'rloo', 'reinforcePPBaseline', 'salt', 'loop', 'flowGrpo', 'litePpo', 'aepo', 'hicra'],
      ...['oprl', 'arpo', 'nodeValue', 'opo', 'grpoPassK', 'gpg', 'gdpo'],
    ],
    revisits: ['gigpo', 'gigpoSimilar', 'formula', 'graft', 'graphGpo', 'hgpo', 'rtmc'],
    anyway: [
      'copo',
      'dual',
      'empg',
      'g2po',
      'gae',
      'mapo',
      'mars',
      'reinforcePP',
      'remax',
      'rlvmr',
      'igpo',
      'stepSamples',
    ],
  };
  for (const [kind, ids] of Object.entries(known)) {
    for (const id of ids) {
      const e = estimators.find((one) => one.id === id)!;
      expect(learnsAlone(e, defaultsOf(e.params), 2), id).toBe(kind);
    }
  }
  // as in verl
  for (const id of ['grpo', 'rloo', 'reinforcePPBaseline', 'opo', 'gpg', 'gdpo']) {
    const e = estimators.find((one) => one.id === id)!;
    expect(learnsAlone(e, { ...defaultsOf(e.params), singleton: 'return' }, 2), id).toBe('anyway');
  }
  // nothing to compare a task with
  expect(
    learnsAlone(
      estimators.find((e) => e.id === 'copo')!,
      { gain: 20, threshold: 0.55, rows: 'steps' },
      1,
    ),
  ).toBe('nothing');
});
