import { writeFile } from 'node:fs/promises';
import { table } from '../config/lessonPresets.ts';
import { configWith } from '../config/schema.ts';
import { RECORDED } from '../config/rules.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { quantileSorted } from '../core/stats.ts';
import { missingData } from '../methods/advantage/given.ts';
import { metricIndex } from '../methods/analysis/metrics.ts';
import { bootstrapInterval } from '../methods/analysis/seeds.ts';
import { estimators } from '../methods/registry.ts';
import { CreditBatch } from '../train/creditBatch.ts';
import { Grounds } from '../train/creditGround.ts';
import type { BatchView } from '../train/backend.ts';
import type { Scores } from '../train/creditTypes.ts';
import { createRun, type Run } from '../train/run.ts';
import { helped, readArgs } from './args.ts';
import { stability } from './stability.ts';

const USAGE =
  'node scripts/study.mjs (credit-fidelity [grid | sokoban | textmaze] | stability) [--seeds N] [--updates N] [--out FILE]';

/** One small task of each family, all with exact values. */
const TASKS = [
  { id: 'grid', title: 'Key and door (grid-world)', changes: {} },
  {
    id: 'sokoban',
    title: 'One push too many (Sokoban)',
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
    title: 'Three rooms, fetch the key (text-maze)',
    // sixteen actions start at a sixteenth each: with the rate of the others nothing happens in the time
    changes: {
      'task.method': 'textmaze',
      'task.textmaze.level': 'threeRooms',
      'task.textmaze.metaActions': false,
      'optimizer.learningRate': 0.3,
    },
  },
] as const;

/** The reference model of the lessons, the same bits everywhere, without evaluations. */
const TABLE = { ...table, 'run.backend': 'cpu', 'analysis.evalEvery': 0 };
/** Success of the sampling policy at which batches are judged. */
const MOMENTS = [0.05, 0.4, 0.8];

type Numbers = { pearson: number[]; sign: number[]; gradCosine: number[] };

async function runOf(changes: Record<string, unknown>): Promise<Run> {
  return must(await createRun(configWith(changes)));
}

const offered = estimators.filter((e) => missingData(e, RECORDED) === null);

/** Estimators whose credit rests on what their own run records: a critic, a process model, greedy episodes. */
const isOwn = (e: (typeof offered)[number]): boolean =>
  e.critic === true || e.needs.includes('logpPhi') || e.needs.includes('greedyReturn');

function put(numbers: Numbers, scores: Scores | null): void {
  for (const name of ['pearson', 'sign', 'gradCosine'] as const) {
    const value = scores?.[name];
    if (value !== null && value !== undefined) numbers[name].push(value);
  }
}

/** Trains one seed with a method and hands out its batches at the three moments. */
async function atMoments(
  changes: Record<string, unknown>,
  seed: number,
  updates: number,
  judge: (view: BatchView, batch: CreditBatch) => void,
): Promise<void> {
  const run = await runOf({ ...TABLE, ...changes, 'run.seed': seed, 'run.seeds': 1, 'run.updates': updates });
  const grounds = new Grounds(run.plan);
  let moment = 0;
  while (run.update < updates && moment < MOMENTS.length) {
    await run.submit();
    if (run.series.last(0, metricIndex.success) < MOMENTS[moment]!) continue;
    moment++;
    const view = await run.backend.view(0);
    const batch = new CreditBatch(grounds, view);
    if (!batch.exactNow(() => false)) throw new Error('A task of this study must have exact values.');
    judge(view, batch);
  }
  run.dispose();
}

/** Every estimator on the same batches of GiGPO's training; those that record data of their own on their own. */
async function fidelity(task: (typeof TASKS)[number], seeds: number, updates: number) {
  const found = new Map<string, Numbers>(
    offered.map(({ id }): [string, Numbers] => [id, { pearson: [], sign: [], gradCosine: [] }]),
  );
  for (let seed = 1; seed <= seeds; seed++) {
    await atMoments(task.changes, seed, updates, (view, batch) => {
      for (const estimator of offered.filter((e) => !isOwn(e))) {
        const { A } = estimator.run(view.batch, defaultsOf(estimator.params));
        put(found.get(estimator.id)!, batch.exactScores(A));
      }
    });
    for (const { id } of offered.filter(isOwn)) {
      await atMoments({ ...task.changes, 'advantage.method': id }, seed, updates, (view, batch) =>
        put(found.get(id)!, batch.exactScores(view.A)),
      );
    }
  }
  return found;
}

/** Updates until success, averaged over five batches, is 0.8; `updates + 1` where it never is. One per seed. */
async function speed(changes: Record<string, unknown>, seeds: number, updates: number): Promise<number[]> {
  const run = await runOf({ ...TABLE, ...changes, 'run.seeds': seeds, 'run.updates': updates });
  const reached = new Array<number>(seeds).fill(updates + 1);
  while (run.update < updates && reached.some((u) => u > updates)) {
    await run.submit();
    const u = run.series.length;
    if (u < 5) continue;
    for (let s = 0; s < seeds; s++) {
      if (reached[s]! <= updates) continue;
      let total = 0;
      for (let k = u - 5; k < u; k++) total += run.series.at(k, s, metricIndex.success);
      if (total / 5 >= 0.8 - 1e-9) reached[s] = u;
    }
  }
  run.dispose();
  return reached;
}

const median = (x: ArrayLike<number>): number => quantileSorted(Float64Array.from(x).sort(), 0.5);

/** Median with its 95 % bootstrap interval over the seeds. */
function withInterval(x: readonly number[], digits: number): string {
  if (x.length === 0) return '–';
  const interval = bootstrapInterval([x], median, 1000);
  const range = interval ? ` [${interval[0].toFixed(digits)}, ${interval[1].toFixed(digits)}]` : '';
  return `${median(x).toFixed(digits)}${range}`;
}

function speedText(x: readonly number[], updates: number): string {
  const missed = x.filter((u) => u > updates).length;
  const middle = median(x);
  const text = middle > updates ? `> ${updates}` : withInterval(x, 0).replaceAll(`${updates + 1}]`, `> ${updates}]`);
  return missed > 0 ? `${text}, ${x.length - missed} of ${x.length}` : text;
}

async function tables(seeds: number, updates: number, only: string | undefined): Promise<string> {
  const parts: string[] = [];
  for (const task of TASKS.filter(({ id }) => only === undefined || id === only)) {
    console.log(task.title);
    const judged = await fidelity(task, seeds, updates);
    const rows: string[] = [];
    for (const { id, title } of offered) {
      const n = judged.get(id)!;
      const own = { ...task.changes, 'advantage.method': id };
      const plain = await speed(own, seeds, updates);
      const matched = await speed({ ...own, 'advantage.matched': true }, seeds, updates);
      const quality = [withInterval(n.pearson, 2), withInterval(n.sign, 2), withInterval(n.gradCosine, 2)];
      rows.push(`| ${[title, ...quality, speedText(plain, updates), speedText(matched, updates)].join(' | ')} |`);
      console.log(rows.at(-1));
    }
    parts.push(
      [
        `## ${task.title}`,
        '',
        '| estimator | correlation with exact A | sign agreement | gradient cosine | updates to 0.8 | the same, matched size |',
        '| --- | --- | --- | --- | --- | --- |',
        ...rows,
      ].join('\n'),
    );
  }
  return parts.join('\n\n');
}

async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  const args = readArgs(argv);
  if (typeof args === 'string') return say(args);
  const study = args.words[0];
  if (study !== 'credit-fidelity' && study !== 'stability') return say(`Usage: ${USAGE}`);
  const seeds = Number(args.options['seeds'] ?? 8);
  const updates = Number(args.options['updates'] ?? 240);
  const text = study === 'stability' ? await stability(seeds, updates) : await tables(seeds, updates, args.words[1]);
  const out = args.options['out'];
  if (out !== undefined) await writeFile(out, `${text}\n`);
  return 0;
}

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
