import type { Batch } from '../../contract/columns.ts';
import { returnsToGo } from '../../core/batch.ts';
import { isDegenerate, type NormalizeMode } from '../../core/stats.ts';
import type { Explanation, Quantity, Rows, Term } from '../types.ts';
import { after, comparedTerm, outcomesAt, outcomeTerm, show, stepsLike } from './explain.ts';
import { batchHeads, meanOverHeads, normalizeHeads, taskHeads, whiten, type Heads } from './segments.ts';
import { baseCredit, outcomeCredit, type Singleton } from './trajectoryCredit.ts';

/** What stands behind the credit of single steps, method by method; the formulas are those of the method files. */

const ALL_STEPS = 'steps of the batch';

/** G[i,t] with its discount, as a letter. */
const toGo = (gamma: number) => ({
  letter: 'G',
  what: gamma === 1 ? 'reward from here on' : 'discounted reward from here on',
});

/** REINFORCE++: the return from this step on among those of all steps. */
export function returnAmongAll(batch: Batch, gamma: number, step: number): Term {
  const G = returnsToGo(batch, gamma);
  const compared = stepsLike(batchHeads(batch), G, step);
  return comparedTerm('return from here on', whiten(batch, G)[step]!, {
    ...compared,
    ...toGo(gamma),
    others: ALL_STEPS,
    rule: 'std',
  });
}

/** REINFORCE++ with baseline: c = R − mean R of the task, on every step, among all steps. */
export function baselineAmongAll(
  batch: Batch,
  { rows, singleton }: { readonly rows: Rows; readonly singleton: Singleton },
  step: number,
): Term {
  const c = outcomeCredit(batch, 'mean', rows, singleton);
  const compared = stepsLike(batchHeads(batch), c, step);
  const term = comparedTerm('outcome', whiten(batch, c)[step]!, {
    ...compared,
    letter: 'c',
    what: 'return of this episode minus the mean return of its task',
    others: ALL_STEPS,
    rule: 'std',
  });
  const { of, members, values, at, what } = outcomesAt(batch, rows, step);
  const R: Quantity = { symbol: 'R', value: values[at]!, what };
  const inner = `c = ${show(R.value)} − ${after(R.value - c[step]!)} = ${show(c[step]!)}`;
  return {
    ...term,
    formula: `c = R − mean R of the task; ${term.formula}`,
    filled: `${inner}; ${term.filled}`,
    quantities: [R, ...term.quantities],
    compared: { of, members, values, at },
  };
}

/** GAE: how far the critic was surprised here and later, among all steps. */
export function advantageAmongAll(
  batch: Batch,
  adv: Float32Array,
  { gamma, lambda, cut }: { readonly gamma: number; readonly lambda: number; readonly cut: string },
  step: number,
): Term {
  const [i, t] = [Math.floor(step / batch.T), step % batch.T];
  const isLast = t === batch.length[i]! - 1;
  const value = batch.value[step]!;
  const boot = batch.terminated[i] === 1 || cut === 'zero' ? 0 : cut === 'egae' ? value : batch.valueFinal[i]!;
  const next = isLast ? boot : batch.value[step + 1]!;
  const r = batch.reward[step]!;
  const delta = r + gamma * next - value;
  const later = isLast ? 0 : gamma * lambda * adv[step + 1]!;
  const term = comparedTerm('advantage of the critic', whiten(batch, adv)[step]!, {
    ...stepsLike(batchHeads(batch), adv, step),
    letter: 'adv',
    what: 'surprise of the critic, here and later',
    others: ALL_STEPS,
    rule: 'std',
  });
  const surprise = `δ = ${show(r)} + ${show(gamma)} · ${after(next)} − ${after(value)} = ${show(delta)}`;
  const sum = `adv = ${show(delta)} + ${after(later)} = ${show(adv[step]!)}`;
  return {
    ...term,
    formula: `δ = r + γ · V′ − V; adv = δ + γλ · adv′; ${term.formula}`,
    filled: `${surprise}; ${sum}; ${term.filled}`,
    quantities: [
      { symbol: 'r', value: r, what: 'reward of this step' },
      { symbol: 'V', value, what: 'what the critic expected before the step' },
      { symbol: 'V′', value: next, what: isLast ? 'value after the last step' : 'what it expected after the step' },
      { symbol: 'δ', value: delta, what: 'surprise of this step' },
      { symbol: 'γλ · adv′', value: later, what: 'surprise of the steps after it, discounted' },
      ...term.quantities,
    ],
  };
}

/** GiGPO and its relatives: the episode among those of its task, and what followed the same state. */
export function groupInGroupTerms(
  batch: Batch,
  anchors: Heads,
  { omega, gamma, mode, episodeRows }: { omega: number; gamma: number; mode: NormalizeMode; episodeRows: Rows },
  step: number,
): Explanation {
  const G = returnsToGo(batch, gamma);
  return {
    terms: [
      outcomeTerm('episode', batch, step, { rule: mode, rows: episodeRows }),
      comparedTerm(
        'step',
        Math.fround(omega * normalizeHeads(G, anchors, mode)[step]!),
        { ...stepsLike(anchors, G, step), ...toGo(gamma), others: 'visits to this state', rule: mode },
        { symbol: 'ω', value: omega, what: 'weight of the step part' },
      ),
    ],
  };
}

type HgpoSettings = { gamma: number; mode: NormalizeMode; episode: 'off' | 'added' | 'level'; rows: Rows };

/** HGPO: the same return among steps with ever longer equal pasts. `levels`: the sets of level 0 … K. */
export function levelTerms(
  batch: Batch,
  levels: readonly { readonly head: Heads; readonly weight: number }[],
  { gamma, mode, episode, rows }: HgpoSettings,
  step: number,
): Explanation {
  const G = returnsToGo(batch, gamma);
  const terms: Term[] = [];
  const own = episode === 'off' ? null : outcomeTerm('episode', batch, step, { rule: mode, rows });
  if (own && episode === 'level' && !isDegenerate(own.compared!.values)) terms.push({ ...own, weight: 1 });
  levels.forEach(({ head, weight }, k) => {
    if (head[step]! < 0) return;
    const compared = stepsLike(head, G, step);
    // a level on which nothing differs does not count
    if (isDegenerate(compared.values)) return;
    const value = normalizeHeads(G, head, mode, true)[step]!;
    const others =
      k === 0 ? 'visits to this state' : `visits after the same ${k} ${k === 1 ? 'state' : 'states'} before`;
    const comparison = { ...compared, ...toGo(gamma), others, rule: mode, isPopulation: true };
    terms.push({ ...comparedTerm(`level ${k}`, value, comparison), weight });
  });
  if (own && episode === 'added') terms.push(own);
  return { terms };
}

/** SALT: the mean credit of the trajectories that took this edge. `head`: merged edges. */
export function edgeTerms(
  batch: Batch,
  head: Heads,
  { base, count, rows }: { base: 'grpo' | 'rloo'; count: 'visit' | 'trajectory'; rows: Rows },
  step: number,
): Explanation {
  const credit = baseCredit(batch, base, rows);
  const all = stepsLike(head, credit, step);
  const seen = new Set<number>();
  const kept = all.members.filter((k) => {
    const i = Math.floor(k / batch.T);
    if (count === 'visit') return true;
    if (seen.has(i)) return false;
    seen.add(i);
    return true;
  });
  const values = kept.map((k) => credit[k]!);
  const value = meanOverHeads(batch, credit, head, count)[step]!;
  const n = values.length;
  const some = values.slice(0, 4).map((x, k) => (k === 0 ? show(x) : after(x)));
  const sum = `${some.join(' + ')}${n > 4 ? ' + …' : ''}`;
  const own = Math.floor(step / batch.T);
  return {
    terms: [
      {
        name: 'edge',
        value,
        formula: 'mean of Aᵗʳᵃʲ over the steps on the same edge (state, action, next state)',
        filled: n === 1 ? `only this step took this edge: ${show(value)}` : `(${sum}) / ${n} = ${show(value)}`,
        quantities: [
          {
            symbol: 'Aᵗʳᵃʲ',
            value: credit[step]!,
            what: `${base === 'grpo' ? 'GRPO' : 'RLOO'} credit of this episode${rows === 'steps' ? ', over step rows' : ''}`,
          },
          { symbol: 'n', value: n, what: count === 'visit' ? 'steps on this edge' : 'episodes on this edge' },
        ],
        compared: {
          of: 'steps',
          members: kept,
          values,
          // counted once per trajectory, this step may come after an earlier one of its own episode
          at: kept.findIndex((k) => k === step || (count === 'trajectory' && Math.floor(k / batch.T) === own)),
        },
      },
    ],
  };
}

/** ReMax: what was reached, less what the greedy episode reached. */
export function greedyTerms(
  batch: Batch,
  greedy: ArrayLike<number>,
  form: 'outcome' | 'toGo',
  step: number,
): Explanation {
  const i = Math.floor(step / batch.T);
  const b = greedy[batch.taskIndex[i]!]!;
  const own = form === 'toGo' ? returnsToGo(batch, 1)[step]! : batch.outcome[i]!;
  const what = form === 'toGo' ? 'reward from here on' : 'return of this episode';
  const letter = form === 'toGo' ? 'G' : 'R';
  return {
    terms: [
      {
        name: 'reached',
        value: own,
        formula: letter,
        filled: show(own),
        quantities: [{ symbol: letter, value: own, what }],
      },
      {
        name: 'greedy baseline',
        value: -b,
        formula: '−b',
        filled: show(-b),
        quantities: [{ symbol: 'b', value: b, what: 'return of the greedy episode of the same task' }],
      },
    ],
  };
}

/** OPRL: the episode among those of its task, and the implicit reward of the step among those of its task. */
export function processTerms(
  batch: Batch,
  reward: Float32Array,
  { base, alpha, beta, rows }: { base: 'grpo' | 'rloo'; alpha: number; beta: number; rows: Rows },
  step: number,
): Explanation {
  const rule = base === 'rloo' ? 'leaveOneOut' : 'std';
  const value = Math.fround(alpha * normalizeHeads(reward, taskHeads(batch), rule)[step]!);
  const term = comparedTerm(
    'step',
    value,
    {
      ...stepsLike(taskHeads(batch), reward, step),
      letter: 'rᵠ',
      what: 'how much more likely the process model finds this action, as a reward',
      others: 'steps of this task',
      rule,
    },
    { symbol: 'α', value: alpha, what: 'weight of the step part' },
  );
  const raw = [
    { symbol: 'log π_φ', value: batch.logpPhi![step]!, what: 'log-probability under the process model' },
    { symbol: 'log π_old', value: batch.logp[step]!, what: 'log-probability under the sampling policy' },
    { symbol: 'β', value: beta, what: 'turns the difference into a reward' },
  ];
  return {
    terms: [outcomeTerm('episode', batch, step, { rule, rows }), { ...term, quantities: [...raw, ...term.quantities] }],
  };
}

/** Dual granularity: the episode among those of its task, and the score of the step among those of all its steps. */
export function scoreTerms(batch: Batch, { beta, rows }: { beta: number; rows: Rows }, step: number): Term[] {
  const score = batch.processScore!;
  const value = Math.fround(beta * normalizeHeads(score, taskHeads(batch), 'std', true)[step]!);
  const compared = {
    ...stepsLike(taskHeads(batch), score, step),
    ...{ letter: 'ψ', what: 'score of this step', others: 'steps of this task', isPopulation: true },
    rule: 'std' as const,
  };
  const weight = { symbol: 'β', value: beta, what: 'weight of the step part' };
  return [outcomeTerm('episode', batch, step, { rule: 'std', rows }), comparedTerm('step', value, compared, weight)];
}
