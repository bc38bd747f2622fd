import { table } from '../../config/lessonPresets.ts';
import { rewards } from '../../slots/registry.ts';
import { offeredEstimators } from '../../config/offered.ts';
import { BRANCH_COLUMNS } from '../../contract/rows.ts';
import { mean } from '../../core/stats.ts';
import type { Changes, Description, Named } from '../../lab/sweep/description.ts';
import { isOwn } from '../../lab/sweep/measures/creditFidelity.ts';
import type { Estimator } from '../../slots/types.ts';
import { readFile } from 'node:fs/promises';
import { measuredIn, metricsPath, readFolder } from '../sweeps/folder.ts';
import { kept, read, type Row } from './rows.ts';

/** One small task of each family, all with exact values. */
export const TASKS: readonly { readonly id: string; readonly title: string; readonly changes: Changes }[] = [
  { id: 'grid', title: 'Key and door', changes: {} },
  {
    id: 'sokoban',
    title: 'One push too many',
    changes: {
      'task.method': 'sokoban',
      'task.sokoban.level': 'corner',
      'task.sokoban.deadEnd': true,
      'reward.sokoban.goal': 1000,
      'reward.sokoban.step': 0,
      'reward.sokoban.boxOn': 0,
      'reward.sokoban.boxOff': 0,
    },
  },
  {
    id: 'textmaze',
    title: 'Three rooms',
    // sixteen actions start at a sixteenth each: with the rate of the others nothing happens in the time
    changes: {
      'task.method': 'textmaze',
      'task.textmaze.level': 'threeRooms',
      'task.textmaze.metaActions': false,
      'optimizer.learningRate': 0.3,
    },
  },
];

const { 'run.updates': _, ...model } = table;
/** The reference model of the lessons, the same bits everywhere; evaluated now and then, as every cell of a sweep is. */
const TABLE: Changes = { ...model, 'analysis.evalEvery': 40 };
/** Training success, in percent, at which batches are judged. */
const MOMENTS = [5, 40, 80];
/** Trains the policy whose batches all estimators judge that need no data of their own. */
const SHARED = 'gigpo';
/** No credit where a group has no single best episode: they judge those of the shared batches in which they have some. */
const OFTEN_SILENT = ['grpoPassK'];

export const MEASURES = ['correlation', 'cosine', 'sign', 'weighted'] as const;
type Measure = (typeof MEASURES)[number];
/** Of one batch. */
type Scores = Readonly<Record<Measure, number>>;

/**
 * Columns of the data. rev: revision of the estimator that was measured; limit: updates at most; batches: how many of the batches of
 * this seed count; updates, matched: until success, Infinity where it never came.
 */
export const COLUMNS = ['task', 'estimator', 'rev', 'limit', 'seed', 'batches', ...MEASURES, 'updates', 'matched'];
export const KEYS = ['task', 'estimator', 'seed'];

/** Columns that only a reward module makes. */
const ofRewards: readonly string[] = rewards.flatMap(({ makes = [] }) => makes);

/**
 * Estimators that the study is about: all that the lab offers but those that judge forked episodes, which its batches lack, one
 * that belongs to a reward of its own, those that credit single words, as its steps are one choice each, and a formula, which is
 * whatever somebody writes.
 */
export const offered = offeredEstimators.filter(
  (e) =>
    !('text' in e.params) &&
    e.perUnit !== true &&
    !e.needs.some((name) => [...BRANCH_COLUMNS, ...ofRewards].includes(name)),
);

/** Estimators that did not judge all of the same batches, and so cannot be ranked with the others. */
export const isApart = (e: Estimator): boolean => isOwn(e) || OFTEN_SILENT.includes(e.id);

/** How much is measured: seeds, updates of each. */
export type Size = { readonly seeds: number; readonly updates: number };

const nameOf = (task: string, estimator: string, isMatched: boolean): string =>
  `${task}/${estimator}${isMatched ? '/matched' : ''}`;

/** The study as a sweep: for each task and estimator a group as it is, and one with matched size. */
export function creditFidelitySweep({ seeds, updates }: Size): Description {
  const cells = TASKS.flatMap(({ id: task, changes }) =>
    offered.flatMap((e): Named[] => {
      const set = { ...changes, 'advantage.method': e.id };
      const judges = e.id === SHARED ? 'all' : isOwn(e) ? 'own' : null;
      const measure = judges && { measure: { method: 'creditFidelity', moments: MOMENTS, judges } };
      return [
        { name: nameOf(task, e.id, false), set, ...measure },
        { name: nameOf(task, e.id, true), set: { ...set, 'revise.matchSize.on': true } },
      ];
    }),
  );
  return { base: 'key-door', set: TABLE, cells, seeds, updates };
}

/** Where success, averaged over five batches, is 0.8 for the first time; Infinity where it never is. */
function reached(success: readonly number[]): number {
  for (let u = 5; u <= success.length; u++)
    if (mean([1, 2, 3, 4, 5].map((back) => success[u - back]!)) >= 0.8 - 1e-9) return u;
  return Infinity;
}

/** What estimators scored in the batches of one run, one entry for each batch, by estimator; null: no credit in it. */
type Judged = readonly ReadonlyMap<string, Scores | null>[];

/** What a measure wrote down, batch by batch. */
export function judgedOf(rows: readonly (readonly (string | number | null)[])[], columns: readonly string[]): Judged {
  const at = (name: string): number => columns.indexOf(name);
  const batches = new Map<unknown, Map<string, Scores | null>>();
  for (const row of rows) {
    const moment = row[at('moment')];
    if (!batches.has(moment)) batches.set(moment, new Map());
    const numbers = MEASURES.map((m) => [m, row[at(m)]] as const);
    const isWhole = numbers.every(([, x]) => typeof x === 'number');
    batches.get(moment)!.set(`${row[at('estimator')]}`, isWhole ? (Object.fromEntries(numbers) as Scores) : null);
  }
  return [...batches.values()];
}

/**
 * The batches that count for an estimator. One in which an estimator has no credit at all, as where every group agrees, has no
 * correlation and no direction there: it is left out for all, so that they stay comparable.
 */
export function scoresOf({ id }: Pick<Estimator, 'id'>, judged: Judged): Scores[] {
  const isOpen = (batch: Judged[number]): boolean =>
    [...batch].every(([other, scores]) => scores !== null || (other !== id && OFTEN_SILENT.includes(other)));
  return judged.filter(isOpen).map((batch) => batch.get(id)!);
}

/** The cells of a folder by the name of their group and their seed. */
type Cells = {
  readonly success: (name: string, seed: number) => Promise<readonly number[] | null>;
  readonly judged: (name: string, seed: number) => Promise<Judged | null>;
  readonly seeds: readonly number[];
  readonly limit: number;
};

async function cellsOf(folder: string): Promise<Cells | string> {
  const found = await readFolder(folder);
  if (typeof found === 'string') return found;
  const { plan, results } = found;
  const cellOf = new Map(plan.cells.map((cell) => [`${plan.groups[cell.group]!.name} ${cell.seed}`, cell]));
  const finished = (name: string, seed: number): (typeof plan.cells)[number] | null => {
    const cell = cellOf.get(`${name} ${seed}`);
    return cell && results.has(cell.address) ? cell : null;
  };
  return {
    async success(name, seed) {
      const cell = finished(name, seed);
      if (cell === null) return null;
      const metrics = read(await readFile(metricsPath(folder, cell.address), 'utf8'));
      // the line before the first update has only an evaluation
      return metrics.map((line) => line['success'] as number).filter(Number.isFinite);
    },
    async judged(name, seed) {
      const cell = finished(name, seed);
      if (!cell?.measure) return null;
      const { rows, columns } = await measuredIn(folder, cell, results.get(cell.address)!);
      return judgedOf(rows, columns);
    },
    seeds: [...new Set(plan.cells.map(({ seed }) => seed))],
    limit: plan.groups[0]!.config.run['updates'] as number,
  };
}

/** The rows of the study from the folder of its sweep, or the sentence of why there are none. What is not finished is left out. */
export async function creditFidelityRows(folder: string): Promise<Row[] | string> {
  const cells = await cellsOf(folder);
  if (typeof cells === 'string') return cells;
  const { seeds, limit } = cells;
  const rows: Row[] = [];
  for (const { id: task } of TASKS) {
    for (const estimator of offered) {
      const { id, rev } = estimator;
      for (const seed of seeds) {
        const [plain, matched] = [
          await cells.success(nameOf(task, id, false), seed),
          await cells.success(nameOf(task, id, true), seed),
        ];
        const judged = await cells.judged(nameOf(task, isOwn(estimator) ? id : SHARED, false), seed);
        if (!plain || !matched || !judged) continue;
        const scores = scoresOf(estimator, judged);
        rows.push({
          ...{ task, estimator: id, rev, limit, seed, batches: scores.length },
          ...Object.fromEntries(MEASURES.map((m) => [m, kept(mean(scores.map((of) => of[m])))])),
          ...{ updates: reached(plain), matched: reached(matched) },
        });
      }
    }
  }
  return rows.length > 0 ? rows : `“${folder}” holds no finished cell of this study.`;
}
