import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkSizes } from '../sizes.mjs';
import { LATE, ROOT, tool } from './process.mjs';

/**
 * One runner of the test suite: `run` resolves to { passed, failed, skipped }.
 * Counts come from machine-readable reports, never from the text that a runner prints for people.
 */

const MINUTE = 60_000;
/** Limits only end what hangs: a machine may be slow, or busy with much else. */
const GUARD = 15 * MINUTE;
const LONG_GUARD = 60 * MINUTE;
const CACHE = join(ROOT, '.cache');
const one = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/** TypeScript over the whole project; a check that saw no file of ours is a failure. */
export const types = {
  name: 'types',
  async run() {
    const { code, output } = await tool('tsc', ['--noEmit', '-p', '.', '--listFiles', '--pretty', 'false'], {
      show: false,
      timeoutMs: GUARD,
    });
    const lines = output.split(/\r?\n/);
    const errors = lines.filter((line) => /error TS\d+/.test(line));
    if (errors.length > 0) console.log(errors.join('\n'));
    else if (code !== 0) console.log(output);
    const seen = lines.filter((line) => /[\\/]src[\\/].+\.tsx?$/.test(line) && !line.includes('node_modules')).length;
    return one(code === 0 && seen > 0);
  },
};

/** oxlint with type information; warnings count as errors. */
export const lint = {
  name: 'lint',
  async run() {
    const { code, output } = await tool('oxlint', ['--deny-warnings', '--format', 'json'], {
      show: false,
      timeoutMs: GUARD,
    });
    const report = parseObject(output);
    for (const { filename, message, code: rule, labels } of report?.diagnostics ?? []) {
      const at = labels?.[0]?.span;
      console.log(`${filename}${at ? `:${at.line}:${at.column}` : ''} ${rule} ${message}`);
    }
    if (!report) console.log(output);
    return one(code === 0 && (report?.number_of_files ?? 0) > 0);
  },
};

/** Formatting of everything prettier knows; .prettierignore lists what it leaves alone. */
export const format = {
  name: 'format',
  async run() {
    const { code } = await tool('prettier', ['--check', '--log-level', 'warn', '.'], { timeoutMs: GUARD });
    return one(code === 0);
  },
};

/** Vitest projects, optionally only some of their files; `isBeside`: what it prints comes at its end, as another step prints meanwhile. */
export const vitest = (name, projects, { files = [], isBeside = false } = {}) => ({
  name,
  async run() {
    const report = freshReport(`${name.replaceAll(' ', '-')}.json`);
    const of = projects.flatMap((project) => ['--project', project]);
    const args = ['run', ...of, '--reporter=default', '--reporter=json', `--outputFile=${report}`];
    const { code, output } = await tool('vitest', [...args, ...files], { timeoutMs: LONG_GUARD, show: !isBeside });
    if (isBeside) console.log(`\n── ${name}\n${output}`);
    const read = readReport(report);
    return { ...countVitest(read, code), failures: [...late(name, code), ...failuresOfVitest(read)] };
  },
});

/** A step that took longer than anything that does not hang, named. */
const late = (name, code) => (code === LATE ? [`${name}: ended after ${LONG_GUARD / MINUTE} minutes`] : []);

/** Passed, failed and skipped tests of a vitest report. A file that did not load counts as one failure. */
export function countVitest(report, code) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0).length;
  return settle(
    report.numPassedTests,
    report.numFailedTests + broken,
    report.numPendingTests + report.numTodoTests,
    code,
  );
}

/** What failed in a vitest report, each test with its file and why. */
export function failuresOfVitest(report) {
  const nameOf = (file) => relative(ROOT, file).replaceAll('\\', '/');
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0)
      return failed.map(({ fullName, failureMessages }) => `${nameOf(name)}: ${fullName}${why(failureMessages?.[0])}`);
    return status === 'failed' && assertionResults.length === 0 ? [`${nameOf(name)} did not load${why(message)}`] : [];
  });
}

/** Terminal colors of a message. */
// oxlint-disable-next-line no-control-regex -- they begin with a control character
const COLORS = /\u001B\[[\d;]*m/g;

/** The cause as one line, without colors and the places in the code; what a machine prints last may be all that is kept of it. */
function why(message) {
  const [text] = (message ?? '').replace(COLORS, '').split(/\n\s+at /);
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : ` (${line.length > 600 ? `${line.slice(0, 600)} …` : line})`;
}

/** The production site. */
export const build = {
  name: 'build',
  async run() {
    const { code } = await tool('vite', ['build', '--logLevel', 'warn'], { timeoutMs: GUARD });
    return one(code === 0 && existsSync(join(ROOT, 'dist', 'index.html')));
  },
};

/** Budgets of the built site, one check per budget. */
export const sizes = {
  name: 'sizes',
  async run() {
    return checkSizes();
  },
};

/** Playwright against the built site. */
export const e2e = {
  name: 'end to end',
  async run() {
    const report = freshReport('e2e.json');
    const { code } = await tool('playwright', ['test', '--reporter=list,json'], {
      timeoutMs: LONG_GUARD,
      env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    });
    const read = readReport(report);
    return { ...countPlaywright(read, code), failures: [...late(this.name, code), ...failuresOfPlaywright(read)] };
  },
};

/** Passed, failed and skipped tests of a Playwright report. A test that only passed on a retry is a failure. */
export function countPlaywright(report, code) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return settle(expected, unexpected + flaky + (report.errors?.length ?? 0), skipped, code);
}

/** What failed in a Playwright report, or passed only on a retry, each test with its place and why. */
export function failuresOfPlaywright(report) {
  const within = ({ suites = [], specs = [] }) => [
    ...specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky')),
    ...suites.flatMap(within),
  ];
  const cause = ({ results = [] }) => results.find(({ error }) => error)?.error.message;
  return within(report ?? {}).map(
    ({ file, line, title, tests }) => `e2e/${file}:${line} ${title}${why(tests.map(cause).find(Boolean))}`,
  );
}

/** A runner that executed nothing, or ended badly without naming a failure, has one failure. */
function settle(passed, failed, skipped, code) {
  if (failed === 0 && (code !== 0 || passed === 0)) return { passed, failed: 1, skipped };
  return { passed, failed, skipped };
}

function freshReport(name) {
  mkdirSync(CACHE, { recursive: true });
  const file = join(CACHE, name);
  rmSync(file, { force: true });
  return file;
}

function readReport(file) {
  return existsSync(file) ? parseObject(readFileSync(file, 'utf8')) : null;
}

function parseObject(text) {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}
