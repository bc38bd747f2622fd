import { expect, test } from 'vitest';
import { fields, modulesOf } from '../../config/schema.ts';
import { slots } from '../../config/slots.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { piecesOf, termOfMetric } from './find.ts';
import { TERMS } from './terms.ts';
import { WORDS } from './words.ts';

const named = (formula: string, path: string): string[] =>
  piecesOf(formula, path).flatMap(({ text, term }) => (term ? [`${text}: ${term.id}`] : []));

const formulas: readonly (readonly [string, string])[] = [
  ...slots.flatMap((slot) =>
    modulesOf(slot).flatMap(({ id, formula }) => (formula ? [[`${slot.id}.${id}`, formula] as const] : [])),
  ),
  ...fields.flatMap(({ path, setting }) => (setting?.formula ? [[path, setting.formula] as const] : [])),
];

test('symbols of a formula are found where they stand for themselves', () => {
  expect(named('ℓ = max(−Aρ, −A·clip(ρ, 1−ε_low, 1+ε_high))', 'objective.ppoClip')).toEqual(
    ['A: A', 'ρ: ρ', 'A: A', 'clip: clip', 'ρ: ρ', 'ε_low: ε', 'ε_high: ε'], // prettier-ignore
  );
  expect(named('A = whiten(Σ_k (γλ)^k δ[t+k]),  δ[t] = r[t] + γV[t+1]', 'advantage.gae')).toEqual(
    ['A: A', 'whiten: normalize', 'γ: γ', 'λ: λ', 'δ: δ', 'δ: δ', 'r: r', 'γ: γ', 'V: V'], // prettier-ignore
  );
  // an index, a bar or a target makes another symbol of a letter
  expect(named('π_φ, R_i, R̄, V₁, π^τ/π', 'advantage.x')).toEqual(['π: π']);
});

test('a letter that means something else in a method is not explained there', () => {
  expect(named('θ ← θ − η·(m + λθ),  v ← ρv + (1−ρ)g²', 'optimizer.rmsProp').join()).not.toMatch(/λ|ρ/);
  expect(named('H', 'policy.gru.hidden')).toEqual([]);
  expect(named('ℓ = H·(−A·clip(r))', 'objective.hispo')).toEqual(['A: A', 'clip: clip']);
  expect(named('d ← (1−η)d + ηg', 'optimizer.npgIgt')).toEqual([]);
  expect(named('normalize(G over equal states)', 'advantage.gigpo')).toContain('G: returnToGo');
  expect(named('ρ = share · ln G', 'advantage.copo.threshold')).toEqual(['G: groupSize']);
  expect(named('G', 'rollout.groupSize')).toEqual(['G: groupSize']);
});

test('a formula in pieces is the formula, and every term but the exact advantage stands in one', () => {
  const seen = new Set<string>();
  for (const [path, formula] of formulas) {
    const pieces = piecesOf(formula, path);
    expect(pieces.map(({ text }) => text).join(''), path).toBe(formula);
    for (const { term } of pieces) if (term) seen.add(term.id);
  }
  expect(TERMS.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual(['exact']);
});

test('every term is short, and the charts that carry one exist', () => {
  const all = [...TERMS, ...WORDS];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { id, text, metrics = [] } of all) {
    expect(text.length, id).toBeLessThanOrEqual(130);
    for (const metric of metrics) expect(metricIndex, id).toHaveProperty(metric);
  }
  expect(termOfMetric('entropy')!.id).toBe('H');
  expect(termOfMetric('success')).toBeNull();
});
