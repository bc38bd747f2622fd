import type { Batch } from '../../contract/columns.ts';
import type { Term } from '../types.ts';
import { after, comparedTerm, show } from './explain.ts';
import { given } from './given.ts';
import { normalizeHeads } from './segments.ts';
import { unitHeads, wordAdvantage, type WordRule } from './wordAdvantage.ts';

/** POAD: each word of a command with what the critic expected before and after it; the step has their mean. */
export function wordTerms(batch: Batch, rule: WordRule, step: number): Term[] {
  const { B, T } = batch;
  const [units, value] = [given(batch, 'units'), given(batch, 'unitValue')];
  const K = value.length / (B * T);
  const { adv } = wordAdvantage(batch, rule);
  const head = unitHeads(batch, K);
  const A = normalizeHeads(adv, head, 'std', true);
  const members = Array.from(head.keys()).filter((u) => head[u]! >= 0);
  const values = members.map((u) => adv[u]!);
  return Array.from({ length: units[step]! }, (_, d): Term => {
    const u = step * K + d;
    const name = units[step]! === 1 ? 'advantage of the critic' : `word ${d + 1}`;
    const { compared: _all, ...term } = comparedTerm(name, A[u]!, {
      ...{ of: 'steps', members, values, at: members.indexOf(u), rule: 'std', isPopulation: true },
      ...{ letter: 'adv', what: 'surprise of the critic, at this word and later', others: 'words of the batch' },
    });
    const V = value[u]!;
    const own = { symbol: 'V', value: V, what: 'what the critic expected before this word' };
    if (rule.backup === 'turn' || d + 1 === units[step]!)
      return { ...term, weight: 1, quantities: [own, ...term.quantities] };
    const next = value[u + 1]!;
    const factor = rule.backup === 'everyWord' ? rule.gamma : 1;
    const said = factor === 1 ? show(next) : `${show(factor)} · ${after(next)}`;
    return {
      ...term,
      weight: 1,
      formula: `δ = ${factor === 1 ? '' : 'γ · '}V′ − V; ${term.formula}`,
      filled: `δ = ${said} − ${after(V)} = ${show(factor * next - V)}; ${term.filled}`,
      quantities: [own, { symbol: 'V′', value: next, what: 'what it expected after it' }, ...term.quantities],
    };
  });
}
