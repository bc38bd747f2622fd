import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Where the page finds it; `ui/HelpDialog.tsx` leads there. */
export const NOTICES = 'third-party.txt';

/** What somebody else wrote: its name, its license in a word, and the words that have to go with it. */
export type Notice = { readonly name: string; readonly license: string; readonly text: string };

/** Packages that forgot the file, and one of the same author under the same license that did not. */
const TEXT_OF: Readonly<Record<string, string>> = { 'react-remove-scroll-bar': 'react-remove-scroll' };

/** What the tools put into a bundle under names that no file has. */
const TOOLS: readonly [RegExp, string][] = [
  [/^\0.*vite\//, 'vite'],
  [/^\0.*rolldown/, 'rolldown'],
];

/** From here on a build tool lists what itself is made of; none of that gets into a site. */
const OF_TOOL = /^#+ Licenses of bundled dependencies$/m;

/** Folder of the package that a module belongs to, or null for our own. */
function packageOf(root: string, id: string): string | null {
  const tool = TOOLS.find(([pattern]) => pattern.test(id));
  if (tool) return join(root, 'node_modules', tool[1]);
  const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id.replace(/^\0+/, '')) ?? [];
  return folder ?? null;
}

/** License and notice files of a folder, one after the other; '' where it has none. */
function wordsIn(folder: string): string {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|notice|copying|copyright)/i.test(entry.name))
    .map(({ name }) => name)
    .sort();
  return names.map((name) => readFileSync(join(folder, name), 'utf8').split(OF_TOOL)[0]!.trim()).join('\n\n');
}

function noticeOf(root: string, folder: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const other = Object.hasOwn(TEXT_OF, name) ? TEXT_OF[name]! : null;
  const text = wordsIn(other === null ? folder : join(root, 'node_modules', other));
  if (text === '' || license === undefined)
    throw new Error(
      `The package ${name} is part of the site and has no license text; scripts/lib/notices.ts must know one.`,
    );
  return { name: `${name} ${version}`, license, text };
}

/** Notices of everything that others wrote among the modules of a build: packages, and folders of data with a license. */
export function noticesOf(root: string, modules: Iterable<string>): Notice[] {
  const packages = new Set<string>();
  const data = new Set<string>();
  for (const id of modules) {
    const folder = packageOf(root, id);
    if (folder !== null) packages.add(folder);
    else if (existsSync(join(dirname(id), 'LICENSE')) && dirname(id) !== root) data.add(dirname(id));
  }
  const found = [...packages].map((folder) => noticeOf(root, folder));
  for (const folder of data) {
    const about = readFileSync(join(folder, 'README.md'), 'utf8').trim();
    found.push({ name: basename(folder), license: 'see below', text: `${about}\n\n${wordsIn(folder)}` });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The file as text; packages with the same words share them. */
export function noticesText(notices: readonly Notice[]): string {
  const byText = new Map<string, Notice[]>();
  for (const notice of notices) byText.set(notice.text, [...(byText.get(notice.text) ?? []), notice]);
  const parts = [...byText].map(
    ([text, of]) =>
      `${'-'.repeat(80)}\n${of.map(({ name, license }) => `${name} (${license})`).join('\n')}\n\n${text}\n`,
  );
  const head =
    'Horizon Lab is licensed under the Apache License 2.0. Parts of this site were written by others; their notices and\n' +
    'licenses follow.\n';
  return [head, ...parts].join('\n');
}

/**
 * Writes the notices of what a build really holds, and fails where a license has no text.
 * @returns a plugin for the page, which writes them, and one for its workers, which are built before
 */
export function notices(root: string): { page: Plugin; worker: () => Plugin } {
  const modules = new Set<string>();
  const collect = (bundle: Readonly<Record<string, { type: string; moduleIds?: readonly string[] }>>): void => {
    for (const chunk of Object.values(bundle)) for (const id of chunk.moduleIds ?? []) modules.add(id.split('?')[0]!);
  };
  return {
    worker: () => ({
      name: 'notices-of-workers',
      apply: 'build',
      generateBundle: (_options, bundle) => collect(bundle),
    }),
    page: {
      name: 'notices',
      apply: 'build',
      generateBundle(_options, bundle) {
        collect(bundle);
        this.emitFile({ type: 'asset', fileName: NOTICES, source: noticesText(noticesOf(root, modules)) });
      },
    },
  };
}
