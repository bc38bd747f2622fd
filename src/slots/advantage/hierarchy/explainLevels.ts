import type { Batch } from '../../../contract/columns.ts';
import { STEP_ROLES } from '../../../contract/units.ts';
import type { Term } from '../../types.ts';
import { after, comparedTerm, show } from '../explain.ts';
import { batchHeads, normalizeHeads, whiten } from '../segments.ts';
import { roleHeads } from './levelsOfSteps.ts';

/** What each level is judged by, and where. */
const JUDGED: Readonly<Record<string, { readonly name: string; readonly what: string; readonly others: string }>> = {
  action: { name: 'action', what: 'what came up to the next subgoal, and V_hi there', others: 'actions of the batch' },
  switch: {
    name: 'keep or new',
    what: 'what came up to the next subgoal, and V_hi there',
    others: 'switches of the batch',
  },
  subgoal: { name: 'subgoal', what: 'what its segment brought, and later ones', others: 'subgoals of the batch' },
  plan: { name: 'plan', what: 'what the episode brought', others: 'entries of plans in the batch' },
};
const CHAIN = { name: 'all as one chain', what: 'what came of it, here and later', others: 'steps of the batch' };

/** The advantage of a step among those of its level, or of the whole chain, with what its critic expected. */
export function levelTerm(
  batch: Batch,
  { adv, target }: { readonly adv: Float32Array; readonly target: Float32Array },
  levels: 'each' | 'flat',
  step: number,
): Term {
  const isEach = levels === 'each';
  const heads = isEach ? roleHeads(batch) : batchHeads(batch);
  const A = isEach ? normalizeHeads(adv, heads, 'std', true) : whiten(batch, adv);
  const { name, what, others } = isEach ? JUDGED[STEP_ROLES[heads[step]!]!]! : CHAIN;
  const members = Array.from(heads.keys()).filter((k) => heads[k] === heads[step]);
  const values = members.map((k) => adv[k]!);
  const term = comparedTerm(name, A[step]!, {
    ...{ of: 'steps', members, values, at: members.indexOf(step), rule: 'std', isPopulation: isEach },
    ...{ letter: 'adv', what: 'how far that is from what was expected', others },
  });
  const [V, came] = [batch.value[step]!, target[step]!];
  return {
    ...term,
    formula: `adv = Ŵ − V; ${term.formula}`,
    filled: `adv = ${show(came)} − ${after(V)} = ${show(adv[step]!)}; ${term.filled}`,
    quantities: [
      { symbol: 'Ŵ', value: came, what },
      { symbol: 'V', value: V, what: 'what the critic expected before the step' },
      ...term.quantities,
    ],
  };
}
