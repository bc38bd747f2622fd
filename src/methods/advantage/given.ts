import { assert } from '../../core/assert.ts';
import type { Batch, BatchField } from '../../core/batch.ts';

/** Arrays that only some rollouts or environments produce, and how a sentence names them. */
const EXTRA = {
  greedyReturn: 'the return of one greedy episode of each task',
  planMask: 'a mark on the actions that belong to a plan',
  role: 'the player of each episode',
  branchParent: 'episodes that were forked from others',
  branchStep: 'episodes that were forked from others',
  logpPhi: 'the log-probabilities of a process model',
  obsCells: 'the observation of each step as cells',
} as const;

/** The optional arrays of a batch. */
export type ExtraField = keyof typeof EXTRA;

/** What a method needs and nobody produces, as one sentence; null if it can run. */
export function missingData(
  method: { readonly title: string; readonly needs: readonly BatchField[] },
  produced: readonly BatchField[] = [],
): string | null {
  const missing = method.needs.filter((name) => isExtra(name) && !produced.includes(name));
  const names = [...new Set(missing.map((name) => EXTRA[name as ExtraField]))];
  return names.length === 0
    ? null
    : `${method.title} needs ${names.join(' and ')}, which this experiment does not record`;
}

/** An optional array that the method said it needs. The form refuses the method where it does not exist. */
export function given<F extends ExtraField>(batch: Pick<Batch, F>, name: F): NonNullable<Batch[F]> {
  const value = batch[name];
  assert(value !== undefined, `The batch does not hold ${EXTRA[name]}.`);
  return value as NonNullable<Batch[F]>; // the assertion does not narrow an indexed type
}

function isExtra(name: BatchField): name is ExtraField {
  return Object.hasOwn(EXTRA, name);
}
