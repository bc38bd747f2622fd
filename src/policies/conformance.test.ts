import { expect, test } from 'vitest';
import golden from './fixtures/gtrxl.json' with { type: 'json' };
import { checkPolicyCase, type PolicyCase } from './conformance.ts';

test.each((golden.cases as unknown as PolicyCase[]).map((c) => [c.name, c] as const))('golden case %s', (_name, c) => {
  const checks = checkPolicyCase(c, golden.tolerance);
  expect(checks.length).toBeGreaterThan(0);
  expect(checks.filter((check) => !check.passed)).toEqual([]);
});
