import { thetaOf } from '../contract/state.ts';
import { beforeAll, expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { mean, std } from '../core/stats.ts';
import { crossing, exactPassCurve, passCurve } from '../slots/metrics/passK.ts';
import { Grounds } from '../lab/creditGround.ts';
import { Measurements } from '../lab/measurements.ts';
import type { PanelResult } from '../lab/panel.ts';
import { panelLevels } from './plan.ts';
import { createRun, type Run } from './run.ts';

const SEEDS = 6;
const UPDATES = 200;
const KS = [1, 2, 3, 4, 8, 16];

/**
 * Lesson 11, trained: four arms, GRPO on a table of four logits. The exercise: larger groups from as many episodes
 * (BroRL), a KL term, and one with resets of its reference (ProRL).
 */
const ARMS = {
  plain: {},
  largeGroups: { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 64 },
  kl: { 'objective.klCoef': 0.1 },
  klResets: { 'objective.klCoef': 0.1, 'control.resetEvery.on': true, 'control.resetEvery.updates': 60 },
} as const;
type Arm = keyof typeof ARMS;

/** Exact values after 200 updates, recorded on 20 seeds: mean ± half a 95 % interval (Student). */
const RECORDED: Readonly<
  Record<Arm, Readonly<Record<'first' | 'pass1' | 'pass16' | 'crossing', readonly [number, number]>>>
> = {
  plain: { first: [0.967, 0.001], pass1: [0.537, 0.0005], pass16: [0.631, 0.003], crossing: [2.898, 0.006] },
  largeGroups: { first: [0.978, 0.003], pass1: [0.542, 0.001], pass16: [0.608, 0.007], crossing: [2.856, 0.012] },
  kl: { first: [0.938, 0.002], pass1: [0.527, 0.001], pass16: [0.693, 0.004], crossing: [3.028, 0.011] },
  klResets: { first: [0.961, 0.001], pass1: [0.535, 0.0005], pass16: [0.644, 0.003], crossing: [2.922, 0.006] },
};
/** 20 seeds: half an interval is 0.468 standard deviations of a seed; this is three standard errors of a mean of SEEDS. */
const THREE_ERRORS = 3 / Math.sqrt(SEEDS) / 0.468;

/** The plain run goes on, so that it comes as far as any other. */
const LONGER = 320;

/** Twenty tasks have the goals of the generator exactly: chance of each to be solved by the probabilities of the arms. */
const tasksOf = (arms: ArrayLike<number>): number[] =>
  [11, 5, 3, 1].flatMap((n, arm) => Array.from({ length: n }, () => arms[arm]!));
const MANY = Array.from({ length: 64 }, (_, k) => k + 1);
const UNTRAINED = exactPassCurve(tasksOf([0.25, 0.25, 0.25, 0.25]), MANY);

type Outcome = { first: number; pass1: number; pass16: number; crossing: number };

/** Each seed's policy at this moment, and what follows from it. */
async function outcomes(run: Run): Promise<Outcome[]> {
  const grounds = new Grounds(run.plan);
  const level = panelLevels(run.plan, 0, 1)[0]!;
  const { all } = grounds.of(level)!;
  const theta = thetaOf(await run.backend.save());
  const { size } = run.plan.layout;
  return Array.from({ length: SEEDS }, (_, s) => {
    const arms = grounds.policyOf(level, all, theta.subarray(s * size, (s + 1) * size), undefined);
    const curve = exactPassCurve(tasksOf(arms), MANY);
    return { first: arms[0]!, pass1: curve[0]!, pass16: curve[15]!, crossing: crossing(MANY, UNTRAINED, curve) ?? NaN };
  });
}

const open = async (arm: Arm): Promise<Run> => {
  const changes = { 'run.backend': 'cpu', 'run.seeds': SEEDS, 'run.updates': LONGER, 'analysis.evalEvery': 0 };
  return must(await createRun(configWith({ ...changes, ...ARMS[arm] }, presetConfig(presetById('lesson-four-arms')!))));
};

const meanOf = (list: readonly Outcome[], name: keyof Outcome): number => mean(list.map((x) => x[name]));

async function panelOf(run: Run, replica: number): Promise<PanelResult> {
  const state = await run.backend.save();
  const request = { what: 'passAtK', replica, n: 64, isNew: true, workMs: 1 } as const;
  return new Measurements().answer(run, state, request, () => 0).panel!;
}

const ends = {} as Record<Arm, Outcome[]>;
/** pass@1 and crossing of the plain run on its way, means over seeds */
const way: { pass1: number; crossing: number }[] = [];
const panels: { before: PanelResult[]; after: PanelResult[] } = { before: [], after: [] };
async function submit(run: Run, isPlain: boolean): Promise<void> {
  await run.submit();
  if (!isPlain || run.update < 100 || run.update % 10 !== 0) return;
  const now = await outcomes(run);
  way.push({ pass1: meanOf(now, 'pass1'), crossing: meanOf(now, 'crossing') });
}

beforeAll(async () => {
  for (const arm of Object.keys(ARMS) as Arm[]) {
    const run = await open(arm);
    const isPlain = arm === 'plain';
    const play = (): Promise<PanelResult[]> => Promise.all(Array.from({ length: SEEDS }, (_, s) => panelOf(run, s)));
    if (isPlain) panels.before = await play();
    while (run.update < UPDATES) await submit(run, isPlain);
    ends[arm] = await outcomes(run);
    if (!isPlain) continue;
    panels.after = await play();
    while (run.update < LONGER) await submit(run, true);
  }
});

test('what cannot be seen cannot be told apart: the table has one row, and an untrained policy finds a quarter', () => {
  for (const panel of panels.before) {
    expect(panel.levels).toBeGreaterThan(10);
    for (const p of panel.exact!.base) expect(p).toBeCloseTo(0.25, 6);
    const curve = exactPassCurve(panel.exact!.base, KS).map((x) => Number(x.toFixed(3)));
    expect(curve).toEqual([0.25, 0.438, 0.578, 0.684, 0.9, 0.99]);
  }
});

test('training makes it sharper: twice as often right at once, and behind from three tries on, for every seed', () => {
  for (const { first, pass1, pass16, crossing } of ends.plain) {
    expect(first).toBeGreaterThan(0.95);
    expect(pass1).toBeGreaterThan(0.53);
    expect(pass16).toBeLessThan(0.67);
    expect(crossing).toBeGreaterThan(2);
    expect(crossing).toBeLessThan(4);
  }
});

test.each(Object.keys(ARMS) as Arm[])('%s: the recorded values, within three standard errors', (arm) => {
  for (const [name, [value, half]] of Object.entries(RECORDED[arm])) {
    const now = meanOf(ends[arm], name as keyof Outcome);
    expect(Math.abs(now - value), `${name} ${now}`).toBeLessThan(THREE_ERRORS * half);
  }
});

test('the estimator on a panel of rollouts agrees with the exact curve, before and after', () => {
  for (const panel of [panels.before, panels.after]) {
    KS.forEach((k, j) => {
      const errors = panel.map(
        ({ n, trained, exact }) => passCurve(n, trained, KS)[j]! - exactPassCurve(exact!.trained, KS)[j]!,
      );
      expect(Math.abs(mean(errors)), `k ${k}`).toBeLessThanOrEqual((3 * std(errors)) / Math.sqrt(SEEDS));
    });
  }
});

test.each(['largeGroups', 'kl', 'klResets'] as const)(
  '%s does not move the crossing, only how far a run has come',
  (arm) => {
    const [pass1, found] = [meanOf(ends[arm], 'pass1'), meanOf(ends[arm], 'crossing')];
    // the plain run at the moment when it was right as often
    const after = way.findIndex((x) => x.pass1 >= pass1);
    const [a, b] = [way[after - 1]!, way[after]!];
    const there = a.crossing + ((pass1 - a.pass1) / (b.pass1 - a.pass1)) * (b.crossing - a.crossing);
    expect(Math.abs(found - there), `${found} against ${there}`).toBeLessThan(0.03);
  },
);
