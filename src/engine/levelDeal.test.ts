import { beforeAll, describe, expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { fixedLevel, panelLevel, trainingContext } from '../contract/taskContext.ts';
import { must } from '../core/problem.ts';
import { levelAfter, prepareNames } from '../envs/levelDeal.ts';
import { isHeldOut } from './heldOut.ts';
import { makePlan, makeTasks, panelLevels, type Plan } from './plan.ts';
import { sourceContext, sourceSizes } from './plannedRows.ts';
import { createRun } from './run.ts';

beforeAll(async () => void (await prepareNames()));

const BOARDS = { 'task.method': 'sokoban', 'task.sokoban.level': 'reverse' };
/** Few enough for draws to meet: a wall with a door, a key, a start and a goal in nine cells. */
const DOORS = { 'task.grid.level': 'doorKey', 'task.grid.n': 5 };
const WIDER = { ...DOORS, 'task.grid.n': 6 };
const ROOM = { 'task.grid.level': 'empty', 'task.grid.n': 5, 'task.grid.random': true };
const HELD = { 'analysis.heldOut': true, 'rollout.tasksPerBatch': 8, 'rollout.groupSize': 2, 'run.seeds': 2 };

async function planOf(changes: Readonly<Record<string, unknown>>): Promise<Plan> {
  const config = configWith(changes);
  await prepareTask(config);
  return must(makePlan(config));
}
const names = ({ deal }: Plan, seeds: ArrayLike<number>): string[] => Array.from(seeds, deal!.name);
const different = (all: readonly unknown[]): number => new Set(all).size;

describe('what is held out never trains, turned or mirrored either', () => {
  test.each([
    ['doors, a new level for every task', { ...DOORS, 'task.levels': 0 }],
    ['doors, four levels of them', { ...DOORS, 'task.levels': 4 }],
    ['boards of boxes', { ...BOARDS, 'task.levels': 0 }],
    ['a ladder', { 'task.grid.level': 'ladder', 'task.levels': 0 }],
  ])('%s', async (_name, changes) => {
    const plan = await planOf({ ...changes, ...HELD });
    const plain = await planOf({ ...changes, ...HELD, 'analysis.heldOut': false });
    let [mended, others] = [0, 0];
    for (const [s, seed] of plan.seeds.entries()) {
      const held = new Set(names(plan, plan.deal!.panel(seed)));
      for (let update = 0; update < 20; update++) {
        const [now, before] = [plan, plain].map((of) =>
          of.source.next({}, sourceContext(of, seed, update), of.sourceParams),
        );
        for (const [p, { levelSeed }] of now!.entries()) {
          expect(held.has(plan.deal!.name(levelSeed))).toBe(false);
          expect(isHeldOut(plan, s, levelSeed)).toBe(false);
          // a draw that was clean is the draw that it was
          const was = before![p]!.levelSeed;
          if (held.has(plan.deal!.name(was))) mended++;
          else if (was !== levelSeed) others++;
        }
      }
    }
    expect(others).toBe(0);
    // the law would hold of itself where nothing ever meets: here draws do, but for the four, which the panel makes way for
    if (plan.levels === 0) expect(mended).toBeGreaterThan(0);
  });

  test('the panel makes way for fixed levels, so that training is what it was', async () => {
    // of doors in a room of nine cells there are few kinds
    const changes = { ...DOORS, 'task.levels': 20 };
    const plan = await planOf({ ...changes, ...HELD });
    const seed = plan.seeds[0]!;
    const fixed = Array.from({ length: 20 }, (_, k) => fixedLevel(seed, k));
    const context = sourceContext(plan, seed, 3);
    expect(fixed.map((_, k) => context.level(k))).toEqual(fixed);
    const drawn = Array.from({ length: plan.P }, (_, k) => panelLevel(seed, k));
    const trained = new Set(names(plan, fixed));
    expect(names(plan, drawn).some((name) => trained.has(name))).toBe(true);
    expect(names(plan, plan.deal!.panel(seed)).some((name) => trained.has(name))).toBe(false);
    expect([...makeTasks(plan, 5, 'panel').levelSeeds].slice(0, 1)).toEqual(plan.deal!.panel(seed).slice(0, 1));
    expect(panelLevels({ ...plan, levels: 0 }, 0, plan.P)).toEqual([...new Set(plan.deal!.panel(seed))]);
  });

  test('the experiment that holds levels out plays the levels that it always played', async () => {
    const config = configWith({ 'run.seeds': 4 }, presetConfig(presetById('alarm-panel')!));
    await prepareTask(config);
    const plan = must(makePlan(config));
    for (const seed of plan.seeds) {
      expect(plan.deal!.panel(seed)).toEqual(Array.from({ length: plan.P }, (_, k) => panelLevel(seed, k)));
      expect(sourceContext(plan, seed, 7).level(0)).toBe(fixedLevel(seed, 0));
    }
  });

  test('a run holds levels out in training and evaluation alike', async () => {
    const changes = { ...DOORS, ...HELD, 'task.levels': 0, 'run.updates': 1, 'run.backend': 'cpu', 'run.seeds': 1 };
    const config = configWith({ ...changes, 'analysis.evalEvery': 1, 'task.grid.maxSteps': 10 });
    await prepareTask(config);
    const run = must(await createRun(config));
    const { metrics } = await run.submit();
    run.dispose();
    expect(metrics.some((x) => !Number.isNaN(x))).toBe(true);
  });
});

describe('levels that count as one are dealt once', () => {
  const ASKED = { ...HELD, 'task.sameLevels': 'turned' };

  test('fixed levels are different, and those that were stay', async () => {
    const plan = await planOf({ ...WIDER, ...ASKED, 'task.levels': 40 });
    const seed = plan.seeds[1]!;
    const { level } = sourceContext(plan, seed, 0);
    const dealt = Array.from({ length: 40 }, (_, k) => level(k));
    const drawn = dealt.map((_, k) => fixedLevel(seed, k));
    expect(different(names(plan, drawn))).toBeLessThan(40);
    expect(different(names(plan, dealt))).toBe(40);
    const kinds = names(plan, drawn);
    drawn.forEach((was, k) => {
      if (kinds.indexOf(kinds[k]!) === k && !names(plan, dealt.slice(0, k)).includes(kinds[k]!))
        expect(dealt[k]).toBe(was);
    });
  });

  test('of new levels no two of a batch are the same, and no two that are held out', async () => {
    const plan = await planOf({ ...WIDER, ...ASKED, 'rollout.tasksPerBatch': 32, 'task.levels': 0 });
    for (const update of [0, 1, 2]) {
      const tasks = makeTasks(plan, update, 'train');
      for (const s of [0, 1]) {
        const own = tasks.levelOf.subarray(s * plan.B, (s + 1) * plan.B);
        const seeds = new Set(Array.from(own, (k) => tasks.levelSeeds[k]!));
        expect(different(names(plan, [...seeds]))).toBe(32);
      }
    }
    expect(different(names(plan, plan.deal!.panel(plan.seeds[0]!)))).toBe(32);
    const seed = plan.seeds[0]!;
    const drawn = Array.from({ length: 32 }, (_, k) => panelLevel(seed, k));
    expect(different(names(plan, drawn))).toBeLessThan(32);
  });

  test('who asks first does not matter', async () => {
    const plan = await planOf({ ...DOORS, ...ASKED, 'task.levels': 0 });
    const context = (): ReturnType<typeof trainingContext> => trainingContext(sourceSizes(plan), 5, 2);
    const forward = Array.from({ length: 9 }, (_, p) => p).map(context().fresh);
    const [back] = [context().fresh];
    expect([8, 7, 6, 5, 4, 3, 2, 1, 0].map(back).toReversed()).toEqual(forward);
  });

  test('a mirrored level is another one where levels have to be equal', async () => {
    const turned = await planOf({ ...ROOM, 'task.sameLevels': 'turned', 'task.levels': 0 });
    const equal = await planOf({ ...ROOM, 'task.sameLevels': 'equal', 'task.levels': 0 });
    const seeds = Array.from({ length: 300 }, (_, k) => 17 * k);
    expect(different(names(turned, seeds))).toBeLessThan(different(names(equal, seeds)));
    expect(different(names(equal, seeds))).toBeLessThan(300);
  });
});

test('another level is one of the same stage, or of the same place on a ladder', () => {
  const sizes = { P: 1, G: 1, levels: 0, stages: 4, growEvery: 1 };
  for (const seed of [0, 0xffffffff, 12345]) {
    expect(levelAfter(seed, 0, sizes) & 7).toBe(seed & 7);
    expect(levelAfter(seed, 1, { ...sizes, stages: 1, rungs: [3, 4] }) & 255).toBe(seed & 255);
    expect(levelAfter(seed, 1, sizes)).not.toBe(levelAfter(seed, 2, sizes));
  }
});

describe('the form', () => {
  const issuesOf = async (changes: Readonly<Record<string, unknown>>) => {
    const config = configWith(changes);
    await prepareTask(config);
    return checkRules(config).filter(({ path }) => path === 'analysis.heldOut' || path === 'task.sameLevels');
  };

  test('refuses to hold levels out where all of them are one, turned or mirrored', async () => {
    const [issue] = await issuesOf({ 'task.grid.level': 'fourArms', 'task.levels': 0, 'analysis.heldOut': true });
    expect(issue).toMatchObject({ severity: 'error', path: 'analysis.heldOut' });
    expect(issue!.message).toContain('turned or mirrored');
    expect(await issuesOf({ ...DOORS, 'task.levels': 0, 'analysis.heldOut': true })).toEqual([]);
  });

  test('counts the different levels where they are fewer than asked for', async () => {
    const changes = { 'task.grid.level': 'fourArms', 'task.levels': 16, 'task.sameLevels': 'turned' };
    const [issue] = await issuesOf(changes);
    expect(issue).toMatchObject({ severity: 'hint', path: 'task.sameLevels' });
    expect(issue!.message).toContain('no more than 1 different level among 16');
    expect(await issuesOf({ ...DOORS, 'task.levels': 16, 'task.sameLevels': 'turned' })).toEqual([]);
    const [fixed] = await issuesOf({ 'task.grid.level': 'corridor', 'task.sameLevels': 'equal' });
    expect(fixed!.message).toContain('one level for every seed');
  });
});
