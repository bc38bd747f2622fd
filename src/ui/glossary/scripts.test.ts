import { expect, test } from 'vitest';
import { slots } from '../../config/slots.ts';
import { settingOf, stretchesOf } from './scripts.ts';

/** A formula as HTML would have it, without what is only there for a copy. */
const shown = (text: string): string =>
  stretchesOf(text, settingOf(text), 0, text.length)
    .filter(({ isMark }) => !isMark)
    .map(({ text: own, ways }) => ways.reduceRight((inner, way) => `<${way}>${inner}</${way}>`, own))
    .join('');

test.each([
  ['w_g·grounded', 'w<sub>g</sub>·grounded'],
  ['1−ε_low, 1+ε_high)', '1−ε<sub>low</sub>, 1+ε<sub>high</sub>)'],
  ['Σ_k (k+1)^α·G', 'Σ<sub>k</sub> (k+1)<sup>α</sup>·G'],
  ['γ^(k−t) r[k]', 'γ<sup>k−t</sup> r[k]'],
  ['Σ_{k≥t} γ^k', 'Σ<sub>k≥t</sub> γ<sup>k</sup>'],
  ['N(m)^−n', 'N(m)<sup>−n</sup>'],
  ['γ^(T_i − 1)', 'γ<sup>T</sup><sup><sub>i</sub></sup><sup> − 1</sup>'],
  ['e^(λ(1−W))', 'e<sup>λ(1−W)</sup>'],
  ['A^GRPO · p', 'A<sup>GRPO</sup> · p'],
])('%s is set as on paper', (text, html) => {
  expect(shown(text)).toBe(html);
});

test('a mark that says nothing stays: at the start, at the end, before a space, and with a bracket that never closes', () => {
  for (const text of ['_a', 'a_', 'a ^ b', 'γ^(k']) expect(shown(text)).toBe(text);
});

test('a copy of any formula of the lab is the formula, and nothing of it is lost from view but marks and their brackets', () => {
  const formulas = slots.flatMap(({ modules, stack = [] }) => [...modules, ...stack].map((m) => m.formula ?? ''));
  expect(formulas.filter((f) => /[_^]/.test(f)).length).toBeGreaterThan(10);
  for (const text of formulas) {
    const stretches = stretchesOf(text, settingOf(text), 0, text.length);
    expect(stretches.map((s) => s.text).join('')).toBe(text);
    for (const { text: own, isMark } of stretches) if (isMark) expect(own).toMatch(/^[_^(){}]+$/);
  }
});
