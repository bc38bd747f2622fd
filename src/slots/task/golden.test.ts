import { expect, test } from 'vitest';
import checkpoints from '../fixtures/checkpointTree.json' with { type: 'json' };
import proposer from '../fixtures/proposerReward.json' with { type: 'json' };
import scaler from '../fixtures/scalerTrace.json' with { type: 'json' };
import { checkTaskCase } from './conformance.ts';

const CASES = [...scaler.cases, ...checkpoints.cases, ...proposer.cases] as unknown as Parameters<
  typeof checkTaskCase
>[0][];

test.each(CASES.map((c) => [(c as unknown as { name: string }).name, c] as const))(
  'the golden values of %s come out',
  (_name, c) => {
    const checks = checkTaskCase(c, scaler.tolerance);
    expect(checks.length).toBe(Object.keys(c.expected).length);
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  },
);
