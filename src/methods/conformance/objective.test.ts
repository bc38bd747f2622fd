import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkObjectiveCase, type ObjectiveCase } from '../conformance.ts';
import type { Tolerance } from './check.ts';

type File = { readonly tolerance: Tolerance; readonly cases: readonly ObjectiveCase[] };
const file = JSON.parse(readFileSync(new URL('../fixtures/objective-metrics.json', import.meta.url), 'utf8')) as File;

/** What this project computes so far, by kind of case; other keys show up as not built. */
const BUILT = {
  objective: [
    ...['ppo_unitMean', 'ppo_seqMeanUnitMean', 'ppo_seqMeanUnitSum', 'ppo_constant', 'reinforce', 'clipHigher'],
    ...['dualClip', 'cispo', 'cispoUpper', 'klK1', 'klK2', 'klK3', 'klAbs', 'klExact', 'klExactForward'],
    ...['entropy', 'entropyPerUnit'],
  ],
  metrics: [
    ...['entropy', 'ess', 'ratio', 'advantage', 'anchor', 'explained', 'passk', 'wilson', 'spl', 'cov', 'law'],
    'fidelity',
  ],
  optimizer: ['adam', 'value', 'adaptiveKl'],
};

test.each(file.cases.map((c) => [c.name, c] as const))(
  'every built definition agrees with the case “%s”',
  (_, golden) => {
    const entries = checkObjectiveCase(golden, file.tolerance);
    expect(entries.map((e) => e.key)).toEqual(Object.keys(golden.expected));
    expect(entries.filter((e) => e.built && !e.passed)).toEqual([]);
    const built = entries.filter((e) => e.built).map((e) => e.key);
    expect(built.sort()).toEqual([...BUILT[golden.kind]].sort());
  },
);
