import type { Batch } from '../../contract/columns.ts';
import { fillSteps, groupsOf, rootsOf } from '../../core/batch.ts';
import { isDegenerate } from '../../core/stats.ts';
import type { Rows, Term } from '../types.ts';
import { after, outcomesOf, show } from './explain.ts';
import { given } from './given.ts';
import type { Singleton } from './trajectoryCredit.ts';

type Forked = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'outcome' | 'branchParent'>;

function familiesOf(batch: Forked): Int32Array {
  const { B, taskIndex } = batch;
  return rootsOf({ B, taskIndex, branchParent: given(batch, 'branchParent') });
}

/** What a row is compared with: the rows of its task in other families, and the mean of their returns. */
type Others = { readonly rows: readonly number[]; readonly mean: number };

/** The others of each member of a task group; steps: each row counts once for each of its steps. */
function othersIn(batch: Forked, group: readonly number[], root: Int32Array, rows: Rows): readonly Others[] {
  const weight = (i: number): number => (rows === 'steps' ? batch.length[i]! : 1);
  return group.map((i) => {
    const others = group.filter((j) => root[j] !== root[i]);
    const above = others.reduce((sum, j) => sum + weight(j) * batch.outcome[j]!, 0);
    return { rows: others, mean: above / others.reduce((n, j) => n + weight(j), 0) };
  });
}

/**
 * RLOO where a root and its forks leave the baseline together:
 *
 *   A[i,t] = R[i] − mean of R over the rows of i's task group that are not of i's family
 *
 * A group whose members agree gets 0. A row with nobody outside of its family gets 0, or its return where `singleton` says so.
 */
export function familyCredit(batch: Forked, rows: Rows, singleton: Singleton): Float32Array {
  const A = new Float32Array(batch.B * batch.T);
  const root = familiesOf(batch);
  for (const group of groupsOf(batch)) {
    const others = othersIn(batch, group, root, rows);
    const agrees = isDegenerate(group.map((i) => batch.outcome[i]!));
    group.forEach((i, k) => {
      const { rows: list, mean } = others[k]!;
      const R = batch.outcome[i]!;
      if (list.length === 0) fillSteps(A, batch, i, singleton === 'return' ? R : 0);
      else if (!agrees) fillSteps(A, batch, i, R - mean);
    });
  }
  return A;
}

/** The same for one step, in numbers. */
export function familyTerm(batch: Forked, step: number, rows: Rows, singleton: Singleton): Term {
  const i = Math.floor(step / batch.T);
  const all = outcomesOf(batch, i);
  const root = familiesOf(batch);
  const { rows: list, mean } = othersIn(batch, [...all.members], root, rows)[all.at]!;
  const members = [i, ...list];
  const values = members.map((j) => batch.outcome[j]!);
  const value = familyCredit(batch, rows, singleton)[step]!;
  const R = batch.outcome[i]!;
  const isAlone = list.length === 0;
  const agrees = !isAlone && isDegenerate(all.values);
  return {
    name: 'outcome',
    value,
    formula: 'R − mean R of other families',
    filled: isAlone
      ? `nothing to compare with: ${show(value)}`
      : agrees
        ? `all ${all.values.length} episodes of this task agree (${show(R)}): ${show(value)}`
        : `${show(R)} − ${after(mean)} = ${show(value)}`,
    quantities: [
      { symbol: 'R', value: R, what: 'return of this episode' },
      { symbol: 'n', value: list.length, what: 'episodes of this task in other families' },
      ...(isAlone ? [] : [{ symbol: 'mean R', value: mean, what: 'over the episodes of other families' }]),
    ],
    compared: { of: 'trajectories', members, values, at: 0 },
  };
}
