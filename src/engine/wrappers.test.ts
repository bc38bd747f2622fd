import { describe, expect, test } from 'vitest';
import { configWith, defaultConfig } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { noiseOf } from '../envs/perturb/pay.ts';
import { sightOf } from '../envs/perturb/sight.ts';
import { environments } from '../envs/registry.ts';
import { wrappedWorld } from '../gpu/wrapped.ts';
import { makePlan } from './plan.ts';
import { wrappers } from '../slots/registry.ts';
import { rewardNoise } from '../slots/wrapper/rewardNoise.ts';
import { pathOf, wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';

const acting = (changes: Record<string, unknown>) => wrappersOf(configWith(changes).task);

describe('the wrappers of a task', () => {
  test('are those that its settings switch on, in the order of the registry, first one next to the world', () => {
    expect(wrappersOf(defaultConfig().task)).toEqual([]);
    const all = acting({ 'task.rewardNoise': 0.1, 'task.obsNoise': 3, 'task.actionDelay': 2, 'task.rewardDelay': 1 });
    expect(all.map(({ module }) => module.id)).toEqual(['actionDelay', 'rewardDelay', 'obsNoise', 'rewardNoise']);
    expect(all[0]!.params).toEqual({ actionDelay: 2 });
    expect(all.map(({ module }) => pathOf(module))).toEqual(all.map(({ module }) => `task.${module.id}`));
  });

  test('add their words to a state, and nothing where none acts', () => {
    const env = environments[0]!;
    expect(wrappedBy([], env, {})).toBe(env);
    expect(wrappedBy(acting({ 'task.obsNoise': 3 }), env, {})).toBe(env);
    expect(wrappedBy(acting({ 'task.actionDelay': 2 }), env, {}).words).toBe(env.words + 1);
  });

  test('keep values exact with noise of mean 0 and delayed actions, and with nothing else', () => {
    const why = (changes: Record<string, unknown>) =>
      acting(changes).map(({ module, params }) => module.inexact?.(params));
    expect(why({ 'task.actionDelay': 3, 'task.rewardNoise': 2 })).toEqual([undefined, undefined]);
    expect(why({ 'task.rewardDelay': 1 })).toEqual([expect.stringMatching(/late/)]);
    expect(why({ 'task.obsNoise': 1 })).toEqual([expect.stringMatching(/chance/)]);
  });

  test('put the light out after the first steps: then only the own cell of the agent is seen, as it was', async () => {
    const plan = must(makePlan(configWith({ 'task.seenSteps': 2, 'task.grid.level': 'keyDoor' })));
    const { env, obsWords } = plan;
    const level = plan.level(plan.firstLevelSeed);
    const state = new Uint32Array(env.words);
    env.reset(level, state, 0);
    const seen = new Uint32Array(obsWords);
    env.observe(level, state, 0, seen, 0);
    const { cells, planes, agent } = { ...env.board!(level)!, cells: env.scene(level, state, 0).cells.length };
    const at = (t: number): Uint32Array => {
      const obs = seen.slice();
      plan.wrapping.see[0]!({ sight: sightOf(env, level, 'planes'), episodeSeed: 5, t, obs, obsAt: 0 } as never);
      return obs;
    };
    const isOn = (obs: Uint32Array, f: number): boolean => ((obs[f >>> 5]! >>> (f & 31)) & 1) === 1;
    expect(at(0)).toEqual(seen);
    expect(at(1)).toEqual(seen);
    const dark = at(2);
    expect(at(200)).toEqual(dark);
    const own = env.scene(level, state, 0).agent.cell;
    for (let f = 0; f < planes * cells; f++) expect(isOn(dark, f)).toBe(f % cells === own && isOn(seen, f));
    expect(isOn(dark, agent! * cells + own)).toBe(true);
  });

  test('have noise in whole thousandths: 0.2509 is 250, and less than one is none', () => {
    expect(rewardNoise.pay!(-7, 3, 5, { rewardNoise: 0.2509 })).toBe(-7 + noiseOf(250, 3, 5));
    expect(acting({ 'task.rewardNoise': 0.0009 })).toEqual([]);
  });
});

describe('the linker', () => {
  const text = 'fn ownPay(reward : i32, seed : u32, t : u32) -> i32 { return innerPay(reward, seed, t) + OWN_BY; }';

  test('gives each wrapper names of its own, and leads each to what is before it', () => {
    const wrapped = wrappedWorld([
      { wgsl: text, constants: { BY: '2i' } },
      { wgsl: 'fn ownSettle(at : u32, count : u32) { innerSettle(at, count); }', constants: {} },
      { wgsl: text, constants: { BY: '5i' } },
    ]);
    expect(wrapped).toContain(
      'const W0_BY = 2i;\nfn w0Pay(reward : i32, seed : u32, t : u32) -> i32 { return basePay(',
    );
    expect(wrapped).toContain('const W2_BY = 5i;\nfn w2Pay(reward : i32, seed : u32, t : u32) -> i32 { return w0Pay(');
    expect(wrapped).toContain('{ return w2Pay(reward, seed, t); }');
    expect(wrapped).toContain('worldSettle(at : u32, count : u32) { w1Settle(at, count); }');
    expect(wrapped).toContain('{ return baseStep(levelAt, at, action, seed); }');
  });

  test('settles rewards when an episode is over, or only later where others go on from it', () => {
    const settle = [{ wgsl: 'fn ownSettle(at : u32, count : u32) { innerSettle(at, count); }', constants: {} }];
    const late = 'fn lateSettle(at : u32, count : u32) { w0Settle(at, count); }';
    expect(wrappedWorld(settle)).toContain(late);
    expect(wrappedWorld(settle)).toContain('fn worldSettle(at : u32, count : u32) { w0Settle(at, count); }');
    expect(wrappedWorld(settle, true)).toContain(late);
    expect(wrappedWorld(settle, true)).toContain('fn worldSettle(at : u32, count : u32) {  }');
  });

  test('leaves nothing unnamed, whatever the wrappers', async () => {
    const all = await Promise.all(
      wrappers.map(async ({ wgsl, params }) => ({ wgsl: await wgsl(defaultsOf(params)), constants: {} })),
    );
    for (const world of [wrappedWorld([]), wrappedWorld(all), wrappedWorld([...all, ...all])]) {
      const code = world.replace(/\/\/.*$/gm, '');
      expect(code).not.toMatch(/\b(own|inner)[A-Z]|\bOWN_/);
      const names = [...code.matchAll(/\bfn (\w+)/g)].map(([, name]) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
