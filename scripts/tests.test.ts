import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** The one file that measures time: what the page promises in seconds. */
const TIMED = 'e2e/timed.spec.ts';

const files = ['src', 'scripts', 'bench', 'e2e'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(test|spec)\.tsx?$|^e2e\/\w+\.ts$/.test(path) && path !== 'scripts/tests.test.ts'),
);

/**
 * What a test must not do. A loop that tries until it is fast enough has to read a clock, and one that tries until it passes has
 * to catch what failed or to leave by a retry of its runner; waiting for a state is none of these.
 */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['reads a clock', /\b(?:performance\.now|Date\.now|new Date\(\)|process\.hrtime|console\.time)\b/],
  ['sleeps', /\bwaitForTimeout\b|\bsetTimeout\([^;]*?,\s*(?:[1-9]|\w+\()/],
  ['tries again', /\bretr(?:y|ies):\s*[1-9]|\.toPass\(|\.retry\(|\bconfigure\(\{[^}]*retries/],
  ['loops over what it catches', /\b(?:for|while) \([^{]*\{\s*try\b/],
];

function sins(code: string): string[] {
  const hasFakeClock = code.includes('useFakeTimers');
  return FORBIDDEN.filter(([what, pattern]) => pattern.test(code) && !(hasFakeClock && what === 'sleeps')).map(
    ([what]) => what,
  );
}

describe('no test tries again, sleeps or reads a clock', () => {
  test('in any file of tests, but for what the page promises in seconds', () => {
    expect(files.length).toBeGreaterThan(200);
    const found = files.flatMap((path) => sins(readFileSync(join(ROOT, path), 'utf8')).map((sin) => `${path} ${sin}`));
    expect(found).toEqual([`${TIMED} reads a clock`]);
  });

  test('there each promise is measured once: the clock is read before and after, outside of any loop', () => {
    const code = readFileSync(join(ROOT, TIMED), 'utf8');
    expect(code).not.toMatch(/\b(?:for|while) \([^{]*(?:Date|performance|\bmost\b|\bleast\b)/);
    expect(code).not.toMatch(/_MS \*|\* \w+_MS/);
  });

  test.each([
    ['reads a clock', 'for (let k = 0; k < 10 && ms >= 1000; k++) {\n const from = performance.now();\n}'],
    ['reads a clock', 'const fastest = Math.min(...times.map(() => Date.now()));'],
    ['sleeps', 'await new Promise((later) => setTimeout(later, 100));'],
    ['sleeps', 'await page.waitForTimeout(50);'],
    ['tries again', 'test("x", { retry: 2 }, () => {});'],
    ['tries again', 'await expect(async () => {}).toPass();'],
    ['loops over what it catches', 'for (let k = 0; k < 3; k++) {\n  try {\n    await attempt();\n  } catch {}\n}'],
  ])('this check sees a test that %s', (sin, code) => {
    expect(sins(code)).toEqual([sin]);
  });

  test.each([
    'await new Promise((resolve) => setTimeout(resolve));',
    'while (run.update < updates) await run.submit();',
    'await expect.poll(() => lab.state()).toBe(3);',
    'vi.useFakeTimers();\nsetTimeout(done, msOf(names));',
  ])('and nothing wrong in: %s', (code) => {
    expect(sins(code)).toEqual([]);
  });
});
