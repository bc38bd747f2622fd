import { configDigest } from '../../config/digest.ts';
import { diffText } from '../../config/diff.ts';
import { linkFragment } from '../../config/link.ts';
import { defaultConfig } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { LAB_VERSION } from '../../core/version.ts';
import { compareGroups, profilesOf } from '../analysis/comparison.ts';
import { curvesFigure, improvementFigure, profilesFigure, TAUS } from '../analysis/comparisonFigures.ts';
import { comparisonCells, comparisonCsv, comparisonNotes, crossingNotes } from '../analysis/comparisonTable.ts';
import type { MemberGroup, ScoreKind } from '../analysis/strata.ts';
import { figuresOf } from '../bundle/figures.ts';
import { foreignOf, linkOfRun } from '../bundle/linkOfRun.ts';
import type { RunToPack } from '../bundle/runBundle.ts';
import { bibtexOf } from '../cite/cite.ts';
import { seedsOf } from '../runs/soFar.ts';
import { foreignWords } from '../runs/foreign.ts';
import { Overview, tableOf } from '../runs/inParts.ts';
import { episodesOf, summaryBy } from '../runs/summary.ts';
import type { Report } from './report.ts';

const three = (x: number | null): string => (x === null ? '–' : String(Number(x.toPrecision(3))));

/** A report on one run with its seeds. */
export async function reportOfRun(run: RunToPack, question = ''): Promise<Report> {
  const { config, curves, digests, title, at } = run;
  const seeds = seedsOf(config);
  const episodes = episodesOf(config);
  const name = await configDigest(config);
  const overview = await Overview.of(curves);
  const link = linkOfRun(run, overview);
  const caution = foreignWords(foreignOf(overview), link === null ? 'its experiment' : 'its link');
  const { numbers, length: updates } = overview;
  const rows = seeds.map((seed, s) => {
    const { successes, entropy, ess, evaluated } = summaryBy(numbers, episodes, updates, [s]);
    const last = evaluated === null ? null : evaluated / episodes;
    return [`${seed}`, three(successes.at(-1)! / episodes), three(last), three(entropy), three(ess)];
  });
  const columns = ['seed', 'training success', 'last evaluation', 'entropy (nats)', 'ESS/N'];
  return {
    title: title === '' ? `Experiment ${name}` : title,
    question,
    difference: [`Against the default experiment: ${diffText(defaultConfig(), config)}.`],
    figures: figuresOf(numbers, seeds),
    table: { columns, rows },
    notes: [
      `After ${updates} updates; training success is that of the last batch. Seeds are the unit.`,
      ...(caution === '' ? [] : [caution]),
    ],
    csv: () => tableOf(curves, overview, seeds, false),
    experiments: [{ label: title === '' ? 'The run' : title, name, result: digests.all, link }],
    environment: [
      ['trained on', run.adapter],
      ['backend', run.backend === 'cpu' ? 'CPU path' : 'WebGPU'],
      ['lab', `Horizon Lab ${run.lab}${run.commit === null ? '' : `, commit ${run.commit}`}`],
      ['date', new Date(at).toISOString().slice(0, 10)],
      ...(run.seconds === null ? [] : [['seconds', `${Math.round(run.seconds)}`] as const]),
    ],
    bibtex: bibtexOf({ config, title, name, link, result: digests.all, caution, version: run.lab, at }),
  };
}

/** A comparison that is to be reported: groups with the config of each, the first one as what the others are compared with. */
export type ToReport = {
  readonly title: string;
  readonly question: string;
  readonly groups: readonly MemberGroup[];
  /** in the order of the groups, with the first of their seeds */
  readonly configs: readonly Config[];
  readonly threshold: number;
  readonly score?: ScoreKind;
  readonly environment: Report['environment'];
  readonly site: string | null;
  readonly at: number;
  /** what more has to be known to read the table */
  readonly notes?: readonly string[];
};

/** A report on a comparison of groups. */
export async function reportOfComparison(asked: ToReport): Promise<Report> {
  const { title, question, groups, configs, threshold, score = 'lastTenth', site, at } = asked;
  const comparison = compareGroups(groups, threshold);
  const profiles = profilesOf(groups, TAUS);
  const [base] = configs;
  const experiments = await Promise.all(
    configs.map(async (config, k) => ({
      label: groups[k]?.name ?? `group ${k + 1}`,
      name: await configDigest(config),
      result: null,
      // without the address of a lab, what follows its address
      link: `${site ?? ''}${linkFragment({ config })}`,
    })),
  );
  const cited = {
    title,
    name: experiments[0]!.name,
    link: site === null ? null : experiments[0]!.link,
    result: null,
    at,
  };
  return {
    ...{ title: title === '' ? 'Comparison' : title, question },
    difference: [
      `${groups[0]!.name}, against the default experiment: ${diffText(defaultConfig(), base!)}.`,
      ...configs
        .slice(1)
        .map((config, k) => `${groups[k + 1]!.name}, against ${groups[0]!.name}: ${diffText(base!, config)}.`),
    ],
    figures: [
      { name: 'curves.svg', svg: curvesFigure(groups) },
      { name: 'profiles.svg', svg: profilesFigure(groups, profiles) },
      ...(groups.length > 1 ? [{ name: 'improvement.svg', svg: improvementFigure(comparison) }] : []),
    ],
    table: comparisonCells(comparison),
    notes: [...comparisonNotes(comparison, score), ...crossingNotes(profiles), ...(asked.notes ?? [])],
    csv: comparisonCsv(comparison),
    experiments,
    environment: [
      ...asked.environment,
      ['lab', `Horizon Lab ${LAB_VERSION}`],
      ['date', new Date(at).toISOString().slice(0, 10)],
    ],
    bibtex: bibtexOf({ config: base!, ...cited }),
  };
}
