import { columnOf, type Batch, type BatchField, type ExtraField } from '../../contract/columns.ts';
import type { NumberArray } from '../../contract/numbers.ts';
import { REWARD_PARTS } from '../../contract/columnTable.ts';
import { fillSteps, groupsOf, returnsToGo, stepsOf } from '../../core/batch.ts';
import { exp, log } from '../../core/fmath.ts';
import { EPSILON, isDegenerate, mean, normalize, std } from '../../core/stats.ts';
import type { Column, CompareMode, CreditOps, MapName, Rows, SetRule, Sets, ZipName } from '../types.ts';
import { generalizedAdvantage } from './generalizedAdvantage.ts';
import { stepsFrom } from './apart.ts';
import { given } from './given.ts';
import { leads } from './leads.ts';
import { contextHeads } from './contextHeads.ts';
import { edgeHeads } from './edgeHeads.ts';
import { endShares } from './endShares.ts';
import { decisionPoints } from './planning.ts';
import { alikeHeads } from './similarity.ts';
import { headsBy, meanOverHeads, normalizeHeads, realSteps, timeHeads, type Heads } from './segments.ts';
import { tagRewards } from '../reward/earnedTags.ts';
import { compareBy, rowsOf } from './trajectoryCredit.ts';

/** The numbers behind a column of `creditOpsOf`: f32, but for sums that a quotient is still to follow. */
export function dataOf(column: Column): Float32Array {
  return column.handle as Float32Array; // every column of creditOpsOf is made by `column` below
}

const headsOf = (sets: Sets): Heads => sets.handle as Heads; // every set of creditOpsOf is made by `sets` below
const column = (per: Column['per'], data: Float32Array | Float64Array): Column => ({ per, handle: data });

/**
 * What every operation of `CreditOps` means, on plain arrays of one replica. The GPU compositions of the estimators are
 * tested against their definitions with these; the kernels are tested against the same definitions.
 */
export function creditOpsOf(batch: Batch): CreditOps {
  const isReal = realSteps(batch);
  return {
    get outcome() {
      return column('trajectory', batch.outcome);
    },
    get reward() {
      return column('step', batch.reward);
    },
    get value() {
      return column('step', batch.value);
    },
    get entropy() {
      return column('step', batch.entropy);
    },
    groupSize: batch.G,
    get planMask() {
      return batch.planMask ? column('step', Float32Array.from(batch.planMask)) : null;
    },
    get logp() {
      return column('step', batch.logp);
    },
    get logpPhi() {
      return column('step', given(batch, 'logpPhi'));
    },
    get rewardParts() {
      const x = given(batch, 'rewardParts');
      return Array.from({ length: REWARD_PARTS }, (_, k) =>
        column(
          'trajectory',
          Float32Array.from({ length: batch.B }, (_i, i) => x[i * REWARD_PARTS + k]!),
        ),
      );
    },
    ofTask(name) {
      const values = given(batch, name);
      return column(
        'trajectory',
        Float32Array.from(batch.taskIndex, (g) => values[g]!),
      );
    },
    column: (name) => columnBy(batch, isReal, name),
    earnedTags: (news) => column('step', tagRewards(batch, news)),
    returnsToGo(x, gamma) {
      const { B, T, length } = batch;
      return column('step', returnsToGo({ B, T, length, reward: dataOf(x) }, gamma));
    },
    tdSums(gamma, lambda, cut) {
      const { adv, target } = generalizedAdvantage(batch, gamma, lambda, cut);
      return { adv: column('step', adv), target: column('step', target) };
    },
    normalize: (x, over, mode, rows = 'trajectories') =>
      column(x.per, overSets(dataOf(x), setsOf(batch, x.per, over, rows), mode)),
    overSpread(x, of, rows = 'trajectories', over = 'batch') {
      const result = new Float32Array(dataOf(x).length);
      for (const set of setsOf(batch, of.per, over, rows)) {
        const members = set.map((k) => dataOf(of)[k]!);
        const scale = isDegenerate(members) ? 0 : 1 / (std(members) + EPSILON);
        for (const k of set) result[k] = dataOf(x)[k]! * scale;
      }
      return column(x.per, result);
    },
    ended: (what) =>
      column(
        'trajectory',
        what === 'timeLeft' ? Float32Array.from(batch.length, (n) => 1 - n / batch.T) : Float32Array.from(batch[what]),
      ),
    lead: (x) => column('trajectory', leads(batch, dataOf(x))),
    unitRange(x) {
      const [all] = setsOf(batch, x.per, 'batch', 'trajectories');
      const members = all!.map((k) => dataOf(x)[k]!);
      const low = members.reduce((a, b) => Math.min(a, b), Infinity);
      const width = members.reduce((a, b) => Math.max(a, b), -Infinity) - low;
      const result = new Float32Array(dataOf(x).length);
      if (!isDegenerate(members)) for (const k of all!) result[k] = (dataOf(x)[k]! - low) / width;
      return column(x.per, result);
    },
    normalizeMeans(x) {
      const groups = groupsOf(batch);
      const between = normalize(groups.map((group) => mean(group.map((i) => dataOf(x)[i]!))));
      const result = new Float32Array(batch.B);
      groups.forEach((group, g) => group.forEach((i) => (result[i] = between[g]!)));
      return column('trajectory', result);
    },
    endShare: () => column('trajectory', Float32Array.from(endShares(batch))),
    branches: () => column('step', Float32Array.from(decisionPoints(batch))),
    map(f, x, a = 1, b = 0) {
      const isPadding = (k: number): boolean => x.per === 'step' && isReal[k] === 0;
      return column(
        x.per,
        dataOf(x).map((value, k) => (isPadding(k) ? 0 : FUNCTIONS[f](a * value + b))),
      );
    },
    zip(f, x, y) {
      const isStep = (of: Column | number): boolean => typeof of !== 'number' && of.per === 'step';
      const perStep = isStep(x) || isStep(y) || (typeof x === 'number' && typeof y === 'number');
      const result = new Float32Array(perStep ? batch.B * batch.T : batch.B);
      const reader = (of: Column | number): ((k: number) => number) => {
        if (typeof of === 'number') return () => of;
        const data = dataOf(of);
        return isStep(of) === perStep ? (k) => data[k]! : (k) => data[Math.floor(k / batch.T)]!;
      };
      const [left, right, of] = [reader(x), reader(y), PAIRS[f]];
      for (let k = 0; k < result.length; k++) if (!perStep || isReal[k] === 1) result[k] = of(left(k), right(k));
      return column(perStep ? 'step' : 'trajectory', result);
    },
    following: (x) =>
      column(
        'step',
        dataOf(x).map((_, k) => ((k + 1) % batch.T > 0 && isReal[k + 1] === 1 ? dataOf(x)[k + 1]! : 0)),
      ),
    setsBy(x) {
      // by its bits, of which 0 has two
      const bits = new Uint32Array(Float32Array.from(dataOf(x), (value) => value + 0).buffer);
      return {
        handle: headsBy(
          batch,
          (i) => batch.taskIndex[i]!,
          (_i, _t, k) => bits[k]!,
        ),
      };
    },
    keepApart: (first) => creditOpsOf({ ...batch, apart: stepsFrom(batch, first) }),
    setsAlike: (most) => ({ handle: alikeHeads(batch, most) }),
    sets: ({ of, past }) => ({ handle: headsOfRule(batch, of, past) }),
    normalizeSets(x, sets, mode, population = false) {
      return column('step', normalizeHeads(dataOf(x), headsOf(sets), mode, population));
    },
    overLevels(x, levels, mode) {
      // sums that one quotient follows: rounded once, after it
      const credit = new Float64Array(batch.B * batch.T);
      const weight = new Float64Array(batch.B * batch.T);
      for (const { sets, w } of levels) {
        const head = headsOf(sets);
        const members = new Map<number, number[]>();
        head.forEach((h, k) => {
          if (h < 0) return;
          const set = members.get(h);
          if (set) set.push(k);
          else members.set(h, [k]);
        });
        const counts = overSets(dataOf(x), [...members.values()], 'comparable');
        normalizeHeads(dataOf(x), head, mode, true).forEach((a, k) => (credit[k]! += w * a));
        counts.forEach((n, k) => (weight[k]! += w * n));
      }
      return { credit: column('step', credit), weight: column('step', weight) };
    },
    meanOver: (x, sets, count) => column('step', meanOverHeads(batch, dataOf(x), headsOf(sets), count)),
    broadcast(x) {
      const result = new Float32Array(batch.B * batch.T);
      for (let i = 0; i < batch.B; i++) fillSteps(result, batch, i, dataOf(x)[i]!);
      return column('step', result);
    },
    combine(a, x, b, y, c = 0) {
      const at = (of: Column, k: number): number => dataOf(of)[of.per === 'step' ? k : Math.floor(k / batch.T)]!;
      return column(
        'step',
        Float32Array.from(isReal, (real, k) =>
          real === 1 ? a * at(x, k) + b * at(y, k) + c * at(x, k) * at(y, k) : 0,
        ),
      );
    },
    scaleByLargest(x, floor) {
      const largest = dataOf(x).reduce(
        (size, value, k) => (isReal[k] === 1 ? Math.max(size, Math.abs(value)) : size),
        0,
      );
      return column(
        'step',
        dataOf(x).map((value, k) => (isReal[k] === 1 && largest > floor ? value / largest : 0)),
      );
    },
    threshold: (x, least) =>
      column(
        'trajectory',
        dataOf(x).map((value) => (Math.abs(value) >= least ? 1 : 0)),
      ),
  };
}

const FUNCTIONS: Readonly<Record<MapName, (u: number) => number>> = {
  abs: Math.abs,
  exp,
  log,
  logistic: (u) => 1 / (1 + exp(-u)),
};

const PAIRS: Readonly<Record<ZipName, (x: number, y: number) => number>> = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => (y === 0 ? 0 : x / y),
  min: Math.min,
  max: Math.max,
  less: (x, y) => (x < y ? 1 : 0),
  lessEqual: (x, y) => (x <= y ? 1 : 0),
  equal: (x, y) => (x === y ? 1 : 0),
  keepIf: (x, y) => (x === 0 ? 0 : y),
  keepUnless: (x, y) => (x === 0 ? y : 0),
};

/** A column of the batch by its name. Of one with T + 1 states per trajectory those before its steps. */
function columnBy(batch: Batch, isReal: Uint8Array, name: BatchField): Column {
  const { per } = columnOf(name);
  const values: NumberArray = given(batch, name as ExtraField);
  const { B, T } = batch;
  if (per === 'task')
    return column(
      'trajectory',
      Float32Array.from(batch.taskIndex, (g) => values[g]!),
    );
  if (per === 'row') return column('trajectory', Float32Array.from(values));
  const wide = per === 'stepAndEnd' ? T + 1 : T;
  const at = (k: number): number => values[Math.floor(k / T) * wide + (k % T)]!;
  return column(
    'step',
    Float32Array.from({ length: B * T }, (_, k) => (isReal[k] === 1 ? at(k) : 0)),
  );
}

function headsOfRule(batch: Batch, of: SetRule['of'], past: number): Heads {
  switch (of) {
    case 'edge':
      return edgeHeads(batch, past);
    case 'state':
      return contextHeads(batch, past)[past]!;
    case 'time':
      return timeHeads(batch);
  }
}

/**
 * Flat indices of each set: trajectories, as often as `rows` says, or real steps; of each task group, of each player or of
 * the whole batch.
 */
function setsOf(
  batch: Batch,
  per: Column['per'],
  over: 'task' | 'batch' | 'player',
  rows: Rows,
): (readonly number[])[] {
  const { B, role } = batch;
  const all = { B, taskIndex: new Uint32Array(B) };
  const by = over === 'task' ? batch : over === 'player' && role ? { B, taskIndex: role } : all;
  const groups = groupsOf(by);
  return groups.map((group) => (per === 'trajectory' ? rowsOf(batch, group, rows) : stepsOf(batch, group)));
}

function overSets(x: Float32Array, sets: readonly (readonly number[])[], mode: CompareMode): Float32Array {
  const result = new Float32Array(x.length);
  for (const set of sets) {
    const members = set.map((k) => x[k]!);
    const compared = compareWithin(members, mode);
    set.forEach((k, at) => (result[k] = compared[at]!));
  }
  return result;
}

function compareWithin(x: readonly number[], mode: CompareMode): ArrayLike<number> {
  switch (mode) {
    case 'comparable':
      return x.map(() => (isDegenerate(x) ? 0 : 1));
    case 'average':
      return x.map(() => mean(x));
    case 'alone':
      return x.map((value) => (x.length === 1 ? value : 0));
    case 'stdOverN':
      return normalize(x, 'std', true);
    default:
      return compareBy(x, mode);
  }
}
