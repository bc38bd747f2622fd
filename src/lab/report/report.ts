import { escaped } from '../analysis/plot.ts';
import type { BundleFile } from '../bundle/archive.ts';

/** A table of texts. */
export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
/** An experiment of the report. */
export type Named = {
  readonly label: string;
  /** short name: digest of its config */
  readonly name: string;
  /** exact digest of its result, where there is one */
  readonly result: string | null;
  readonly link: string | null;
};

/** One page on a run or a comparison: HTML, Markdown, CSV and figures are all made of this. */
export type Report = {
  readonly title: string;
  /** what was asked; empty: nobody said */
  readonly question: string;
  /** what sets the experiments apart, in words */
  readonly difference: readonly string[];
  readonly figures: readonly { readonly name: string; readonly svg: string }[];
  readonly table: Table;
  /** what has to be known to read the table */
  readonly notes: readonly string[];
  /** every number of the table in full */
  readonly csv: BundleFile['data'];
  readonly experiments: readonly Named[];
  readonly environment: readonly (readonly [label: string, value: string])[];
  readonly bibtex: string;
};

const STYLE = `
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.1rem; margin: 1.6rem 0 0.4rem; }
p, li { overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.85rem; }
th, td { text-align: left; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid #bbb; vertical-align: top; }
figure { margin: 0.5rem 0; } .figures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
svg { width: 100%; height: auto; } code, pre { font: 0.8rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
a { color: #0b5394; }
@media print { body { margin: 0; max-width: none; font-size: 9pt; } h2 { margin: 0.8rem 0 0.2rem; } h2, figure, tr { break-inside: avoid; }
  .figures { grid-template-columns: 1fr 1fr; gap: 0.4rem; } a { color: inherit; } }`;

const isAddress = (link: string): boolean => /^https?:\/\/[^\s"'<>]+$/.test(link);
const lines = (items: readonly string[]): string => items.map((item) => `<p>${escaped(item)}</p>`).join('\n');

function tableHtml({ columns, rows }: Table): string {
  const head = columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`);
  return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

function experimentHtml({ label, name, result, link }: Named): string {
  const digest = result === null ? '' : `, result <code>${escaped(result)}</code>`;
  const way =
    link === null
      ? ''
      : isAddress(link)
        ? `: <a href="${escaped(link)}">open it in the lab</a>`
        : `: <code>${escaped(link)}</code>`;
  return `<li>${escaped(label)}: experiment <code>${escaped(name)}</code>${digest}${way}</li>`;
}

/** A page of its own that needs nothing else; all texts are shown as texts. */
export function reportHtml(report: Report): string {
  const { title, question, difference, figures, table, notes, experiments, environment, bibtex } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${question === '' ? '' : `<p><strong>Question:</strong> ${escaped(question)}</p>`}
<h2>What differs</h2>
${lines(difference)}
<h2>Results</h2>
${tableHtml(table)}
<p>${escaped(notes.join(' '))}</p>
<h2>Figures</h2>
<div class="figures">
${figures.map(({ svg }) => `<figure>${svg}</figure>`).join('\n')}
</div>
<h2>Experiments</h2>
<ul>
${experiments.map(experimentHtml).join('\n')}
</ul>
<h2>Environment</h2>
${tableHtml({ columns: ['what', 'value'], rows: environment })}
<h2>How to cite</h2>
<pre>${escaped(bibtex)}</pre>
</main>
</body>
</html>
`;
}

/** A text that means nothing in Markdown, on one line. */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#!~]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`));

const tableText = ({ columns, rows }: Table): string =>
  [columns, columns.map(() => '---'), ...rows.map((row) => row.map(plain))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** The same in Markdown; figures are files beside it. */
export function reportMarkdown(report: Report): string {
  const { title, question, difference, figures, table, notes, experiments, environment, bibtex } = report;
  const listed = experiments.map(
    ({ label, name, result, link }) =>
      `- ${plain(label)}: experiment \`${name}\`${result === null ? '' : `, result \`${result}\``}${link !== null && isAddress(link) ? `, <${link}>` : ''}`,
  );
  return `${[
    `# ${plain(title)}`,
    ...(question === '' ? [] : [`**Question:** ${plain(question)}`]),
    '## What differs',
    ...difference.map(plain),
    '## Results',
    tableText(table),
    plain(notes.join(' ')),
    '## Figures',
    ...figures.map(({ name }) => `![${name.replace(/\.svg$/, '')}](figures/${name})`),
    '## Experiments',
    listed.join('\n'),
    '## Environment',
    tableText({ columns: ['what', 'value'], rows: environment }),
    '## How to cite',
    // four quotes: no text inside can close them
    `\`\`\`\`bibtex\n${bibtex.replaceAll('````', '').trimEnd()}\n\`\`\`\``,
  ].join('\n\n')}\n`;
}

/** All forms of a report in one action. */
export function filesOfReport(report: Report): BundleFile[] {
  return [
    { name: 'report.html', data: reportHtml(report) },
    { name: 'report.md', data: reportMarkdown(report) },
    { name: 'report.csv', data: report.csv },
    ...report.figures.map(({ name, svg }) => ({ name: `figures/${name}`, data: svg })),
  ];
}
