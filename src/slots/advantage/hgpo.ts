import { returnsToGo } from '../../core/batch.ts';
import { exp, log } from '../../core/fmath.ts';
import { isDegenerate } from '../../core/stats.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { contextHeads } from './contextHeads.ts';
import { levelTerms } from './explainSteps.ts';
import { countHeads, normalizeHeads, taskHeads, type Heads } from './segments.ts';
import { outcomeCredit, outcomeOnSteps } from './trajectoryCredit.ts';

const params = settings({
  K: {
    kind: 'integer',
    label: 'History',
    default: 2,
    min: 0,
    max: 8,
    doc: 'How many past states two steps may be required to share: the memory of the policy.',
    formula: 'K',
  },
  alpha: {
    kind: 'number',
    label: 'Weight growth',
    default: 1,
    min: 0,
    max: 4,
    doc: '0 averages all levels; larger values trust long shared histories more.',
    formula: '(k + 1)^α',
  },
  gamma: common.gamma,
  mode: common.mode,
  weights: {
    kind: 'choice',
    label: 'Level weights',
    default: 'paper',
    options: ['paper', 'recipe'],
    optionLabels: ['1, 2, 3 … (paper)', '2, 3, 4 … (released recipe)'],
    doc: 'The released recipe keeps the weight of 1 for an episode term that is turned off.',
  },
  episode: {
    kind: 'choice',
    label: 'Episode term',
    default: 'off',
    options: ['off', 'added', 'level'],
    optionLabels: ['none', 'added, as in GiGPO', 'one more level of weight 1 (recipe option)'],
    doc: 'Also compare whole episodes; the paper does not.',
  },
  rows: { ...common.rows, when: { setting: 'episode', is: ['added', 'level'] } },
});

/**
 * Hierarchy of groups: level k compares steps whose last k + 1 states agree.
 *
 *   level-k group of (i,t), t ≥ k: steps (j,u), u ≥ k, of the task group with s[j,u−m] = s[i,t−m] for m = 0..k
 *   A^k = Normalize(G) over that group, population std, G discounted by γ
 *   A = Σ_k w_k A^k / Σ_k w_k over the levels that exist and do not agree,   w_k = (k+1)^α
 *
 * K = 0 is the step part of GiGPO (up to the population std). `episode` adds Normalize(R) over the task group to A, or
 * counts it as one more level of weight 1, as an option of the released recipe does;
 * the recipe counts each trajectory once for each of its steps there (`rows`).
 */
export const hgpo = defineEstimator({
  id: 'hgpo',
  title: 'HGPO',
  rev: 1,
  source: { title: 'Hierarchy-of-Groups Policy Optimization', arxiv: '2602.22817', level: 'code' },
  poolsLevels: true,
  needs: ['outcome', 'reward', 'taskIndex', 'length', 'stateKey'],
  formula: 'A = Σ_k (k+1)^α·normalize(G over equal last k+1 states) / Σ_k (k+1)^α',
  look: 'Like GiGPO’s step part; with larger K, groups split and fewer steps have a group.',
  params,
  alone: () => 'revisits',
  comparesStatesAlone: ({ episode }) => episode === 'off',
  run(batch, { K, alpha, gamma, mode, weights, episode, rows }) {
    const G = returnsToGo(batch, gamma);
    const total = new Float64Array(G.length);
    const weight = new Float64Array(G.length);
    const add = (x: Float32Array, head: Heads, w: number, level: Float32Array): void => {
      const agrees = agreeingSets(x, head);
      for (let at = 0; at < G.length; at++) {
        if (head[at]! < 0 || agrees[head[at]!] === 1) continue;
        total[at]! += w * level[at]!;
        weight[at]! += w;
      }
    };
    const whole = episode === 'off' ? null : outcomeCredit(batch, mode, rows);
    if (whole && episode === 'level') add(outcomeOnSteps(batch), taskHeads(batch), 1, whole);
    contextHeads(batch, K).forEach((head, k) => {
      add(G, head, levelWeight(k, alpha, weights), normalizeHeads(G, head, mode, true));
    });
    const offset = episode === 'added' ? whole : null;
    return {
      A: Float32Array.from(total, (sum, at) => (weight[at]! > 0 ? sum / weight[at]! : 0) + (offset?.[at] ?? 0)),
    };
  },
  scratch: ({ K, episode }) => 6 + 4 * K + { off: 0, added: 1, level: 2 }[episode],
  gpu(ops, { K, alpha, gamma, mode, weights, episode, rows }) {
    const G = ops.returnsToGo(ops.reward, gamma);
    const levels = Array.from({ length: K + 1 }, (_, k) => ({
      sets: ops.sets({ of: 'state', past: k }),
      w: levelWeight(k, alpha, weights),
    }));
    const { credit, weight } = ops.overLevels(G, levels, mode);
    if (episode === 'off') return { A: ops.zip('divide', credit, weight) };
    const whole = ops.normalize(ops.outcome, 'task', mode, rows);
    if (episode === 'added') return { A: ops.combine(1, ops.zip('divide', credit, weight), 1, whole) };
    const counts = ops.normalize(ops.outcome, 'task', 'comparable', rows);
    return { A: ops.zip('divide', ops.combine(1, credit, 1, whole), ops.combine(1, weight, 1, counts)) };
  },
  explain(batch, values, step) {
    const weight = (k: number): number => levelWeight(k, values.alpha, values.weights);
    const levels = contextHeads(batch, values.K).map((head, k) => ({ head, weight: weight(k) }));
    return levelTerms(batch, levels, values, step);
  },
});

/** w_k = (k + 1)^α of the paper, or (k + 2)^α of the released recipe. */
function levelWeight(k: number, alpha: number, weights: 'paper' | 'recipe'): number {
  return exp(alpha * log(weights === 'recipe' ? k + 2 : k + 1));
}

/** 1 at the head of every set that is degenerate: its level does not count. */
function agreeingSets(x: Float32Array, head: Heads): Uint8Array {
  const count = countHeads(head);
  const members = new Map<number, number[]>();
  for (let k = 0; k < head.length; k++) {
    if (head[k]! < 0 || count[head[k]!]! < 2) continue;
    const list = members.get(head[k]!);
    if (list) list.push(x[k]!);
    else members.set(head[k]!, [x[k]!]);
  }
  const agrees = new Uint8Array(head.length);
  for (let g = 0; g < head.length; g++) if (count[g]! > 0) agrees[g] = isDegenerate(members.get(g) ?? []) ? 1 : 0;
  return agrees;
}
