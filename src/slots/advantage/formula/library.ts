import type { AnyValues } from '../../../core/settings.ts';
import { SPREAD } from '../../../core/stats.ts';
import { numberText } from './print.ts';

/** The text of an estimator with these settings; null where the language cannot say it. */
type Written = (params: AnyValues) => string | null;

const num = (params: AnyValues, name: string): string => numberText(params[name] as number);
/** ", rows: steps" where statistics count steps. */
const rowsOf = (params: AnyValues, name = 'rows'): string => (params[name] === 'steps' ? ', rows: steps' : '');
/** ", mean" where nothing is divided by the spread. */
const byOf = ({ mode }: AnyValues): string => (mode === 'mean' ? ', mean' : '');

/** Outcomes among those of the task, and what an episode gets that has no other. */
function outcomes(params: AnyValues, by = ''): string {
  const rows = rowsOf(params);
  const own = `normalize(outcome, task${by}${rows})`;
  return params['singleton'] === 'return' ? `${own} + normalize(outcome, task, alone${rows})` : own;
}
const base = (params: AnyValues): string => (params['base'] === 'rloo' ? ', leaveOneOut' : '');

/** Estimators by their ids: what a new formula may start from. */
export const library: Readonly<Record<string, Written>> = {
  grpo: (p) => outcomes(p),
  drGrpo: (p) => outcomes(p, ', mean'),
  rloo: (p) => (p['leaveFamilyOut'] === true ? null : outcomes(p, ', leaveOneOut')),
  flowGrpo: (p) => outcomes(p),
  reinforcePP: (p) => `let γ = ${num(p, 'gamma')} in 0…1
normalize(returnsToGo(reward, γ), batch)`,
  reinforcePPBaseline: (p) => `normalize(broadcast(${outcomes(p, ', mean')}), batch)`,
  gae: (p) => `let γ = ${num(p, 'gamma')} in 0…1, λ = ${num(p, 'lambda')} in 0…1
normalize(gae(γ, λ${p['cut'] === 'bootstrap' ? '' : `, ${String(p['cut'])}`}), batch)`,
  gigpo: (p) => `let ω = ${num(p, 'omega')} in 0…10, γ = ${num(p, 'gamma')} in 0…1
part episode = normalize(outcome, task${byOf(p)}${rowsOf(p, 'episodeRows')})
part step = ω × normalizeSets(returnsToGo(reward, γ), sets(state)${byOf(p)})`,
  hgpo: hgpo,
  salt: (p) => `credit = normalize(outcome, task${base(p)}${rowsOf(p)})
meanOver(credit, sets(edge${p['history'] === 0 ? '' : `, past: ${num(p, 'history')}`})${p['count'] === 'trajectory' ? ', trajectory' : ''})`,
  litePpo: (p) => `overSpread(normalize(outcome, task, mean${rowsOf(p)}), outcome${rowsOf(p)})`,
  gpg: (p) => `let F = ${num(p, 'norm')} in 0.1…10
α = 1 ÷ mean(outcome ≠ 0, batch${rowsOf(p)})
α × (${outcomes(p, ', mean')}) ÷ F`,
  opo: (p) =>
    p['singleton'] === 'return'
      ? 'normalize(outcome, task, mean, steps) + normalize(outcome, task, alone)'
      : 'normalize(outcome, task, mean, steps)',
  grpoPassK: ({ divide }) =>
    divide === true
      ? 'overSpread(lead(outcome), outcome, task)'
      : 'lead(outcome) × normalize(outcome, task, comparable)',
  mapo: (p) => `let α = ${num(p, 'alpha')} in 0…10, β = ${num(p, 'beta')} in 0…10
part turn = α × normalizeSets(returnsToGo(reward, ${num(p, 'gamma')}), sets(time))
part immediate = β × normalize(reward, ${String(p['scope'])})`,
  mars: ({ whitened }) => `G = returnsToGo(normalize(reward, player, mean))
${whitened === true ? 'normalize(normalize(G, player, mean), batch)' : 'normalize(G, player, mean)'}`,
  empg: (p) => `let k = ${num(p, 'k')} in 0…10, later = ${num(p, 'kFuture')} in 0…10, ζ = ${num(p, 'zeta')} in 0…10
h = unitRange(entropy)
sure = exp(−k × h)
weighed = normalize(outcome, task${rowsOf(p)}) × sure ÷ mean(sure, batch)
normalize(weighed + ζ × following(exp(−later × h)), batch, mean)`,
  aepo: (p) => `let a = ${num(p, 'a')} in 0…10
normalize(outcome, task${rowsOf(p)}) × (1 + a × normalize(entropy, batch))`,
  hicra: (p) =>
    p['plan'] !== 'decisions'
      ? null
      : `let α = ${num(p, 'alpha')} in 0…10
part episode = normalize(outcome, task${rowsOf(p)})
part planning = α × abs(episode) × branches()`,
  gdpo: (p) => {
    const names = ['world', 'first', 'second', 'third'] as const;
    const sum = (mode: string): string =>
      names.map((name, k) => `${num(p, name)} × normalize(rewardPart(${k}), task${mode})`).join('\n  + ');
    const all = p['singleton'] === 'return' ? `${sum('')}\n  + ${sum(', alone')}` : sum('');
    return `S = ${all}\nnormalize(broadcast(S), batch)`;
  },
  remax: ({ form }) => `${form === 'toGo' ? 'returnsToGo(reward)' : 'outcome'} − greedyReturn`,
  oprl: (p) => {
    const isLoo = p['base'] === 'rloo';
    const beta = p['beta'] as number;
    const reward = isLoo && p['maxAbs'] === true ? `scaleByLargest(r, ${numberText(SPREAD * beta)})` : 'r';
    return `let α = ${num(p, 'alpha')} in 0…10, β = ${num(p, 'beta')} in 0…1
r = β × (logpPhi − logp)
part episode = normalize(outcome, task${base(p)}${rowsOf(p)})
part step = α × normalize(${reward}, task${base(p)})`;
  },
};

function hgpo(p: AnyValues): string | null {
  const { K, weights, episode } = p;
  // one more level of whole episodes has no sets of steps
  if (episode === 'level') return null;
  const recipe = Array.from({ length: (K as number) + 1 }, (_, k) => {
    const sets = k === 0 ? 'sets(state)' : `sets(state, past: ${k})`;
    return `level(${sets}, exp(α × log(${k + 2})))`;
  }).join(', ');
  const levels = weights === 'recipe' ? recipe : `levels(${num(p, 'K')}, α)`;
  const own = `overLevels(G, ${levels}${byOf(p)})`;
  return `let α = ${num(p, 'alpha')} in 0…4, γ = ${num(p, 'gamma')} in 0…1
G = returnsToGo(reward, γ)
${episode === 'added' ? `normalize(outcome, task${byOf(p)}${rowsOf(p)}) + ${own}` : own}`;
}

/** An estimator with its settings as a formula; null where the language cannot say it. */
export const formulaOf = (id: string, params: AnyValues): string | null =>
  Object.hasOwn(library, id) ? library[id]!(params) : null;
