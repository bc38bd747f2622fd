import { configDigest } from '../../config/digest.ts';
import type { Config } from '../../config/slots.ts';
import { LAB_VERSION } from '../../core/version.ts';
import type { MemberGroup } from '../analysis/strata.ts';
import { citationCff } from '../cite/cite.ts';
import { reportHtml, reportMarkdown } from '../report/report.ts';
import { scoredBy } from '../analysis/strata.ts';
import { usualScore } from '../analysis/usualScore.ts';
import { reportOfComparison } from '../report/makeReport.ts';
import { Overview } from '../runs/inParts.ts';
import { measuredOf, seedsOf } from '../runs/soFar.ts';
import { archiveOf, type BundleFile } from './archive.ts';
import { whyTooLong } from './curveLimit.ts';
import { fileName, filesOfRun, type Packed, type PackOptions, type RunToPack } from './runBundle.ts';
import { writeSweepFile, type SweepFile } from './sweepFile.ts';

/** Runs of one seed each that are equal but for it. */
export type GroupToPack = { readonly name: string; readonly runs: readonly RunToPack[] };
export type SweepToPack = {
  readonly title: string;
  readonly question: string;
  readonly threshold: number;
  readonly groups: readonly GroupToPack[];
  readonly site: string | null;
  readonly at: number;
};

const README = `This is a sweep of Horizon Lab: several experiments with their seeds, and their comparison.

report.html        the comparison on one page; open it in any browser
comparison.csv     every number of its table; comparison.md has it as text
cells.csv          one line per run
sweep.json         groups and cells
cells/             a folder for every run, with the files of a run bundle
figures/           the figures of the comparison

To open it: drop this zip file on the page of the lab; its runs appear in the table of runs. To check it:
  npm run lab -- verify FILE.labsweep.zip
`;

/** A run with what is known of its curves, and the folder of its files. */
type Cell = { readonly run: RunToPack; readonly overview: Overview; readonly folder: string; readonly group: number };

/** What a comparison reads of a run. */
function memberOf({ run, overview }: Cell): MemberGroup['members'][number] {
  const { score, envSteps, evaluations } = measuredOf(overview);
  return { seed: seedsOf(run.config)[0]!, score: score ?? 0, envSteps, evaluations };
}

/** Groups as a comparison takes them; runs that were never evaluated have no score and do not count. */
function groupsOf(
  groups: readonly GroupToPack[],
  cells: readonly Cell[],
): { readonly group: GroupToPack; readonly members: MemberGroup }[] {
  return groups.flatMap((group, g) => {
    const own = cells.filter((cell) => cell.group === g);
    const members = own.map(memberOf).filter(({ evaluations }) => evaluations.success.length > 0);
    return members.length > 0 ? [{ group, members: { name: group.name, members } }] : [];
  });
}

/** All runs of a sweep. The curves of each are read once, and a few metrics are kept. */
async function cellsOf(groups: readonly GroupToPack[]): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const [group, { runs }] of groups.entries())
    for (const run of runs) {
      const why = whyTooLong(run.curves.updates * run.curves.S);
      if (why !== null) throw new Error(why);
      // runs of different lengths of one experiment have their updates behind the name
      const digest = await configDigest(run.config);
      const isThere = cells.some(({ folder }) => folder === digest);
      const folder = isThere ? `${digest}-${run.curves.updates}` : digest;
      cells.push({ run, group, folder, overview: await Overview.of(run.curves) });
    }
  return cells;
}

/** A line of the table of cells. */
function lineOf({ run, overview, folder }: Cell, name: string): string {
  const last = overview.evaluations().at(-1)?.success[0];
  const words = `"${name.replaceAll('"', '""')}"`;
  const { length } = overview;
  const steps = Math.round(overview.envSteps(length - 1));
  return [words, seedsOf(run.config)[0], length, steps, last ?? '', run.digests.all, folder].join();
}

/** The name that a sweep is offered under. */
export const nameOfSweep = async (title: string, first: Config): Promise<string> =>
  fileName(title, await configDigest(first), 'labsweep');

/** A sweep bundle and the name of its file. The files of one run after the other are made when it is their turn. */
export async function packSweep(sweep: SweepToPack, options: PackOptions = {}): Promise<Packed> {
  const { title, question, threshold, groups, site, at } = sweep;
  const cells = await cellsOf(groups);
  const lines = cells.map((cell) => lineOf(cell, groups[cell.group]!.name));
  const known = groupsOf(groups, cells);
  const first = groups[0]!.runs[0]!;
  const file: SweepFile = {
    ...{ title: title.slice(0, 120), threshold, createdAt: new Date(at).toISOString(), lab: LAB_VERSION },
    groups: groups.map(({ name }) => ({ name: name.slice(0, 300) })),
    cells: cells.map(({ folder, group, run }) => ({ folder, group, seed: seedsOf(run.config)[0]! })),
  };
  const name = await configDigest(first.config);
  const cited = { config: first.config, title, name, link: null, result: null, at };
  const own: BundleFile[] = [
    { name: 'sweep.json', data: writeSweepFile(file) },
    { name: 'cells.csv', data: `${['group,seed,updates,envSteps,evalSuccess,digest,cell', ...lines].join('\n')}\n` },
    { name: 'CITATION.cff', data: citationCff(cited) },
    { name: 'README.txt', data: README },
  ];
  if (known.length > 0) {
    const configs = known.map(({ group }) => group.runs[0]!.config);
    const score = usualScore(configs);
    const report = await reportOfComparison({
      ...{ title, question, threshold, site, at, configs, score },
      groups: scoredBy(
        known.map(({ members }) => members),
        score,
      ),
      environment: [
        ['trained on', [...new Set(groups.flatMap(({ runs }) => runs.map(({ adapter }) => adapter)))].join(', ')],
      ],
    });
    own.push(
      { name: 'report.html', data: reportHtml(report) },
      { name: 'comparison.md', data: reportMarkdown(report) },
      { name: 'comparison.csv', data: report.csv },
      ...report.figures.map((figure) => ({ name: `figures/${figure.name}`, data: figure.svg })),
    );
  }
  async function* files(): AsyncGenerator<BundleFile> {
    yield* own;
    for (const { run, overview, folder } of cells)
      for (const one of await filesOfRun(run, options, overview)) yield { ...one, name: `cells/${folder}/${one.name}` };
  }
  return { name: await nameOfSweep(title, first.config), archive: archiveOf(files(), new Date(at)) };
}
