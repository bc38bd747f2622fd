import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { checkRules } from '../config/rules.ts';
import { configWith, setValue } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { must } from '../core/problem.ts';
import { PURPOSE } from '../core/random.ts';
import { rollouts, sources } from '../slots/registry.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { createRun, Run } from './run.ts';
import { train } from './sampleRun.ts';

type Key = readonly [seed: number, purpose: number, a: number, b: number, c: number];
/** The arguments of every draw since it was last emptied, apart for those that the module at test makes itself. */
const drawn = vi.hoisted(() => ({ inside: [] as Key[], outside: [] as Key[], depth: 0 }));
vi.mock('../core/random.ts', async (original) => {
  const own = await original<typeof import('../core/random.ts')>();
  const note = (key: Key): void => void (drawn.depth > 0 ? drawn.inside : drawn.outside).push(key);
  const random: typeof own.random = (...of) => (note(of), own.random(...of));
  const randomPair: typeof own.randomPair = (...of) => (note(of), own.randomPair(...of));
  return { ...own, random, randomPair };
});
beforeEach(() => {
  drawn.inside.length = drawn.outside.length = 0;
});
afterEach(() => void vi.restoreAllMocks());

/** What the functions of a record draw, and those that they return, is marked as theirs. */
function marked<M extends object>(module: M): M {
  const watched =
    (call: (...of: unknown[]) => unknown) =>
    (...of: unknown[]): unknown => {
      drawn.depth++;
      try {
        const made = call(...of);
        return typeof made === 'function' ? watched(made as (...of: unknown[]) => unknown) : made;
      } finally {
        drawn.depth--;
      }
    };
  const own = Object.entries(module).map(([name, value]) => [
    name,
    typeof value === 'function' ? watched(value as (...of: unknown[]) => unknown) : (value as unknown),
  ]);
  return Object.fromEntries(own) as M;
}

const SEEDS = [4, 5];
const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.seed': SEEDS[0], 'run.seeds': 2, 'run.updates': 6, 'analysis.evalEvery': 2 },
  ...{ 'policy.mlp.hidden': [6], 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'task.levels': 4 },
  ...{ 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 12, 'objective.minibatches': 2 },
};
/** Worlds of which each module finds one that suits it. */
const WORLDS = [
  {},
  { 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.levelRow.on': true, 'task.levelRow.growEvery': 3 },
  { 'task.subgoals.on': true, 'task.subgoals.mode': 'blueprint' },
];

/** An experiment with the module, and the same without it. */
function pairOf(slot: 'rollout' | 'source', id: string): readonly [Config, Config] {
  for (const world of WORLDS) {
    let config = configWith({ ...SMALL, ...world, [`${slot}.method`]: id });
    for (let press = 0; press < 8; press++) {
      const wrong = checkRules(config).find(({ severity }) => severity === 'error');
      const plain = configWith({ 'rollout.method': rollouts[0]!.id, 'source.method': sources[0]!.id }, config);
      if (!wrong && config[slot].method === id) return [config, plain];
      config = wrong?.repair!.set.reduce((c, { path, value }) => setValue(c, path, value), config) ?? config;
    }
  }
  throw new Error(`No world here suits ${id}.`);
}

/** What three updates draw. */
async function drawsOf(config: Config): Promise<{ readonly inside: readonly Key[]; readonly outside: readonly Key[] }> {
  await prepareTask(config);
  const { whole } = must(await createRun(config));
  const scheme = whole.scheme && marked(whole.scheme);
  const run = await Run.create({ ...whole, scheme, source: marked(whole.source) }, makeCpuBackend);
  drawn.inside.length = drawn.outside.length = 0;
  await train(run, 3);
  return { inside: drawn.inside.slice(), outside: drawn.outside.slice() };
}

const text = (keys: readonly Key[]): Set<string> => new Set(keys.map((key) => key.join(' ')));
/** Draws that depend on what is played: which levels, and how long episodes are. */
const PLAYED: readonly number[] = [PURPOSE.action, PURPOSE.evalAction, PURPOSE.taskPick];
const fixed = (keys: readonly Key[]): Key[] =>
  keys.filter(([seed, purpose]) => SEEDS.includes(seed) && !PLAYED.includes(purpose));

const MODULES = [
  ...rollouts.map(({ id }) => ['rollout', id] as const),
  ...sources.map(({ id }) => ['source', id] as const),
];

describe.each(MODULES)('%s %s', (slot, id) => {
  test('leaves all draws of others in their places, and shares none of its own with them', async () => {
    const [config, plain] = pairOf(slot, id);
    const module = rollouts.find((one) => slot === 'rollout' && one.id === id);
    const memory = module?.memory;
    if (module && memory) vi.spyOn(module, 'memory').mockImplementation(async () => marked(await memory()));
    const [own, without] = [await drawsOf(config), await drawsOf(plain)];

    const before = fixed(without.outside);
    const after = text(fixed(own.outside));
    expect(before.length).toBeGreaterThan(50);
    expect([...text(before)].filter((key) => !after.has(key))).toEqual([]);
    // a source plays the batch of everybody; rounds, forks and searches may play more
    if (slot === 'source') {
      const known = new Set(before.map(([, purpose]) => purpose));
      const more = fixed(own.outside).filter(([, purpose]) => known.has(purpose));
      expect(text(more)).toEqual(text(before));
    }

    // names of levels are for everybody, and so is what a level is made from
    const others = text(own.outside);
    const shared = own.inside.filter((key) => others.has(key.join(' '))).map(([, purpose]) => purpose);
    expect([...new Set(shared)].filter((purpose) => purpose !== PURPOSE.taskPick)).toEqual([]);
  });
});
