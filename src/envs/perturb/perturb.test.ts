import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must } from '../../core/problem.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { environments } from '../registry.ts';
import type { Environment } from '../types.ts';
import { noiseOf, payLate } from './pay.ts';
import { blank, sightOf } from './sight.ts';

/** An environment with a level, seen in a view. */
function seen(id: string, view: string, changes: AnyValues = {}) {
  const env = environments.find((e) => e.id === id)!;
  const level = must(env.level({ ...defaultsOf(env.settings), ...changes, view }, defaultsOf(env.rewards), 3));
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  const words = Math.ceil(env.features(level) / 32);
  const obs = new Uint32Array(words);
  env.observe(level, state, 0, obs, 0);
  return { env, level, state, obs, words, sight: sightOf(env, level, view), features: env.features(level) };
}

const ones = (obs: Uint32Array, features: number): number[] =>
  Array.from({ length: features }, (_, f) => f).filter((f) => ((obs[f >>> 5]! >>> (f & 31)) & 1) === 1);

const BUSY: AnyValues = { level: 'custom', text: 'S.#$L\n.aA~G\n+b.Bt' };

describe('rewards', () => {
  test('paid two steps late: the first two steps pay nothing, the last one all that is due', () => {
    const reward = Int32Array.of(99, 1, 20, 300, 4000, 50_000, 77);
    payLate(reward, 1, 5, 2);
    expect([...reward]).toEqual([99, 0, 0, 1, 20, 54_300, 77]);
  });

  test('an episode shorter than the delay pays everything in its last step', () => {
    const reward = Int32Array.of(1, -20, 300);
    payLate(reward, 0, 3, 8);
    expect([...reward]).toEqual([0, 0, 281]);
  });

  test('the sum never changes, no reward is paid early, and no delay changes nothing', () => {
    const list = fc.array(fc.integer({ min: -20_000, max: 20_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(list, fc.integer({ min: 0, max: 8 }), (given, d) => {
        const late = Int32Array.from(given);
        payLate(late, 0, late.length, d);
        expect(late.reduce((a, b) => a + b, 0)).toBe(given.reduce((a, b) => a + b, 0));
        for (let t = 0; t < given.length - 1; t++) expect(late[t]).toBe(t < d ? 0 : given[t - d]);
        if (d === 0) expect([...late]).toEqual(given);
      }),
    );
  });

  test('noise is a whole number of thousandths from −s to s, with mean 0, and the draw of slot 16', () => {
    const s = 250;
    const n = 40_000;
    const all = Array.from({ length: n }, (_, t) => noiseOf(s, 7, t));
    expect(Math.max(...all)).toBe(250);
    expect(Math.min(...all)).toBe(-250);
    // 5 standard errors of a uniform variable over −s … s: 5·s/√3/√n
    expect(Math.abs(all.reduce((a, b) => a + b, 0) / n)).toBeLessThan((5 * s) / Math.sqrt(3 * n));
    expect(all[5]).toBe(below(random(7, PURPOSE.step, 5, 16, 0), 501) - 250);
    expect(noiseOf(0, 7, 5)).toBe(0);
  });
});

describe('observations', () => {
  const VIEWS: readonly (readonly [string, string, AnyValues])[] = [
    ['grid', 'planes', BUSY],
    ['grid', 'ego', { ...BUSY, actions: 'turn' }],
    ['grid', 'planes', { ...BUSY, noisyTiles: true }],
    ['sokoban', 'planes', {}],
  ];

  test.each(VIEWS)('the cell of the agent stays and other cells go as a whole: %s, %s %o', (id, view, changes) => {
    const { obs, sight, features } = seen(id, view, changes);
    const cells = sight.parts;
    const agent = ones(obs, features).find((f) => Math.floor(f / cells) === sight.spared)! % cells;
    const before = ones(obs, features);
    const kept = new Map<number, number>();
    let blanked = 0;
    const n = 400;
    for (let seed = 0; seed < n; seed++) {
      const noisy = obs.slice();
      blank(sight, 64, seed, 3, noisy, 0);
      const after = new Set(ones(noisy, features));
      for (const f of before) if (after.has(f)) kept.set(f, (kept.get(f) ?? 0) + 1);
      for (const f of after) expect(before).toContain(f);
      for (let cell = 0; cell < cells; cell++) {
        const mine = before.filter((f) => f < cells * sight.bits && f % cells === cell);
        const left = mine.filter((f) => after.has(f)).length;
        if (mine.length > 0 && cell !== agent) expect([0, mine.length]).toContain(left);
        const isGone = random(seed, PURPOSE.noise, 3, cell, 1) >>> 24 < 64;
        if (mine.length > 0 && cell !== agent) expect(left === 0).toBe(isGone);
        if (isGone && cell !== agent) blanked++;
      }
    }
    for (const f of before)
      if (f >= cells * sight.bits || f % cells === agent) expect(kept.get(f), `feature ${f}`).toBe(n);
    // a quarter, within 5 standard deviations of a binomial variable
    const trials = n * (cells - 1);
    expect(Math.abs(blanked - trials / 4)).toBeLessThan(5 * Math.sqrt((trials * 3) / 16));
  });

  test.each([
    ['grid', {}],
    ['sokoban', {}],
    ['textmaze', {}],
  ])('tokens become <pad> one by one, each with the same chance: %s', (id, changes) => {
    const { obs, sight, features } = seen(id, 'tokens', changes);
    const token = (words: Uint32Array, k: number): number => (words[k >>> 2]! >>> (8 * (k & 3))) & 255;
    const length = features / 8;
    const told = Array.from({ length }, (_, k) => k).filter((k) => token(obs, k) !== 0);
    let gone = 0;
    const n = 300;
    for (let seed = 0; seed < n; seed++) {
      const noisy = obs.slice();
      blank(sight, 128, seed, 9, noisy, 0);
      for (const k of told) {
        expect([0, token(obs, k)]).toContain(token(noisy, k));
        expect(token(noisy, k) === 0).toBe(random(seed, PURPOSE.noise, 9, k, 1) >>> 24 < 128);
        if (token(noisy, k) === 0) gone++;
      }
    }
    const trials = n * told.length;
    expect(told.length).toBeGreaterThan(5);
    expect(Math.abs(gone - trials / 2)).toBeLessThan(2.5 * Math.sqrt(trials));
  });

  test('a bag of words loses single words', () => {
    const { obs, sight, features } = seen('textmaze', 'bag');
    const noisy = obs.slice();
    blank(sight, 100, 5, 2, noisy, 0);
    const left = ones(obs, features).filter((f) => random(5, PURPOSE.noise, 2, f, 1) >>> 24 >= 100);
    expect(ones(noisy, features)).toEqual(left);
    expect(left.length).toBeLessThan(ones(obs, features).length);
  });

  test('noise 0 and the number of a state are left alone; other steps and episodes draw anew', () => {
    const { obs, sight } = seen('grid', 'planes', BUSY);
    const after = (n: number, seed: number, t: number): string => {
      const noisy = obs.slice();
      blank(sight, n, seed, t, noisy, 0);
      return noisy.join();
    };
    expect(after(0, 1, 1)).toBe(obs.join());
    expect(new Set([after(90, 1, 1), after(90, 1, 2), after(90, 2, 1)]).size).toBe(3);
    const index = seen('grid', 'index', { level: 'keyDoor' });
    const number = index.obs.slice();
    blank(index.sight, 255, 1, 1, number, 0);
    expect(number).toEqual(index.obs);
  });
});

test('every environment is seen in parts that lie inside its observation', () => {
  for (const env of environments as readonly Environment[]) {
    const { view } = env.settings;
    const views = view?.kind === 'choice' ? view.options.filter((v) => v !== 'index') : [];
    for (const name of [...views, 'tokens']) {
      const { sight, features } = seen(env.id, name);
      const last = (sight.parts - 1) * sight.stride + (sight.bits - 1) * sight.step;
      expect(sight.parts, `${env.id} ${name}`).toBeGreaterThan(0);
      expect(last, `${env.id} ${name}`).toBeLessThan(features);
    }
  }
});
