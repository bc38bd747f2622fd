import { configDigest } from '../../config/digest.ts';
import { LAB_VERSION } from '../../core/version.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import type { MemberGroup } from '../analysis/strata.ts';
import { citationCff } from '../cite/cite.ts';
import { reportHtml, reportMarkdown } from '../report/report.ts';
import { scoredBy } from '../analysis/strata.ts';
import { usualScore } from '../analysis/usualScore.ts';
import { reportOfComparison } from '../report/makeReport.ts';
import { measuredOf, seedsOf, seriesOf } from '../runs/soFar.ts';
import { fileName, filesOfRun, type PackOptions, type RunToPack } from './runBundle.ts';
import { writeSweepFile, type SweepFile } from './sweepFile.ts';
import { writeZip, type BundleFile } from './zip.ts';

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

/** What a comparison reads of a run. */
function memberOf({ config, curves }: RunToPack): MemberGroup['members'][number] {
  const { score, envSteps, evaluations } = measuredOf(seriesOf(curves.part));
  return { seed: seedsOf(config)[0]!, score: score ?? 0, envSteps, evaluations };
}

/** Groups as a comparison takes them; runs that were never evaluated have no score and do not count. */
function groupsOf(groups: readonly GroupToPack[]): { readonly group: GroupToPack; readonly members: MemberGroup }[] {
  return groups.flatMap((group) => {
    const members = group.runs.map(memberOf).filter(({ evaluations }) => evaluations.success.length > 0);
    return members.length > 0 ? [{ group, members: { name: group.name, members } }] : [];
  });
}

/** A sweep bundle and the name of its file. */
export async function packSweep(
  sweep: SweepToPack,
  options: PackOptions = {},
): Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const { title, question, threshold, groups, site, at } = sweep;
  const cells: { folder: string; group: number; seed: number }[] = [];
  const files: BundleFile[] = [];
  const lines = ['group,seed,updates,envSteps,evalSuccess,digest,cell'];
  for (const [group, { name, runs }] of groups.entries()) {
    for (const run of runs) {
      const { config, curves, digests } = run;
      const updates = curves.part.steps.length;
      // runs of different lengths of one experiment have their updates behind the name
      const digest = await configDigest(config);
      const folder = cells.some((cell) => cell.folder === digest) ? `${digest}-${updates}` : digest;
      cells.push({ folder, group, seed: seedsOf(config)[0]! });
      for (const file of await filesOfRun(run, options)) files.push({ ...file, name: `cells/${folder}/${file.name}` });
      const last = seriesOf(curves.part).last(0, metricIndex.evalSuccess);
      const words = `"${name.replaceAll('"', '""')}"`;
      const steps = Math.round(curves.part.steps.at(-1)!);
      lines.push(
        [words, seedsOf(config)[0], updates, steps, Number.isNaN(last) ? '' : last, digests.all, folder].join(),
      );
    }
  }
  const known = groupsOf(groups);
  const first = groups[0]!.runs[0]!;
  const file: SweepFile = {
    ...{ title: title.slice(0, 120), threshold, createdAt: new Date(at).toISOString(), lab: LAB_VERSION },
    groups: groups.map(({ name }) => ({ name: name.slice(0, 300) })),
    cells,
  };
  const name = await configDigest(first.config);
  const cited = { config: first.config, title, name, link: null, result: null, at };
  const own: BundleFile[] = [
    { name: 'sweep.json', data: writeSweepFile(file) },
    { name: 'cells.csv', data: `${lines.join('\n')}\n` },
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
  return { name: fileName(title, name, 'labsweep'), bytes: await writeZip([...own, ...files], new Date(at)) };
}
