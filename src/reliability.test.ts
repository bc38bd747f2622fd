import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = dirname(import.meta.dirname);

/** One row of the table in docs/reliability.md. */
type Fault = {
  readonly number: number;
  readonly words: string;
  readonly promise: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  readonly rest: string;
  readonly state: string;
};

/** The rows of the table; `rest` is what stands in the column of tests beside `file` “title”. */
function faultsOf(text: string): Fault[] {
  const rows = text.split('\n').filter((line) => /^\|\s*\d+\s*\|/.test(line));
  return rows.map((row) => {
    const [number, words, promise, tests, state] = row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const named = /`([^`]+)` “([^”]+)”/g;
    return {
      number: Number(number),
      words: words!,
      promise: promise!,
      tests: [...tests!.matchAll(named)].map(([, file, title]) => ({ file: file!, title: title! })),
      rest: tests!.replace(named, '').replaceAll(/[;\s]/g, ''),
      state: state!,
    };
  });
}

const faults = faultsOf(readFileSync(join(ROOT, 'docs', 'reliability.md'), 'utf8'));

test('38 faults are listed, in order, each with a promise and a state', () => {
  expect(faults.map(({ number }) => number)).toEqual(Array.from({ length: 38 }, (_, k) => k + 1));
  for (const { number, words, promise, rest, state } of faults) {
    expect([words, promise], `${number}`).not.toContain('');
    expect(['held', 'partly', 'open', 'later'], `${number}`).toContain(state);
    expect(rest, `${number}: the column of tests holds \`file\` “title” and nothing else`).toBe('');
  }
});

test('every test that the table of faults names is there, and a fault that is held names one', () => {
  for (const { number, tests, state } of faults) {
    if (state === 'held' || state === 'partly') expect(tests, `${number}`).not.toEqual([]);
    for (const { file, title } of tests) {
      expect(existsSync(join(ROOT, file)), `${number}: ${file}`).toBe(true);
      const code = readFileSync(join(ROOT, file), 'utf8');
      expect(code, `${number}: ${file} “${title}”`).toMatch(titled(title));
    }
  }
});

/** A test of this name, or a step of one, whatever quotes it stands in. */
function titled(title: string): RegExp {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\btest(?:\\.step|\\.each\\([\\s\\S]*?\\))?\\(\\s*(['"\`])${escaped}\\1`);
}

test('the check of the table notices a title that is nobody’s', () => {
  expect(`test('there is such a test', () => {`).toMatch(titled('there is such a test'));
  expect(`test(\n  "there is such a test",`).toMatch(titled('there is such a test'));
  expect(`await test.step('there is such a test', async () => {`).toMatch(titled('there is such a test'));
  expect(`// there is such a test`).not.toMatch(titled('there is such a test'));
  expect(`test('there is such a test, too', () => {`).not.toMatch(titled('there is such a test'));
  const [row] = faultsOf('| 3   | a fault | a promise | `a.test.ts` “one”; `b.spec.ts` “two”; else | held |');
  expect(row).toMatchObject({ number: 3, rest: 'else', state: 'held' });
  expect(row!.tests.map(({ title }) => title)).toEqual(['one', 'two']);
});
