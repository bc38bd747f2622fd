import { lawOf } from '../../lab/law.ts';
import type { LawFit } from '../../lab/analysis/law.ts';
import { measure } from './types.ts';

/** What the fit of the entropy law says, by the word of an expression. `b` − `a` is the ceiling: success at entropy 0. */
const PARTS: Readonly<Record<string, (fit: LawFit) => number>> = {
  a: ({ a }) => a,
  b: ({ b }) => b,
  fit: ({ r2 }) => r2 ?? NaN,
  ceiling: ({ ceiling }) => ceiling,
  flagged: ({ flags }) => Number(flags.includes('ceiling')),
};

export const law = measure({
  id: 'law',
  doc: 'law(arm, part): the entropy law R = −a·e^H + b over the evaluations of an arm, per seed; part is a, b, fit (R²), ceiling (b − a) or flagged (1 where the lab marks the ceiling as impossible). The Entropy Mechanism, arXiv 2505.22617.',
  takes: ['arm', 'word'],
  of: (arm, part) => {
    const of = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
    if (!of) throw new Error(`law knows ${Object.keys(PARTS).join(', ')}, and not “${part}”.`);
    return arm.perSeed((seed) => {
      const { fit } = lawOf(arm.run.whole, arm.run.series, seed);
      return fit ? of(fit) : NaN;
    });
  },
});
