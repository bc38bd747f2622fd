import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';

type Language = typeof import('./formula/language.ts');
let language: Language | null = null;

/** The language; whoever runs a formula has prepared it. */
function loaded(): Language {
  if (!language) throw new Error('The language of formulas is asked for before it is loaded.');
  return language;
}

/** GiGPO: what a new formula starts from. */
const GIGPO = `let ω = 1 in 0…4, γ = 0.95 in 0…1
part episode = normalize(outcome, task)
part step = ω × normalizeSets(returnsToGo(reward, γ), sets(state))`;

const params = settings({
  text: {
    kind: 'text',
    label: 'Formula',
    default: GIGPO,
    maxLength: 2000,
    doc: 'The credit of each step as text: numbers, columns of the batch, operations, named parts.',
    formula: 'A',
  },
});

/**
 * Credit as a text in a small language over the operations of columns (docs/credit-formulas.md). The text is read and typed
 * (formula/), and the tree is interpreted, never evaluated as code: on plain arrays, which is its definition, or as recorded
 * kernels. What it needs, whether it has a critic and which parts it has follows from the text.
 */
export const formula = defineEstimator({
  id: 'formula',
  title: 'Formula as text',
  rev: 1,
  source: { title: 'your own text', level: 'text' },
  needs: ['outcome', 'reward', 'taskIndex', 'length', 'stateKey'],
  formula: 'A = what the text says',
  look: 'What the formula says; each part that it names has a separate strip.',
  params,
  parts: ['episode', 'step'],
  prepare: () => (language ? null : import('./formula/language.ts').then((module) => void (language = module))),
  made: ({ text }) => language?.madeOf(text) ?? { ok: false, setting: 'text', message: 'is still loading' },
  // one that cannot be read is refused for that
  alone: ({ text }, tasks) => language?.aloneWith(text, tasks) ?? 'anyway',
  run: (batch, { text }) => loaded().runFormula(batch, text),
  onGpu: ({ text }) => language?.isOnGpu(text) ?? true,
  scratch: ({ text }) => language?.scratchOfText(text) ?? 0,
  gpu: (ops, { text }) => loaded().formulaOnGpu(ops, text),
  explain: (batch, { text }, step) => loaded().explainText(batch, text, step),
});
