import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = dirname(import.meta.dirname);
const PAGES = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).map((file) => `docs/${file}`)].filter(
  (file) => file.endsWith('.md'),
);
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const FOLDERS = /^(src|docs|e2e|bench|scripts|public)\//;

/** Files that a page tells to write: “Save this as `path`”. */
const written = (page: string): string[] =>
  [...read(page).matchAll(/Save this as\s+`([^`]+)`/g)].map(([, path]) => path!);

/** Paths in backquotes, without those that hold a placeholder. */
const named = (page: string): string[] =>
  [...read(page).matchAll(/`([\w./-]+)`/g)].map(([, path]) => path!).filter((path) => FOLDERS.test(path));

test.each(PAGES)('%s names no file and no folder that is not there', (page) => {
  const own = written(page);
  expect(named(page).filter((path) => !own.includes(path) && !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(PAGES)('every link of %s leads to a file of the project', (page) => {
  const targets = [...read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
  const local = targets.filter((target) => !/^[a-z]+:/.test(target));
  expect(local.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
});

/** The steps of the sections of a page that show a way, by title. */
function ways(text: string): [title: string, steps: readonly string[]][] {
  return text
    .split(/^### /m)
    .filter((section) => section.startsWith('The path of one '))
    .map((section) => {
      const [title, ...rest] = section.split(/^#/m)[0]!.split('\n');
      return [title!, rest.filter((line) => /^\d+\. /.test(line))];
    });
}

test('the architecture shows the way of a reward, a γ and a metric in ten steps each', () => {
  const found = ways(read('docs/architecture.md'));
  expect(found.map(([title, steps]) => [title, steps.length])).toEqual([
    ['The path of one reward: `pbrs`', 10],
    ['The path of one γ: `advantage.gae.gamma`', 10],
    ['The path of one metric: `clipFraction`', 10],
    ['The path of one coefficient under control: β', 0],
  ]);
});
