import type { Source } from '../../contract/module.ts';
import { actingIn } from '../../config/schema.ts';
import { slots, type Config } from '../../config/slots.ts';
import { sourceOf } from '../../config/words/wordsOf.ts';
import { LAB_VERSION } from '../../core/version.ts';

/** The lab itself, as CITATION.cff of the repository says it. */
export const LAB = {
  title: 'Horizon Lab: see, test and share how agents learn over long horizons',
  authors: 'The Horizon Lab authors',
  license: 'Apache-2.0',
} as const;

/** An experiment that is to be cited. */
export type Cited = {
  readonly config: Config;
  /** the person's title; empty: called by its name */
  readonly title: string;
  /** short name of the experiment: digest of its config */
  readonly name: string;
  readonly link: string | null;
  /** exact digest of its result */
  readonly result: string | null;
  /** a sentence on what the link does not repeat; empty or absent: it repeats all */
  readonly caution?: string;
  readonly version?: string;
  /** milliseconds since 1970 */
  readonly at: number;
};

/** Papers of the modules that act in a config, in the order of the slots; each once. */
export function papersOf(config: Config): Source[] {
  const found = slots.flatMap((slot) =>
    actingIn(config, slot).flatMap(({ module }) => (module.source ? sourceOf(module.source) : [])),
  );
  const key = ({ title, arxiv }: Source): string => arxiv ?? title;
  return found.filter((paper, k) => found.findIndex((other) => key(other) === key(paper)) === k);
}

/** A text in the double quotes of YAML: JSON is YAML, and its escapes are those of YAML. */
const quoted = (text: string): string => JSON.stringify(text.replace(/[\u007f-\u009f\u2028\u2029]/g, ' '));

/** The year of a paper by its arXiv number, such as 2505.10978. */
function yearOf({ arxiv }: Source): string | null {
  const year = /^(\d\d)\d\d\./.exec(arxiv ?? '')?.[1];
  return year === undefined ? null : `20${year}`;
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const titleOf = ({ title, name }: Cited): string => (title === '' ? `Experiment ${name} of Horizon Lab` : title);

/** CITATION.cff of an experiment: what it is, the lab that made it, and the papers of its methods. */
export function citationCff(cited: Cited): string {
  const { config, name, link, result, caution, version = LAB_VERSION, at } = cited;
  const papers = papersOf(config).flatMap((paper) => {
    const year = yearOf(paper);
    return [
      '  - type: article',
      `    title: ${quoted(paper.title)}`,
      '    authors:',
      `      - name: ${quoted(paper.arxiv ? `The authors of arXiv:${paper.arxiv}` : 'See the paper')}`,
      ...(paper.arxiv ? [`    url: https://arxiv.org/abs/${paper.arxiv}`] : []),
      ...(year ? [`    year: ${year}`] : []),
    ];
  });
  return `${[
    'cff-version: 1.2.0',
    'message: If you use this experiment, please cite it, the lab, and the papers of its methods.',
    `title: ${quoted(titleOf(cited))}`,
    ...(caution ? [`abstract: ${quoted(caution)}`] : []),
    'type: dataset',
    'authors:',
    '  - name: The authors of this experiment',
    `version: ${quoted(result === null ? name : `${name}, result ${result.slice(0, 12)}`)}`,
    `date-released: ${day(at)}`,
    ...(link === null ? [] : [`url: ${quoted(link)}`]),
    'references:',
    '  - type: software',
    `    title: ${quoted(LAB.title)}`,
    '    authors:',
    `      - name: ${LAB.authors}`,
    `    version: ${version}`,
    `    license: ${LAB.license}`,
    ...papers,
  ].join('\n')}\n`;
}

/** A text as BibTeX takes it: what has a meaning there is written so that it has none. */
const escaped = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/\\/g, '\\textbackslash ')
    .replace(/[&%$#_{}]/g, '\\$&')
    .replace(/~/g, '\\textasciitilde ')
    .replace(/\^/g, '\\textasciicircum ');

type Entry = readonly [type: string, key: string, fields: Readonly<Record<string, string>>];

function written([type, key, fields]: Entry): string {
  const lines = Object.entries(fields).map(([field, value]) => `  ${field} = {${value}},`);
  return `@${type}{${key},\n${lines.join('\n')}\n}\n`;
}

/** A paper as its module's record names it: no author and no year that the record does not hold. */
function entryOf(paper: Source, k: number): Entry {
  const { title, arxiv } = paper;
  const year = yearOf(paper);
  return [
    'article',
    arxiv ? `arxiv-${arxiv}` : `paper-${k + 1}`,
    {
      title: `{${escaped(title)}}`,
      ...(arxiv ? { journal: `arXiv preprint arXiv:${arxiv}`, eprint: arxiv, archiveprefix: 'arXiv' } : {}),
      ...(year ? { year } : {}),
    },
  ];
}

/** BibTeX of the lab, of an experiment, and of the papers of its methods, each by itself. */
export function bibtexParts(cited: Cited): { readonly [part in 'lab' | 'experiment' | 'papers']: string } {
  const { config, name, link, result, caution, version = LAB_VERSION, at } = cited;
  const year = day(at).slice(0, 4);
  const lab = { title: `{${escaped(LAB.title)}}`, author: `{${LAB.authors}}`, version, year };
  const experiment = {
    title: `{${escaped(titleOf(cited))}}`,
    note: escaped(
      `Experiment ${name}${result === null ? '' : `, result ${result.slice(0, 12)}`}, Horizon Lab ${version}${caution ? `. ${caution}` : ''}`,
    ),
    ...(link === null ? {} : { howpublished: `\\url{${link.replace(/[{}\\\s]/g, '')}}` }),
    year,
  };
  return {
    lab: written(['software', 'horizonlab', lab]),
    experiment: written(['misc', `experiment-${name}`, experiment]),
    papers: papersOf(config)
      .map((paper, k) => written(entryOf(paper, k)))
      .join('\n'),
  };
}

/** BibTeX entries of the lab, the experiment and the papers of its methods. */
export function bibtexOf(cited: Cited): string {
  const { lab, experiment, papers } = bibtexParts(cited);
  return [lab, experiment, ...(papers === '' ? [] : [papers])].join('\n');
}
