import fc from 'fast-check';
import { expect, test } from 'vitest';
import golden from '../../fixtures/branching.json' with { type: 'json' };
import { checkBranchCase } from '../conformance.ts';
import { balancedBudget, decide, growTree, type Episodes, type TreeRule } from './branching.ts';

test.each(golden.cases)('the golden values of $name come out', (c) => {
  const checks = checkBranchCase(c, golden.tolerance);
  expect(checks.length).toBeGreaterThan(2);
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
});

const RULE: TreeRule = {
  ...{ mode: 'sample', actions: 4, alpha: 0.3, beta: 0.5, penalty: 0, tau: 0.5 },
  ...{ total: 6, starts: 2, maxSteps: 8, beam: 2, scope: 'path' },
};

test('the probability of a fork, by hand: α 0.3, β 0.5, half of ln 4 more than at the start, after one fork with λ 0.2', () => {
  const seen = { entropy: 1 + Math.log(2), root: 1, consecutive: 1 };
  // 0.3 + 0.5 · 0.5 = 0.55, times 0.8
  const { probability, forks } = decide({ ...RULE, penalty: 0.2 }, seen, () => 0.43);
  expect(probability).toBeCloseTo(0.44, 12);
  expect(forks).toBe(true);
  expect(decide({ ...RULE, penalty: 0.2 }, seen, () => 0.45).forks).toBe(false);
  expect(decide({ ...RULE, actions: 1 }, seen, () => 0).delta).toBe(0);
});

/** Episodes whose entropies and lengths are known beforehand. */
const episodes = fc.record({
  entropy: fc.array(fc.double({ min: 0, max: 1.3, noNaN: true }), { minLength: 48, maxLength: 48 }),
  steps: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 6, maxLength: 6 }),
  eligible: fc.array(fc.boolean(), { minLength: 48, maxLength: 48 }),
  u: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 48, maxLength: 48 }),
  rule: fc.record({
    beam: fc.integer({ min: 2, max: 3 }),
    penalty: fc.constantFrom(0, 0.3),
    scope: fc.constantFrom('path' as const, 'task' as const),
    mode: fc.constantFrom('sample' as const, 'threshold' as const),
    starts: fc.integer({ min: 1, max: 6 }),
    forkPoint: fc.constantFrom('before' as const, 'after' as const),
  }),
});

test('forks that are decided between phases are those that are decided on the way, and every slot is used once', () => {
  fc.assert(
    fc.property(episodes, ({ entropy, steps, eligible, u, rule: changes }) => {
      const rule = { ...RULE, ...changes, maxSteps: 8 };
      const parents: number[] = [];
      const of = (played: number): Episodes => ({
        played,
        // a fork has taken the step that it was made for
        steps: (slot) => {
          expect(slot).toBeLessThan(played);
          return steps[slot]!;
        },
        entropy: (slot, t) => entropy[slot * 8 + t]!,
        eligible: (slot, t) => eligible[slot * 8 + t]!,
        draw: (slot, t, k) => u[(slot * 8 + t + 5 * k) % 48]!,
      });
      const whole = growTree(rule, of(6));
      let played = rule.starts;
      for (let phase = 0; ; phase++) {
        expect(phase).toBeLessThan(6);
        const tree = growTree(rule, of(played));
        parents.splice(0, parents.length, ...tree.parent);
        if (tree.parent.length <= played) {
          expect(tree).toEqual(whole);
          break;
        }
        expect(tree.late).toBe(0);
        played = tree.parent.length;
      }
      expect(whole.parent.length + whole.late).toBe(6);
      whole.parent.forEach((from, slot) => {
        expect(from).toBeLessThan(slot);
        // forked while its parent was alive, and not before the parent began
        if (from >= 0) expect(whole.step[slot]!).toBeLessThan(steps[from]!);
        if (from >= 0 && whole.parent[from]! >= 0) expect(whole.step[slot]!).toBeGreaterThan(whole.step[from]!);
      });
    }),
  );
});

test('where all rows start fresh it is plain sampling, and one-step episodes leave all others to late starts', () => {
  const still: Episodes = { played: 6, steps: () => 5, entropy: () => 1, eligible: () => true, draw: () => 0 };
  expect(growTree({ ...RULE, starts: 6 }, still)).toEqual({
    ...{ parent: [-1, -1, -1, -1, -1, -1], step: [0, 0, 0, 0, 0, 0], late: 0, decisions: [] },
  });
  expect(growTree(RULE, { ...still, played: 2, steps: () => 1 })).toMatchObject({ parent: [-1, -1], late: 4 });
});

test('the balance of a budget, by hand: half of M where the probe is as sure later as at the start', () => {
  const sizes = { total: 8, actions: 2, beta: 4 };
  const ln2 = Math.log(2);
  // σ(0) = 0.5: ⌊4⌋ + 1
  expect(balancedBudget(sizes, [0.3, 0.3, 0.3])).toMatchObject({ starts: 5 });
  // a probe of one step has no later ones
  expect(balancedBudget(sizes, [ln2])).toEqual({ root: 1, later: 1, starts: 5 });
  // sure at the start, unsure later: σ(−4) = 0.018; and the other way round, where M is the most
  expect(balancedBudget(sizes, [0, ln2])).toEqual({ root: 0, later: 1, starts: 1 });
  expect(balancedBudget({ ...sizes, beta: 50 }, [ln2, 0]).starts).toBe(8);
  expect(balancedBudget({ ...sizes, actions: 1 }, [0, 0]).starts).toBe(5);
});

test('a fork after the action shares it: it parts one step later, and an episode that ends there is not forked', () => {
  const still: Episodes = { played: 2, steps: () => 3, entropy: () => 1, eligible: (_, t) => t === 1, draw: () => 0 };
  const rule = { ...RULE, total: 4, starts: 2, alpha: 1 };
  expect(growTree(rule, still)).toMatchObject({ parent: [-1, -1, 0, 1], step: [0, 0, 1, 1] });
  expect(growTree({ ...rule, forkPoint: 'after' }, still)).toMatchObject({
    parent: [-1, -1, 0, 1],
    step: [0, 0, 2, 2],
  });
  const short = { ...still, steps: () => 2 };
  expect(growTree({ ...rule, forkPoint: 'after' }, short)).toMatchObject({ parent: [-1, -1], late: 2 });
});
