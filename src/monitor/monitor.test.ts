import { describe, expect, test } from 'vitest';
import { withEvent } from '../config/events.ts';
import { forkConfig } from '../config/fork.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { CLEAR_AFTER, Monitor, monitorFacts, type MonitorFacts } from './monitor.ts';
import { conditions } from './conditions.ts';
import { columnOf, Track, type Signs } from './signs.ts';
import type { ConditionId } from './types.ts';
import { makePlan } from '../engine/plan.ts';

const facts: MonitorFacts = {
  S: 2,
  trials: 32,
  isReplaced: false,
  task: 'grid',
  stage: 0,
  ceilings: [1, 1],
  learningRate: 0.003,
  optimizer: 'Adam',
  clipNorm: 1,
  epochs: 1,
  minibatches: 1,
  entropyCoef: 0,
  groupSize: 8,
  T: 30,
  worldSteps: 30,
  staleness: 0,
  episodes: 64,
  levels: 2,
  rewards: ['Gated rewards (G-RA)'],
};

const calm: Signs = {
  update: 40,
  bad: null,
  success: { mean: 0.6, low: 0.52, high: 0.67 },
  best: { mean: 0.7, low: 0.62, high: 0.77, update: 30 },
  entropy: 0.9,
  entropyStart: 1.386,
  info: 0.3,
  infoMost: 0.35,
  ess: 0.9,
  essStart: 1,
  ratioMean: 1,
  silentFor: 0,
  switchRate: NaN,
  collapsedFor: 0,
  gradNorm: 0.5,
  gradUsual: 0.4,
  gradMost: 1.5,
  panel: null,
  ceiling: 1,
  shaped: 1,
  shapedThen: 1,
};

/** Success of 0.9 on the levels that train, 0.3 when held-out success last gained; the intervals of 160 episodes. */
const apart = (mean: number, heldMean: number): Pick<Signs, 'panel'> => ({
  panel: {
    seen: { mean, low: mean - 0.12, high: mean + 0.08 },
    held: { mean: heldMean, low: heldMean - 0.1, high: heldMean + 0.1 },
    update: 10,
    seenThen: { mean: 0.3, low: 0.2, high: 0.4 },
    heldThen: 0.4,
  },
});

/** Conditions that hold for these signs. */
const held = (changes: Partial<Signs>): ConditionId[] =>
  conditions.filter((c) => c.holds({ ...calm, ...changes }) !== null).map((c) => c.id);

describe('conditions at their thresholds', () => {
  test('all is well', () => expect(held({})).toEqual([]));

  test.each<[ConditionId, Partial<Signs>, Partial<Signs>]>([
    ['nonFinite', { bad: 'objective' }, { bad: null }],
    // 5 % of 1.386 = 0.0693
    ['entropyCollapse', { entropy: 0.069 }, { entropy: 0.07 }],
    ['entropyCollapse', { entropy: 0.01 }, { entropy: 0.01, success: { mean: 0.88, low: 0.8, high: 0.92 } }],
    // a quarter of 0.4 = 0.1
    ['templateCollapse', { infoMost: 0.4, info: 0.099 }, { infoMost: 0.4, info: 0.101 }],
    ['templateCollapse', { infoMost: 0.1, info: 0.02 }, { infoMost: 0.099, info: 0.02 }],
    ['templateCollapse', { info: 0.01, entropy: 0.31 }, { info: 0.01, entropy: 0.29 }],
    ['lowEss', { ess: 0.299 }, { ess: 0.301 }],
    // half of what is lost: √0.29 = 0.5385
    ['replayDrift', { ess: 0.29, essStart: 0.538 }, { ess: 0.301, essStart: 0.31 }],
    ['lowEss', { ess: 0.29, essStart: 0.539 }, { ess: 0.301, essStart: 1 }],
    ['lowEss', { ess: 0.29, essStart: NaN }, { ess: 0.301, essStart: NaN }],
    ['ratioDrift', { ratioMean: 0.499 }, { ratioMean: 0.501 }],
    ['ratioDrift', { ratioMean: 2.01 }, { ratioMean: 1.99 }],
    ['silentGroups', { silentFor: 10 }, { silentFor: 9 }],
    ['silentGroups', { silentFor: 50 }, { silentFor: 50, success: { mean: 1, low: 0.98, high: 1 } }],
    [
      'successDrop',
      { success: { mean: 0.39, low: 0.32, high: 0.47 } },
      { success: { mean: 0.41, low: 0.33, high: 0.49 } },
    ],
    // the same drop, but so few episodes that it may be chance
    ['successDrop', { success: { mean: 0.3, low: 0.2, high: 0.4 } }, { success: { mean: 0.3, low: 0.05, high: 0.65 } }],
    // the shaped return has to gain a tenth, and success to lose more than chance takes
    [
      'rewardHacking',
      { success: { mean: 0.4, low: 0.33, high: 0.48 }, shaped: 1.11, shapedThen: 1 },
      { success: { mean: 0.59, low: 0.53, high: 0.64 }, shaped: 1.11, shapedThen: 1 },
    ],
    ['rewardHacking', { success: { mean: 0.1, low: 0.05, high: 0.2 }, shaped: 3.4, shapedThen: 3 }, { shaped: 9 }],
    ['gradientSpike', { gradNorm: 4.01 }, { gradNorm: 3.99 }],
    ['gradientSpike', { gradNorm: 5 }, { gradNorm: 5, gradMost: 5.1 }],
    // on ice the best policy succeeds in 70 %: 65 % is then nearly all there is
    ['entropyCollapse', { entropy: 0.01 }, { entropy: 0.01, ceiling: 0.7 }],
    ['hierarchyCollapse', { collapsedFor: 20, switchRate: 0.95 }, { collapsedFor: 19, switchRate: 0.95 }],
    ['panelDrift', apart(0.9, 0.4), apart(0.9, 0.69)],
    // it has hardly risen since
    ['panelDrift', apart(0.53, 0.1), apart(0.51, 0.1)],
  ])('%s', (id, ill, well) => {
    expect(held(ill)).toEqual([id]);
    expect(held(well)).toEqual([]);
  });

  test('what was not measured or is not known yet raises nothing', () => {
    const unknown = { success: null, best: null, entropy: NaN, entropyStart: NaN, info: NaN, infoMost: NaN };
    expect(held({ ...unknown, ess: NaN, ratioMean: NaN, silentFor: 99, gradNorm: 9, gradUsual: NaN })).toEqual([]);
  });

  test('evidence is numbers, the cause names the settings, and no sentence is long', () => {
    const low = conditions.find((c) => c.id === 'lowEss')!;
    expect(low.holds({ ...calm, ess: 0.12 })).toBe('ESS/N is 0.12: 12 % of the episodes count.');
    expect(low.cause({ ...facts, epochs: 8, learningRate: 1.5, optimizer: 'SGD' }, calm)).toBe(
      'The step is too long: 8 optimizer steps on each batch at learning rate 1.5 with SGD, and differences multiply over up to 30 steps.',
    );
    expect(low.cause({ ...facts, staleness: 16 }, calm)).toContain('16 updates old');
    const replay = conditions.find((c) => c.id === 'replayDrift')!;
    expect(replay.holds({ ...calm, ess: 0.1, essStart: 0.2 })).toBe(
      'ESS/N is 0.2 before the update and 0.1 after it: the batch was already too old.',
    );
    for (const c of conditions)
      for (const f of [facts, { ...facts, staleness: 8 }, { ...facts, clipNorm: 0, entropyCoef: 0.1, epochs: 4 }])
        expect(c.cause(f, calm)).toMatch(/^[A-Z].{20,180}\.$/);
  });
});

test('facts are those of an update: of the stage of a fork and of the values in force', () => {
  const parent = configWith({ 'run.backend': 'cpu', 'optimizer.learningRate': 0.05, 'rollout.groupSize': 8 });
  const other = { 'optimizer.learningRate': 5, 'rollout.groupSize': 32, 'objective.epochs': 4 };
  const child = configWith({ ...other, 'task.levels': 3 }, parent);
  const fork = forkConfig(parent, 10, child);
  const changed = withEvent(fork, { update: 14, path: 'objective.entropyCoef', value: 0.4 });
  const run = { whole: must(makePlan(fork)) };
  const factsOf = monitorFacts(run);
  const [before, after] = [factsOf(9), factsOf(10)];
  expect(before).toMatchObject({ learningRate: 0.05, groupSize: 8, epochs: 1, entropyCoef: 0 });
  expect(after).toMatchObject({ learningRate: 5, groupSize: 32, epochs: 4, entropyCoef: 0 });
  expect(after.episodes).toBe(4 * before.episodes);
  expect(after.trials).toBe(before.trials * (after.trials === after.episodes ? 4 : 1));
  expect(after.task).not.toBe(before.task);
  // a change that is made while the run trains
  run.whole = must(makePlan(changed));
  expect([13, 14].map((u) => factsOf(u).entropyCoef)).toEqual([0, 0.4]);
});

/** A history written down by hand: per update and replica some metrics, the rest not measured. */
function history(rows: readonly (readonly Partial<Record<string, number>>[])[]) {
  return {
    at(u: number, s: number, metric: number): number {
      for (const [id, x] of Object.entries(rows[u]![s]!)) if (columnOf(id) === metric) return x!;
      return NaN;
    },
  };
}
const fine = { success: 0.5, entropy: 1, ess: 0.9, gradNorm: 1, degenerate: 0.2 };

describe('signs', () => {
  test('success is a mean over 160 episodes, or over 20 updates where levels make episodes dependent', () => {
    const rows = Array.from({ length: 30 }, (_, u) => [{ ...fine, success: u < 10 ? 0 : 1 }]);
    const one = new Track(history(rows), 0, () => facts);
    const many = new Track(history(rows), 0, () => ({ ...facts, trials: 4 }));
    const shares = rows.map((_, u) => [one.follow(u, null).success?.mean, many.follow(u, null).success?.mean]);
    expect(shares[3]).toEqual([undefined, undefined]);
    expect(shares[4]).toEqual([0, undefined]);
    expect(shares[11]![0]).toBeCloseTo(2 / 5, 12);
    expect(shares[19]).toEqual([1, 0.5]);
  });

  test('batches of another size, after a fork, weigh by their episodes', () => {
    const rows = Array.from({ length: 30 }, (_, u) => [{ ...fine, success: u < 10 ? 0 : 1 }]);
    const track = new Track(history(rows), 0, (u) => ({ ...facts, trials: u < 10 ? 10 : 50 }));
    const shares = rows.map((_, u) => track.follow(u, null).success);
    // 2·50 + 6·10 = 160 for the first time
    expect(shares.findIndex((x) => x !== null)).toBe(11);
    expect(shares[11]!.mean).toBeCloseTo(100 / 160, 12);
    expect(shares[12]!.mean).toBeCloseTo(150 / 170, 12);
    expect(shares[14]!.mean).toBe(1);
  });

  test('what was reached before a fork to another task is no measure after it', () => {
    const rows = Array.from({ length: 20 }, (_, u) => [
      { ...fine, success: u < 10 ? 1 : 0, evalSuccess: 1, heldOutSuccess: 1 },
    ]);
    const track = new Track(history(rows), 0, (u) => ({ ...facts, task: u < 10 ? 'easy' : 'hard' }));
    const signs = rows.map((_, u) => track.follow(u, null));
    expect(signs[9]).toMatchObject({ best: { mean: 1 }, panel: { update: 4 } });
    expect(signs[10]).toMatchObject({ success: null, best: null, panel: null });
    expect(signs[19]).toMatchObject({ best: { mean: 0 }, panel: { update: 14 } });
  });

  test('a usual gradient is the median of those with credit, without the one that is judged', () => {
    const norms = [9, 9, 9, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 80, 1];
    const rows = norms.map((gradNorm, u) => [{ gradNorm, creditRms: u < 3 ? 0 : 1 }]);
    const track = new Track(history(rows), 0, () => facts);
    const signs = norms.map((_, u) => track.follow(u, null));
    expect(signs[12]!.gradUsual).toBeNaN();
    expect(signs[13]).toMatchObject({ gradUsual: 5, gradMost: 9 }); // 1 2 3 4 5 5 6 7 8 9
    expect(signs[14]).toMatchObject({ gradUsual: 5, gradMost: 9 }); // and one more 9
    expect(signs[15]).toMatchObject({ gradUsual: 5.5, gradMost: 9 }); // 80 is a spike: it does not excuse the next
  });

  test('a gradient that has grown slowly is usual by now', () => {
    const track = new Track(
      history(Array.from({ length: 60 }, (_, u) => [{ gradNorm: u < 38 ? 1 : 9, creditRms: 1 }])),
      0,
      () => facts,
    );
    const usual = Array.from({ length: 60 }, (_, u) => track.follow(u, null).gradUsual);
    expect(usual[40]).toBe(1);
    expect(usual[48]).toBe(5); // ten of the last twenty, though 38 of all 48 were 1
    expect(usual[59]).toBe(9);
  });

  test('both kinds of levels are means of five evaluations, kept until the next and against when held-out last gained', () => {
    const rows = Array.from({ length: 30 }, (_, u) => [
      u % 2 === 0 ? { ...fine, evalSuccess: u < 10 ? 0.2 : 1, heldOutSuccess: u < 4 ? 0 : 0.5 } : fine,
    ]);
    const track = new Track(history(rows), 0, () => facts);
    const panels = rows.map((_, u) => track.follow(u, null).panel);
    expect(panels[7]).toBeNull();
    expect(panels[8]).toMatchObject({ seen: { mean: 0.2 }, held: { mean: 0.3 }, update: 8, heldThen: 0.3 });
    expect(panels[9]).toBe(panels[8]);
    // its five evaluations no longer hold one of the first two: held-out success has gained for the last time
    expect(panels[12]).toMatchObject({ held: { mean: 0.5 }, update: 12, heldThen: 0.5 });
    expect(panels[28]).toMatchObject({ seen: { mean: 1 }, update: 12, seenThen: panels[12]!.seen });
  });

  test('what was reached in one stage of a growing task is no measure for the next', () => {
    const rows = Array.from({ length: 20 }, (_, u) => [
      { ...fine, success: u < 10 ? 1 : 0, infoAS: u < 10 ? 1 : 0.1, degenerate: 1 },
    ]);
    const grown = new Track(history(rows), 0, (u) => ({ ...facts, stage: u < 10 ? 0 : 1 }));
    const signs = rows.map((_, u) => grown.follow(u, null));
    expect(signs[9]!.best).toMatchObject({ mean: 1, update: 4 });
    expect(signs[13]).toMatchObject({ success: null, best: null, info: NaN, infoMost: NaN, silentFor: 4 });
    expect(signs[19]).toMatchObject({ success: { mean: 0 }, best: { mean: 0 }, silentFor: 10 });
    expect(signs[19]!.infoMost).toBeCloseTo(0.1, 12);
  });

  test('where a reward pays in place of the world, groups that agree are silent only without credit', () => {
    const rows = Array.from({ length: 20 }, (_, u) => [{ ...fine, degenerate: 1, creditRms: u < 10 ? 0.9 : 0 }]);
    const silentFor = (isReplaced: boolean): number[] => {
      const track = new Track(history(rows), 0, () => ({ ...facts, isReplaced }));
      return rows.map((_, u) => track.follow(u, null).silentFor);
    };
    expect([9, 10, 19].map((u) => silentFor(true)[u])).toEqual([0, 1, 10]);
    expect([9, 10, 19].map((u) => silentFor(false)[u])).toEqual([10, 11, 20]);
  });
});

describe('alarms', () => {
  const low = { ...fine, ess: 0.1 };
  const rowsWith = (n: number, isLow: (u: number, s: number) => boolean) =>
    Array.from({ length: n }, (_, u) => [0, 1].map((s) => (isLow(u, s) ? low : fine)));

  test('one alarm for an episode of trouble, joined by a second seed, over after ten quiet updates', () => {
    const rows = rowsWith(60, (u, s) => (s === 0 ? u >= 10 && u < 15 : u >= 13 && u < 20));
    const monitor = new Monitor(() => facts, history(rows));
    const changed = rows.flatMap((_, u) => monitor.feed(u).map((a) => [u, a.key, a.until, a.replicas] as const));
    // ESS is a mean of three: 0.9 0.9 0.1 → 0.63, 0.9 0.1 0.1 → 0.37, then 0.1; the last 0.1 0.1 0.9 → 0.37 is update 20
    expect(changed).toEqual([
      [12, 'lowEss@12', null, [0]],
      [19 + CLEAR_AFTER, 'lowEss@12', 19 + CLEAR_AFTER, [0, 1]],
    ]);
    expect(monitor.alarms()).toMatchObject([{ id: 'lowEss', since: 12, S: 2 }]);
  });

  test('trouble that comes back is a new alarm', () => {
    const rows = rowsWith(60, (u) => u % 30 >= 10 && u % 30 < 14);
    const monitor = new Monitor(() => facts, history(rows));
    rows.forEach((_, u) => monitor.feed(u));
    expect(monitor.alarms().map((a) => a.key)).toEqual(['lowEss@12', 'lowEss@42']);
  });

  test('a number that is not finite is the only thing said about its update', () => {
    const rows = rowsWith(20, (u) => u >= 9);
    const monitor = new Monitor(() => facts, history(rows));
    const changed = rows.slice(0, 12).flatMap((_, u) => monitor.feed(u, u === 11 ? [0, 4] : [0, 0]));
    expect(changed.map((a) => [a.id, a.replicas])).toEqual([
      ['lowEss', [0]],
      ['nonFinite', [1]],
    ]);
    expect(changed[1]!.evidence).toBe('First seen in the objective slot, at update 12.');
  });

  test('after going back the later alarms are forgotten, the earlier ones kept', () => {
    const rows = rowsWith(60, (u) => u % 30 >= 10 && u % 30 < 14);
    const straight = new Monitor(() => facts, history(rows));
    for (let u = 0; u < 35; u++) straight.feed(u);
    const back = new Monitor(() => facts, history(rows));
    for (let u = 0; u < 60; u++) back.feed(u);
    for (let u = 30; u < 35; u++) back.feed(u);
    expect(back.alarms()).toEqual(straight.alarms());
    expect(back.alarms().map((a) => a.key)).toEqual(['lowEss@12']);
  });

  test('a history that begins later is judged by what it holds, and one that goes on from another run by all of it', () => {
    const rows = rowsWith(60, (u) => u < 50 && u >= 40);
    const later = new Monitor(() => facts, history(rows), 50);
    const fork = new Monitor(() => facts, history(rows));
    for (let u = 50; u < 55; u++) {
      expect(later.feed(u)).toEqual([]);
      expect(fork.feed(u)).toEqual([]);
    }
    expect(later.alarms()).toEqual([]);
    expect(fork.alarms()).toMatchObject([{ key: 'lowEss@42', until: null }]);
  });
});
