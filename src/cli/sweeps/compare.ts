import { basename, join, resolve } from 'node:path';
import { canonicalJson } from '../../config/canonical.ts';
import { configWith } from '../../config/schema.ts';
import { compareGroups, profilesOf, type Comparison } from '../../lab/analysis/comparison.ts';
import { curvesFigure, improvementFigure, profilesFigure, TAUS } from '../../lab/analysis/comparisonFigures.ts';
import { comparisonCells, comparisonCsv, comparisonNotes, crossingNotes } from '../../lab/analysis/comparisonTable.ts';
import { usualScore } from '../../lab/analysis/usualScore.ts';
import { commonTasks, scoredBy, SCORES, type MemberGroup, type ScoreKind } from '../../lab/analysis/strata.ts';
import { measureById } from '../../lab/sweep/measures/registry.ts';
import { methodsOf } from '../../lab/sweep/methods.ts';
import type { Config } from '../../config/slots.ts';
import type { CellResult } from '../../lab/sweep/cell.ts';
import { reportOfComparison } from '../../lab/report/makeReport.ts';
import { reportHtml, reportMarkdown, type Report } from '../../lab/report/report.ts';
import type { Args } from '../args.ts';
import { prepareFolder, writeWhole, type TextFile } from '../files.ts';
import { written } from '../studies/tables.ts';
import { readFolder } from './folder.ts';

export const COMPARE_USAGE = `npm run lab -- compare DIR … [--threshold SUCCESS] [--score WHICH] [--tasks] [--out FOLDER] [--report] [--title TEXT] [--question TEXT]
  --score: what a run is judged by, one of ${SCORES.join(', ')}; --tasks: what is equal but for its task is one group
  compares the groups of sweeps with the first one; the table as text and CSV, and figures, go into FOLDER (DIR/comparison)
  --report: also one page to print, as HTML and Markdown`;

const FILES = ['curves.svg', 'profiles.svg', 'improvement.svg', 'comparison.csv', 'comparison.md'] as const;

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

/** Groups of several sweeps, and the cells that have no result yet. */
type Gathered = {
  readonly groups: readonly MemberGroup[];
  /** of each group: the config that it was found with first */
  readonly configs: readonly Config[];
  readonly missing: readonly string[];
  readonly threshold: number;
  /** titles of what was measured beside cells */
  readonly measured: readonly string[];
};

/** A group, and where it was found first. */
type Found = {
  readonly name: string;
  readonly folder: string;
  readonly config: Config;
  readonly members: Map<string, CellResult>;
};

/** The groups of all folders in their order; those that are equal but for the seed are one. */
async function gather(folders: readonly string[], areTasksOne: boolean): Promise<Gathered | string> {
  const found = new Map<string, Found>();
  const missing: string[] = [];
  const measured = new Set<string>();
  let threshold: number | null = null;
  for (const folder of folders) {
    const read = await readFolder(folder);
    if (typeof read === 'string') return read;
    const { plan, results } = read;
    threshold ??= plan.threshold;
    for (const { measure } of plan.groups) if (measure) measured.add(measureById(measure.id)?.title ?? measure.id);
    for (const { address, group, seed, config } of plan.cells) {
      // cells that end after a number of steps have it behind their digest
      const key = `${canonicalJson(configWith({ 'run.seed': 0 }, config))}${address.slice(10)}`;
      const { name } = plan.groups[group]!;
      const members = found.get(key)?.members ?? new Map<string, CellResult>();
      if (!found.has(key)) found.set(key, { name, folder, config, members });
      const result = results.get(address);
      if (result) members.set(address, result);
      else missing.push(`${name}, seed ${seed}`);
    }
  }
  const all = [...found.values()];
  const about = { missing, threshold: threshold!, measured: [...measured] };
  if (areTasksOne) return { ...onTasks(all), ...about };
  const groups = all.map(({ name, folder, members }) => ({
    name: all.some((other) => other.members !== members && other.name === name)
      ? `${name} (${basename(resolve(folder))})`
      : name,
    members: [...members.values()],
  }));
  return { ...withMembers(groups, all), ...about };
}

/** The table and what has to be known to read it. */
function comparisonText(comparison: Comparison, kind: ScoreKind, more: readonly string[]): string {
  const table = { title: 'Comparison', ...comparisonCells(comparison) };
  return [written(table, '##'), '', ...comparisonNotes(comparison, kind), ...more, ''].join('\n');
}

/** The report as Markdown, with the figures that are beside it. */
const beside = (report: Report): string => reportMarkdown(report).replaceAll('](figures/', '](');

/** What is equal but for the task is one group, whose members know on which task they ran. */
function onTasks(all: readonly Found[]): Pick<Gathered, 'groups' | 'configs'> {
  const { methods, tasks, of } = methodsOf(all.map(({ config }) => config));
  const groups = methods.map((name, method) => ({
    name,
    members: all.flatMap(({ members }, k) =>
      of[k]!.method === method ? [...members.values()].map((m) => ({ ...m, task: tasks[of[k]!.task]! })) : [],
    ),
  }));
  return withMembers(
    groups,
    methods.map((_, method) => all[of.findIndex((on) => on.method === method)]!),
  );
}

/** Groups that have finished cells, with their configs. */
function withMembers(groups: readonly MemberGroup[], found: readonly Found[]): Pick<Gathered, 'groups' | 'configs'> {
  const has = groups.map(({ members }) => members.length > 0);
  return {
    groups: groups.filter((_, k) => has[k]),
    configs: found.filter((_, k) => has[k]).map(({ config }) => config),
  };
}

/** Compares finished cells of one sweep or several. Resolves with the exit code. */
export async function compareCommand({ words, options }: Args): Promise<number> {
  const folders = words.slice(1);
  if (folders.length === 0) return say(`Usage: ${COMPARE_USAGE}`);
  const chosen = options['score'] as ScoreKind | undefined;
  if (chosen !== undefined && !SCORES.includes(chosen)) return say(`--score is one of ${SCORES.join(', ')}.`);
  const gathered = await gather(folders, 'tasks' in options);
  if (typeof gathered === 'string') return say(gathered);
  const { missing } = gathered;
  if (gathered.groups.length === 0) return say('No cell of these sweeps is finished yet.');
  if (commonTasks(gathered.groups).length === 0) return say('These groups have no task in common.');
  const kind = chosen ?? usualScore(gathered.configs);
  const groups = scoredBy(gathered.groups, kind);
  const threshold = Number(options['threshold'] ?? gathered.threshold);
  if (!(threshold >= 0 && threshold <= 1)) return say('--threshold takes a success between 0 and 1.');
  const out = options['out'] ?? join(folders[0]!, 'comparison');
  const refused = await prepareFolder(out, FILES, 0);
  if (refused !== null) return say(refused);
  const comparison = compareGroups(groups, threshold);
  const profiles = profilesOf(groups, TAUS);
  const notes = [
    ...(missing.length === 0
      ? []
      : [
          `Without a result and not counted, ${missing.length}: ${missing.slice(0, 12).join('; ')}${missing.length > 12 ? ' …' : '.'}`,
        ]),
    ...(gathered.measured.length === 0
      ? []
      : [
          `Also measured, and not compared here: ${gathered.measured.join('; ')}. The rows are in files beside those of the cells.`,
        ]),
  ];
  const text = comparisonText(comparison, kind, [...crossingNotes(profiles), ...notes]);
  console.log(text);
  const texts = [
    ...[curvesFigure(groups), profilesFigure(groups, profiles), improvementFigure(comparison)],
    ...[comparisonCsv(comparison), text],
  ];
  const files = FILES.map((name, k): TextFile => ({ name, text: texts[k]! }));
  if ('report' in options) {
    const report = await reportOfComparison({
      ...{ title: options['title'] ?? '', question: options['question'] ?? '', groups, configs: gathered.configs },
      ...{ threshold, score: kind, site: null, at: Date.now(), notes },
      environment: [['trained on', 'CPU path']],
    });
    files.unshift({ name: 'report.html', text: reportHtml(report) }, { name: 'report.md', text: beside(report) });
  }
  const problem = await writeWhole(out, files);
  if (problem !== null) return say(problem);
  console.log(`Table and figures are in ${out}`);
  return 0;
}
