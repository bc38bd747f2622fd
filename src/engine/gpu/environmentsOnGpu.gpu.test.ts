import { expect, test } from 'vitest';
import { must, mustSucceed } from '../../core/problem.ts';
import { below, random } from '../../core/random.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { walkOf, type EnvironmentCase } from '../../envs/conformance.ts';
import golden from '../../envs/fixtures/environments.json' with { type: 'json' };
import { generateLevel, GENERATORS } from '../../envs/grid/generate.ts';
import { environments } from '../../envs/registry.ts';
import { boxobanLevel, loadBoxoban } from '../../envs/sokoban/boxoban.ts';
import { generateReverse } from '../../envs/sokoban/generate.ts';
import { COMMANDS } from '../../envs/textmaze/commands.ts';
import { generateTree } from '../../envs/textmaze/generate.ts';
import { writeMaze } from '../../envs/textmaze/level.ts';
import { torus } from '../../envs/textmaze/samples.ts';
import type { Environment } from '../../envs/types.ts';
import { envWalk } from '../../gpu/shaders/rollout/envWalk/envWalk.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { checkEnvironmentOnGpu, walkOnGpu } from './environmentsOnGpu.ts';

const all = golden.cases as unknown as EnvironmentCase[];
const NO_COMMAND = -1;
const draw = (seed: number, k: number, n: number): number => below(random(seed, 77, k, 0, 0), n);

const gpu = await testDevice();
await loadBoxoban('medium');

/** Keys that differ; every expected key but the ids of typed commands must have been compared. */
async function differences(c: EnvironmentCase): Promise<string[]> {
  const entries = await checkEnvironmentOnGpu(gpu, c);
  const keys = Object.keys(c.expected as object).filter((key) => key !== 'actions');
  expect(entries.map((e) => e.key)).toEqual(keys.map((key) => `${c.kind}.${key} (WGSL)`));
  return entries.filter((e) => !e.passed).map((e) => e.key);
}

const walks = all.filter((c) => ['grid', 'sokoban', 'textmaze', 'rng'].includes(c.kind));

test.each(walks.map((c) => [`${c.kind} ${c.name}`, c] as const))('golden values in WGSL: %s', async (_name, c) => {
  expect(await differences(c)).toEqual([]);
});

test('the check notices one wrong word under any key, and has nothing to say on levels and values', async () => {
  const [walk, draws] = ['textmaze', 'rng'].map((kind) => all.find((c) => c.kind === kind)!);
  for (const c of [walk!, draws!]) {
    const wrong = JSON.parse(JSON.stringify(c.expected), (_key, value: unknown) =>
      typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}1` : value,
    ) as Record<string, unknown>;
    delete wrong['actions'];
    expect(await differences({ ...c, expected: wrong })).toEqual(
      Object.keys(wrong).map((key) => `${c.kind}.${key} (WGSL)`),
    );
  }
  for (const c of all.filter((other) => !walks.includes(other)))
    expect(await checkEnvironmentOnGpu(gpu, c), c.name).toEqual([]);
});

/** The case that a golden file would have: the definitions say what to expect. */
function caseOf(kind: string, name: string, inputs: Record<string, unknown>): EnvironmentCase {
  const bare = { kind, name, inputs, expected: {} };
  return { ...bare, expected: walkOf(bare)!.said };
}

/** Where asked for, a shortest path first; then any of the choices, also after the end. */
function actionsFor(bare: EnvironmentCase, seed: number, hasPath: boolean, choices: readonly number[]): number[] {
  const { env, levels } = walkOf(bare)!;
  const path = hasPath ? env.shortestPath(Object.values(levels)[0]) : null;
  return [...(path ?? []), ...Array.from({ length: 100 }, (_, k) => choices[draw(seed, k, choices.length)]!)];
}

const GRID_CONFIGS: readonly Record<string, unknown>[] = [
  { T: 50 },
  { T: 65_535, subgoal: 70, step: -3, invalid: -31, dead: -400, bonus: 9, collision: -777, goal: 1234 },
  { T: 400, actions: 'turn', timed: 1, subgoal: 101, invalid: -17 },
  { T: 37, dirs: [3, 0, 2] },
];
const OWN = [
  'slip: 1 3 2\nneed: all\nmap:\nS~G~\n~a~G\n~+A~\nG~~~',
  'slip: 7 1 0\nice: all\nmap:\n>oo.E\n.bB.a\n$LA.d\ntuwzD\nco.C.',
  `S${'.'.repeat(62)}G`,
  `${'S' + '.'.repeat(31)}\n${`${'.'.repeat(32)}\n`.repeat(30)}${'.'.repeat(31)}G`,
  '1.2\n.S.\n3.G',
];

function gridCases(): EnvironmentCase[] {
  const made = GENERATORS.flatMap((generator) =>
    [5, 1_000_000_007].map(
      (seed) => mustSucceed(generateLevel(generator, seed, { n: 9, random: 1, spread: 1, distractors: 3 })).text,
    ),
  );
  return [...made, ...OWN].flatMap((level, k) =>
    [0, 1].map((half) => {
      const seed = 0xfffffff0 + k + half * 40_009;
      const config = GRID_CONFIGS[(2 * half + k) % 4]!;
      const inputs = { level, config, seed: seed >>> 0, actions: [] as number[] };
      const bare = { kind: 'grid', name: `${level}\n${JSON.stringify(config)}`, inputs, expected: {} };
      inputs.actions = actionsFor(bare, k, (k + half) % 2 === 0, [0, 1, 2, 3, 4, 5, NO_COMMAND]);
      return caseOf(bare.kind, bare.name, inputs);
    }),
  );
}

const SOKOBAN_CONFIGS: readonly Record<string, unknown>[] = [
  { T: 120 },
  { deadEnd: 1, dead: -4000, T: 200 },
  { slip: [1, 3, 2], step: -7, boxOn: 90, boxOff: -91, goal: 4, invalid: -13 },
];

function sokobanCases(): EnvironmentCase[] {
  const levels = [1, 2, 3, 4, 5, 6].map((seed) => {
    const side = 5 + seed;
    const size = { w: side, h: side + (seed % 3), boxes: 1 + (seed % 3), pulls: 8 };
    return mustSucceed(generateReverse(seed, size)).level;
  });
  const wide = `${'#'.repeat(16)}\n#@${'$.'.repeat(6)} #\n${'#             #\n'.repeat(13)}${'#'.repeat(16)}`;
  return [...levels, boxobanLevel('medium', 3)!, wide].flatMap((level, k) =>
    SOKOBAN_CONFIGS.map((config, at) => {
      const inputs = { level, config, seed: 99 * k, actions: [] as number[] };
      const bare = { kind: 'sokoban', name: `${level}\n${JSON.stringify(config)}`, inputs, expected: {} };
      inputs.actions = actionsFor(bare, k, (k + at) % 2 === 0, [0, 1, 2, 3, NO_COMMAND]);
      return caseOf(bare.kind, bare.name, inputs);
    }),
  );
}

const MAZE_CONFIGS: readonly Record<string, unknown>[] = [
  { T: 90 },
  { T: 300, goalShown: 'first', step: -1, subgoal: 20, invalid: -300, syntax: -4000, meta: -50_000, goal: 7 },
  { metaActions: 0, slip: [2, 3, 1] },
];

function mazeCases(): EnvironmentCase[] {
  const levels = Array.from({ length: 8 }, (_, k) =>
    writeMaze(
      generateTree(k, {
        rooms: 2 + 2 * k,
        chain: k % 5,
        loops: k % 4,
        goal: (['take', 'bring', 'reach'] as const)[k % 3]!,
        distract: k % 2 === 0,
      }),
    ),
  );
  return [...levels, torus()].flatMap((level, k) =>
    MAZE_CONFIGS.map((config, at) => {
      const inputs = { level, config, seed: 7 * k + at, commands: [] as string[] };
      const bare = { kind: 'textmaze', name: `${level}\n${JSON.stringify(config)}`, inputs, expected: {} };
      // the torus has too many states to look for a path
      const choices = [...COMMANDS.keys(), NO_COMMAND];
      const hasPath = k < levels.length && (k + at) % 2 === 0;
      inputs.commands = actionsFor(bare, k, hasPath, choices).map((a) => COMMANDS[a] ?? 'go up');
      return caseOf(bare.kind, bare.name, inputs);
    }),
  );
}

test.each([
  ['grid-world', gridCases],
  ['Sokoban', sokobanCases],
  ['text-maze', mazeCases],
] as const)('levels and walks that no golden file has, in WGSL: %s', async (_name, make) => {
  const cases = make();
  for (const c of cases) expect(await differences(c), c.name).toEqual([]);
  // walks that never end, never fail or never win would compare little
  const flags = cases.flatMap((c) => (c.expected as { flags: number[] }).flags);
  for (const flag of [1, 2, 4, 16, 32])
    expect(
      flags.some((f) => (f & flag) !== 0),
      `flag ${flag}`,
    ).toBe(true);
});

const MASKED: readonly [env: string, AnyValues][] = [
  ['grid', { level: 'doorKey', n: 6 }],
  ['grid', { level: 'keyCorridor', actions: 'turn', view: 'ego', window: 7 }],
  ['grid', { level: 'keyDoor', view: 'index' }],
  ['sokoban', { level: 'reverse', view: 'tokens' }],
  ['sokoban', { level: 'corner', view: 'index' }],
  ['textmaze', { level: 'tree', rooms: 9, chain: 3 }],
  ['textmaze', { level: 'threeRooms', view: 'index' }],
];

function levelOf(env: Environment, settings: AnyValues): unknown {
  return must(env.level({ ...defaultsOf(env.settings), ...settings }, defaultsOf(env.rewards), 12));
}

test.each(MASKED)(
  'states, sights, keys and legal actions with the mask on equal the definition: %s %o',
  async (id, settings) => {
    const env = environments.find((e) => e.id === id)!;
    const level = levelOf(env, { ...settings, maskActions: true });
    const actions = Array.from({ length: 150 }, (_, k) => draw(3, k, env.actions(level).length));
    const key = new Uint32Array(2);
    const result = { reward: 0, flags: 0 };
    const want = envWalk(
      {
        words: env.words,
        obsWords: Math.ceil(env.features(level) / 32),
        reset: (state, at) => env.reset(level, state, at),
        step: (state, at, action, seed) => (env.step(level, state, at, { action, seed }, result), result),
        observe: (state, at, obs, obsAt) => env.observe(level, state, at, obs, obsAt),
        key: (state, at) => (env.key(level, state, at, key, 0), [key[0]!, key[1]!]),
        legal: (state, at) => env.legal(level, state, at),
      },
      Uint32Array.from(actions),
      41,
    );
    const got = await walkOnGpu(gpu, env, level, actions, 41);
    expect(got.told).toEqual(want.told);
    expect(got.state).toEqual(want.state);
    expect(got.obs).toEqual(want.obs);
    const legal = new Set(Array.from({ length: got.rows }, (_, row) => want.told[5 * row + 4]));
    expect(legal.size, 'masks that differ').toBeGreaterThan(1);
  },
);
