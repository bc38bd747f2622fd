import { expect, test } from 'vitest';
import golden from './fixtures/gtrxl.json' with { type: 'json' };
import memo from './fixtures/memo.json' with { type: 'json' };
import { blockOfSteps, checkPolicyCase, type PolicyCase } from './conformance.ts';

const cases = golden.cases as unknown as PolicyCase[];
const blocks = cases.filter((c) => c.kind === 'gtrxlBlock');
const check = (c: PolicyCase) => checkPolicyCase(c, golden.tolerance);

test.each(cases.map((c) => [c.name, c] as const))(
  'golden case %s agrees with what trains, which has no memory between segments',
  (_name, c) => {
    const checks = check(c);
    expect(checks.length).toBeGreaterThan(0);
    for (const { key, built, passed } of checks) {
      const isKept = key !== 'gtrxlBlock.nextMemory';
      expect({ key, built, passed }).toEqual({ key, built: isKept, passed: isKept });
    }
  },
);

test('the gate that is a plain sum is known as residual', () => {
  const c = cases.find(({ kind }) => kind === 'gtrxlGate')!;
  const { x, y } = c.inputs as { readonly x: readonly number[]; readonly y: readonly number[] };
  const residual = x.map((v, k) => v + y[k]!);
  expect(check({ ...c, expected: { residual } })).toMatchObject([{ key: 'gtrxlGate.residual', passed: true }]);
  expect(check({ ...c, expected: { residual: y } })).toMatchObject([{ built: true, passed: false }]);
});

test('a block that training does not have is not built, by name; oldest slots may be empty', () => {
  const [c] = blocks;
  const named = (params: object, inputs: object = {}) =>
    check({ ...c!, params: { ...c!.params, ...params }, inputs: { ...c!.inputs, ...inputs } } as PolicyCase);
  const unbuilt = (key: string) => [{ key, built: false, passed: false }];
  expect(named({ gate: 'residual' })).toMatchObject(unbuilt('gtrxlBlock with the gate residual'));
  expect(named({ gate: 'constructor' })).toMatchObject(unbuilt('gtrxlBlock with the gate constructor'));
  expect(named({}, { memoryValid: [1, 0, 1] })).toMatchObject(unbuilt('gtrxlBlock with a hole in the memory'));
  expect(named({ segment: 33 })).toMatchObject(unbuilt('gtrxlBlock with a segment of more than 32'));
  const without = named({}, { memoryValid: [0, 1, 1] });
  expect(without.filter(({ built }) => built).map(({ passed }) => passed)).toEqual([false, false]);
});

test.each(blocks.map((c) => [c.name, c] as const))(
  'golden case %s agrees with the network that remembers steps: its memory are the steps before the segment',
  (_name, c) => {
    const got = blockOfSteps(c)!;
    const { abs, rel } = golden.tolerance;
    const want = c.expected['output']!;
    expect(got).toHaveLength(want.length);
    want.forEach((w, k) => expect(Math.abs(got[k]! - w)).toBeLessThanOrEqual(abs + rel * Math.abs(w)));
    // what stands in the memory counts
    const other = { ...c, inputs: { ...c.inputs, memoryValid: [0, 0, 0] } };
    expect(Math.abs(blockOfSteps(other)![0]! - want[0]!)).toBeGreaterThan(1e-3);
  },
);

test.each(['gru', 'output', 'highway', 'sigtanh', 'input'].flatMap((gate) => [[gate, 1] as const, [gate, 0] as const]))(
  'both networks say the same of a block with the gate %s and a memory that is filled: %i',
  (gate, isFull) => {
    const c = blocks[0]!;
    const filled = [isFull, isFull, isFull];
    const other = { ...c, params: { ...c.params, gate }, inputs: { ...c.inputs, memoryValid: filled } } as PolicyCase;
    expect(check({ ...other, expected: { output: blockOfSteps(other)! } })).toMatchObject([
      { key: 'gtrxlBlock.output', built: true, passed: true },
    ]);
  },
);

test.each((memo.cases as unknown as PolicyCase[]).map((c) => [c.name, c] as const))(
  'golden case %s is what a network with summaries reads while it plays an episode',
  (_name, c) => {
    const checks = checkPolicyCase(c, memo.tolerance);
    expect(checks.map(({ key }) => key.split('.')[1])).toEqual(Object.keys(c.expected));
    for (const { key, built, passed } of checks)
      expect({ key, built, passed }).toEqual({ key, built: true, passed: true });
  },
);

test('with one summary kept a context never grows', () => {
  const params = { steps: 61, segment: 5, summary: 3, accumulate: 0 };
  const expected = { context: Array.from({ length: 61 }, (_, t) => (t < 5 ? 0 : 3) + (t % 5) + 1) };
  const c: PolicyCase = { name: '', kind: 'memoLayout', params, inputs: {}, expected };
  expect(check(c)).toMatchObject([{ key: 'memoLayout.context', passed: true }]);
  expect(check({ ...c, params: { ...params, accumulate: 1 } })).toMatchObject([{ passed: false }]);
});
