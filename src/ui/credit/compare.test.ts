import { describe, expect, test } from 'vitest';
import { MOST_COMPARED } from '../../config/moment.ts';
import { defaultConfig } from '../../config/schema.ts';
import type { Scene } from '../../envs/types.ts';
import { estimators } from '../../slots/methods.ts';
import type { Column, CreditAnswer, LevelMap } from '../../worker/protocol.ts';
import { differenceOf, mapWith, quadrantsOf, rightSigns, roundedTo, sizeOf } from './compareMath.ts';
import { askedOf, firstMethods, nextMethod, withMethod } from './compareStore.ts';
import { signWords } from './CreditMaps.tsx';
import { barOf, bestOf, MEASURES, pendingText, truthText } from './measureRows.ts';
import { merged } from './useCredit.ts';

/** Two episodes of two and one steps; 99 is padding. */
const steps = { B: 2, T: 2, length: Uint32Array.of(2, 1) };
const credit = Float32Array.of(2, -2, 0, 99);
const truth = Float32Array.of(0.5, 0.5, -0.01, 99);

describe('pictures', () => {
  test('sizes ignore padding and steps that are not known', () => {
    expect(sizeOf(steps, credit)).toBeCloseTo(Math.sqrt(8 / 3), 6);
    expect(sizeOf(steps, credit, Uint8Array.of(1, 0, 0, 1))).toBe(2);
  });

  test('a difference does not see units: credit and ten times the credit differ nowhere', () => {
    const tenfold = credit.map((x) => 10 * x);
    for (const x of differenceOf(steps, credit, tenfold)) expect(Math.abs(x)).toBeLessThan(1e-6);
    expect([...differenceOf(steps, credit, truth, Uint8Array.of(1, 1, 0, 0))]).toEqual([0, -2, 0, 0]);
  });

  test('signs against signs are counted, a truth within the threshold is about 0', () => {
    expect(quadrantsOf(steps, credit, truth, null, 0.02)).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
    ]);
    expect(
      quadrantsOf(steps, credit, truth, Uint8Array.of(1, 0, 0, 0), 0.02)
        .flat()
        .reduce((a, b) => a + b),
    ).toBe(1);
  });

  test('right and wrong signs are +1 and −1 on the steps that mattered', () => {
    const { values, counts } = rightSigns(steps, credit, truth, null, 0.02);
    expect([...values]).toEqual([1, -1, 0, 0]);
    expect([...counts]).toEqual([1, 1, 0, 0]);
  });

  test('a map takes the mean over known visits of its own level', () => {
    const map = { levelSeed: 5, visits: new Uint32Array(3), credit: new Float32Array(3) } as LevelMap;
    const snapshot = { ...steps, levelSeeds: Uint32Array.of(5, 6), mapRow: Uint32Array.of(1, 1, 2, 0, 0, 0) };
    expect([...mapWith(snapshot, map, credit, null).credit]).toEqual([0, 0, 0]);
    expect([...mapWith(snapshot, map, credit, Uint8Array.of(1, 0, 0, 0)).credit]).toEqual([0, 2, 0]);
    expect([...mapWith(snapshot, map, credit, null).visits]).toEqual([0, 2, 0]);
  });

  test('numbers far below the limit are 0 in a cell', () => {
    expect(roundedTo(0.51, Float32Array.of(0.0002, -0.316)).map((x) => Number(x.toFixed(4)))).toEqual(
      Float32Array.of(0, -0.32),
    );
  });

  test('a cell tells in words how often the sign was right', () => {
    const scene = { width: 3, height: 2, cells: [{ ground: 'floor' }] } as unknown as Scene;
    const view = { rows: [0], visits: 4, credit: 0.5, reward: 0, entropy: 0, change: 0, arrows: new Float32Array(4) };
    expect(signWords(scene, 4, view)).toBe('Column 2, row 2: 4 moves that mattered, 75 % with the right sign.');
    expect(signWords(scene, 0, undefined)).toBe('Column 1, row 1: no move here mattered.');
  });

  test('bars begin at 0 and end at the end of their range', () => {
    expect(barOf(0.5, [-1, 1])).toEqual({ left: 50, width: 25 });
    expect(barOf(-1, [-1, 1])).toEqual({ left: 0, width: 50 });
    expect(barOf(3, [0, 1])).toEqual({ left: 0, width: 100 });
  });
});

describe('choice of estimators', () => {
  const config = defaultConfig();

  test('begins with that of the run and one to hold against it', () => {
    expect(firstMethods(config).map((m) => m.id)).toEqual(['gigpo', 'grpo']);
    const other = { ...config, advantage: { ...config.advantage, method: 'grpo' } };
    expect(firstMethods(other).map((m) => m.id)).toEqual(['grpo', 'gigpo']);
  });

  test('every estimator comes with the settings of the run', () => {
    for (const e of estimators)
      expect(Object.keys(askedOf(config, e.id).params).sort()).toEqual(Object.keys(e.params).sort());
  });

  test('entries are replaced, taken out and added, four at most, each offer once', () => {
    let list = firstMethods(config);
    for (let k = 0; k < 4; k++) list = withMethod(list, list.length, askedOf(config, nextMethod(list)));
    // as many as a link holds
    expect(list.length).toBe(MOST_COMPARED);
    expect(new Set(list.map((m) => m.id)).size).toBe(4);
    expect(withMethod(list, 1, null).map((m) => m.id)).toEqual(list.filter((_, k) => k !== 1).map((m) => m.id));
    expect(withMethod(list, 0, askedOf(config, 'rtmc'))[0]!.id).toBe('rtmc');
  });
});

const column: Column = {
  id: 'grpo',
  title: 'GRPO',
  why: null,
  A: null,
  parts: [],
  scores: {
    pearson: -0.4,
    spearman: null,
    sign: 0.831,
    signSteps: 59,
    signWeighted: 1,
    scale: 1,
    nmse: 0.5,
    cosine: 0.95,
    gradCosine: 0.6,
  },
  deep: {
    error: { scale: 1, biasSq: 0.3, biasSqCorrected: 0.2, variance: 0.1, covered: 1, signal: 0.4 },
    curve: [],
    batches: 16,
  },
  deepWhy: null,
};

describe('words', () => {
  test('stand beside every number', () => {
    const told = Object.fromEntries(
      MEASURES.map((m) => [m.id, `${m.text(m.value(column)!)}: ${m.words(m.value(column)!, column)}`]),
    );
    expect(told).toEqual({
      sign: '83 %: agrees in sign on 83 % of the 59 steps that mattered',
      pearson: '−0.40: points against the truth',
      nmse: '50 %: 50 % of the truth is left unexplained, at the best scale',
      cosine: '+0.95: nearly the same direction',
      gradCosine: '+0.60: the update would go uphill',
      bias: '50 %: wrong on average by 50 % of the size of the truth',
      variance: '25 %: varies from batch to batch by 25 % of the size of the truth',
    });
  });

  test('numbers that are not there are null, not 0', () => {
    for (const m of MEASURES) expect(m.value({ ...column, scores: null, deep: null })).toBeNull();
  });

  const answer = (truthPart: Partial<CreditAnswer['truth']>): CreditAnswer => ({
    update: 1,
    replica: 0,
    isKept: true,
    truth: {
      kind: 'estimated',
      threshold: 0.02,
      versions: 1,
      values: null,
      known: null,
      error: null,
      steps: 90,
      knownSteps: 30,
      rollouts: 64,
      meanError: 0.041,
      why: 'Too large.',
      ...truthPart,
    },
    columns: [column],
    references: [],
    pending: null,
  });

  test('say what the truth is, and that an estimate is one', () => {
    expect(truthText(answer({ kind: 'exact' }))).toContain('exact advantage');
    expect(truthText(answer({}))).toBe(
      'Too large. Truth: estimated on 30 of 90 steps drawn at random, from 64 pairs of playouts each, standard error ±0.04.',
    );
    expect(truthText(answer({ kind: 'exact', versions: 5 }))).toContain('under the 5 versions of the policy');
    expect(truthText(answer({ versions: 5 }))).toContain('by the version of the policy that played that step');
    expect(truthText(answer({ kind: 'none' }))).toBe('Too large. There is no truth to compare with yet.');
    expect(pendingText({ what: 'forks', share: 0.5 })).toContain('50 %');
    expect(pendingText(null)).toBeNull();
  });

  test('later numbers join the arrays of an earlier answer', () => {
    const A = Float32Array.of(1);
    const values = Float32Array.of(2);
    const before = { ...answer({ values }), columns: [{ ...column, A, scores: null }] };
    const now = merged(before, answer({}));
    expect(now.columns[0]).toMatchObject({ A, scores: column.scores });
    expect(now.truth.values).toBe(values);
  });
});

test('the best of a measure is the highest, of an error the lowest; equal numbers are all best, a single one is not', () => {
  const columns = [0.25, 0.75, 0.7504].map((x) => ({ scores: { sign: x, nmse: x }, deep: null }) as unknown as Column);
  const none = { scores: null, deep: null } as unknown as Column;
  const best = (id: string, list: readonly Column[]) => [
    ...bestOf(
      MEASURES.find((m) => m.id === id)!,
      list,
    ),
  ];
  expect(best('sign', [none, ...columns])).toEqual([columns[1], columns[2]]);
  expect(best('nmse', [none, ...columns])).toEqual([columns[0]]);
  expect(best('sign', [none, columns[0]!])).toEqual([]);
});
