import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { wordTerms } from './explainWords.ts';
import { normalizeHeads } from './segments.ts';
import { unitHeads, wordAdvantage } from './wordAdvantage.ts';

const trace = { kind: 'number', default: 0.95, min: 0, max: 1 } as const;
const params = settings({
  backup: {
    kind: 'choice',
    label: 'Backup',
    default: 'between',
    options: ['between', 'everyWord', 'turn'],
    optionLabels: [
      'discount between actions only (POAD)',
      'discount at every word (NTPO)',
      'one credit for all words of a turn (ERA)',
    ],
    doc: 'Discounted at every word, what a command is worth depends on how many words spell it.',
  },
  gamma: { ...common.gamma, doc: 'Below 1, rewards far in the future count less.' },
  lambda: { ...trace, label: 'Trace', doc: '0 trusts the critic after one step, 1 the whole return.', formula: 'λ' },
  innerLambda: {
    ...{ ...trace, label: 'Trace inside a command', formula: 'λ_in' },
    doc: 'At 1, the first word gets just what its whole command would get.',
    when: { setting: 'backup', is: ['between', 'everyWord'] },
  },
  cut: {
    kind: 'choice',
    label: 'At the step limit',
    default: 'bootstrap',
    options: ['bootstrap', 'zero'],
    optionLabels: ['value of the last state', 'nothing follows'],
    doc: 'What an episode is still worth at the step limit.',
  },
});

/**
 * Bellman backup with action decomposition: every word of a command has a value before it, V(o, w), and an advantage.
 *
 *   inside a command   δ[t,j] = V[t,j+1] − V[t,j]               A[t,j] = δ[t,j] + λ_in·A[t,j+1]
 *   its last word      δ[t,K−1] = r[t] + γV[t+1,0] − V[t,K−1]   A[t,K−1] = δ[t,K−1] + γλ·A[t+1,0]
 *   V target = A + V; then A is whitened over all words of the batch
 *
 * No discount and no reward inside a command. NTPO discounts at every word: V[t,j+1] and A[t,j+1] count γ. With λ_in = 1 the
 * first word has the advantage of its whole command by GAE. `turn` is this lab's reading of ERA (from its abstract): V(o)
 * alone is read, all words of a command share its GAE advantage, and V before later words learns the same target.
 */
export const poad = defineEstimator({
  id: 'poad',
  title: 'POAD (credit of words)',
  rev: 1,
  source: { title: 'Policy optimization with action decomposition', arxiv: '2405.15821', level: 'code' },
  needs: ['reward', 'unitValue', 'units', 'valueFinal', 'terminated', 'length'],
  critic: true,
  perUnit: true,
  metrics: ['valueLoss', 'explainedVariance', 'criticGap'],
  formula: 'A = whiten(δ + λ_in·A′ inside a command, δ + γλ·A′ at its last word)',
  finePrint: [
    {
      on: 'standardization',
      paper: 'Over all tokens.',
      code: 'Advantages of exactly 0 are left out, as padding is marked by 0.',
      lab: 'Over the words that were decided, whatever their advantage; σ over n.',
    },
    {
      on: 'ERA: one credit for all words of a turn',
      paper: 'Turn-level optimization, told in the abstract.',
      code: 'Not read.',
      lab: 'The formula is this lab’s, made from the abstract of the paper: GAE over turns, shared by the words.',
    },
  ],
  look: 'Words of one command have colors of their own: an object can be orange where its verb is purple.',
  also: 'NTPO, BAD, ERA, action decomposition, token-level credit, turn-level credit',
  params,
  alone: () => 'anyway',
  run(batch, rule) {
    const { adv, target } = wordAdvantage(batch, rule);
    const K = adv.length / (batch.B * batch.T);
    return { A: normalizeHeads(adv, unitHeads(batch, K), 'std', true), target };
  },
  explain: (batch, rule, step) => ({ terms: wordTerms(batch, rule, step) }),
});
