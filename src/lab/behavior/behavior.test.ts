import { describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { prepareTask } from '../../config/level.ts';
import { replicasOf, thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { makePlan } from '../../engine/plan.ts';
import { initialState } from '../../engine/state.ts';
import { sokoban } from '../../envs/sokoban/sokoban.ts';
import { swaps } from '../../envs/keys/swap.ts';
import { measureBehavior, type BehaviorResult } from './behavior.ts';

const ROOM = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 5, 'task.grid.random': true, 'policy.method': 'mlp' },
  ...{ 'task.levels': 0, 'task.grid.maxSteps': 12, 'run.seeds': 1, 'rollout.groupSize': 4 },
};

/** `bend` changes the parameters of the start. */
async function measured(
  changes: Readonly<Record<string, unknown>>,
  n = 40,
  bend: (theta: Float32Array) => void = () => {},
): Promise<BehaviorResult | string> {
  const config = configWith(changes);
  await prepareTask(config);
  const plan = must(makePlan(config));
  const theta = thetaOf(replicasOf(initialState(plan), plan.S, 0, 1));
  bend(theta);
  const before = theta.slice();
  const steps = measureBehavior(plan, 0, { theta }, n);
  let next = steps.next();
  for (; !next.done; next = steps.next()) expect(next.value).toBeGreaterThan(0);
  expect(theta).toEqual(before);
  return next.value;
}

describe('what a policy does on turned levels', () => {
  test('one that always walks right does so in every image: alike only where right stays right', async () => {
    // the biases of the answers come last: right, down, left, up
    const found = (await measured(ROOM, 40, (theta) => {
      theta.fill(0);
      theta[theta.length - 4] = 9;
    })) as BehaviorResult;
    expect([found.episodes, found.levels, found.isHeldOut]).toEqual([40, 40, true]);
    const turned = found.changes.filter(({ change }) => change !== 'swap');
    expect(turned.map(({ change }) => change)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    // mirrored left to right and turned by half is mirrored top to bottom
    for (const { change, same, overlap } of turned) {
      expect(same!.share, `change ${change}`).toBe(change === 6 ? 1 : 0);
      expect(overlap!).toBeCloseTo(change === 6 ? 1 : 0, 2);
    }
  });

  test('one that does everything alike overlaps fully, on every image', async () => {
    const found = (await measured(ROOM, 24, (theta) => theta.fill(0))) as BehaviorResult;
    for (const { change, overlap, same, success } of found.changes) {
      if (change === 'swap') expect([overlap, same]).toEqual([null, null]);
      else expect(overlap!).toBeCloseTo(1, 5);
      expect(success.low).toBeLessThanOrEqual(success.share);
      expect(success.high).toBeGreaterThanOrEqual(success.share);
    }
    const swap = found.changes.at(-1)!;
    expect([swap.change, swap.episodes, found.noSwap]).toEqual(['swap', 24, null]);
    for (const share of swap.spl!) expect(share).toBeLessThanOrEqual(1);
    expect(await measured(ROOM, 24, (theta) => theta.fill(0))).toEqual(found);
  });

  test('with a memory and a window the images are seen as a whole past; Sokoban is turned, too', async () => {
    const window = { 'task.grid.view': 'ego', 'task.grid.window': 3, 'policy.method': 'gru', 'policy.gru.hidden': 8 };
    const found = (await measured({ ...ROOM, ...window }, 8)) as BehaviorResult;
    expect(found.changes.length).toBe(8);
    const boards = { 'task.method': 'sokoban', 'task.levels': 0, 'run.seeds': 1, 'task.sokoban.maxSteps': 10 };
    const pushed = (await measured({ ...boards, 'policy.method': 'mlp' }, 8)) as BehaviorResult;
    expect(pushed.changes.filter(({ change }) => change !== 'swap').length).toBeGreaterThanOrEqual(3);
    expect(pushed.changes[0]!.spl).toBeNull();
  });

  test('what cannot be turned is refused in one sentence', async () => {
    expect(await measured({ 'task.method': 'textmaze', 'run.seeds': 1, 'policy.method': 'mlp' }, 8)).toMatch(
      /in words/,
    );
    expect(await measured({ ...ROOM, 'task.grid.actions': 'turn' }, 8)).toMatch(/turns instead of walking/);
    expect(await measured({ ...ROOM, 'task.grid.slip': [1, 1, 1] }, 8)).toMatch(/Chance moves/);
    expect(await measured({ ...ROOM, 'task.stateKeys': 'symmetric' }, 8)).toMatch(/by construction/);
    expect(await measured({ ...ROOM, 'task.levels': 1, 'policy.method': 'tabular' }, 8)).toMatch(/number of a state/);
  });
});

test('boxes and targets exchanged: by hand', () => {
  const made = sokoban.level({ ...sokobanDefaults(), level: 'custom', text: '#####\n#@$.#\n#####' }, {}, 0);
  const level = must(made);
  const first = new Uint32Array(sokoban.words);
  const swapped = swaps['sokoban']!(level) as typeof level;
  sokoban.reset(swapped, first, 0);
  expect(sokoban.text(swapped, first, 0)).toContain('#@.$#');
  // a box against the wall cannot be pulled back
  expect(sokoban.shortestPath(swapped)).toBeNull();
});

const sokobanDefaults = (): Record<string, never> =>
  Object.fromEntries(Object.entries(sokoban.settings).map(([name, one]) => [name, one.default as never]));
