import { chosenOf } from '../contract/module.ts';
import type { ConfigIssue } from '../core/problem.ts';
import { optimizers } from '../slots/methods.ts';
import { controllers, revisions } from '../slots/registry.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

type Issue = ConfigIssue & { readonly severity: 'error' | 'hint' };

/** Settings that an optimizer makes meaningless, or that it cannot be joined with, as their records say what they do. */
export function optimizerIssues(config: Config): Issue[] {
  const optimizer = optimizers.find((o) => o.id === config.optimizer.method);
  if (!optimizer) return [];
  const { title, stepLength } = optimizer;
  const found: Issue[] = [];
  const say = (severity: Issue['severity'], path: string, message: string, label: string, value: unknown): void =>
    void found.push({ severity, path, message, repair: { label, set: [{ path, value }] } });
  for (const { module } of chosenOf(controllers, config.control)) {
    if (!module.cutsAt || !optimizer.playsAhead) continue;
    const message = `takes back a part of a step, but ${title} plays ahead of where its steps lead`;
    say('error', `control.${module.id}.on`, message, 'switch it off', false);
  }
  if (stepLength && (getValue(config, 'optimizer.learningRate') as number) < stepLength.least) {
    const message = `is the length of ${stepLength.of}: almost nothing`;
    say('hint', 'optimizer.learningRate', message, `set ${stepLength.good}`, stepLength.good);
  }
  const forgets = optimizer.forgets?.(config.optimizer[optimizer.id] as never) === true;
  if (forgets && (getValue(config, 'optimizer.clipNorm') as number) > 0) {
    const message = 'has nothing to do: without momentum every step has the same length, whatever the gradient';
    say('hint', 'optimizer.clipNorm', message, 'switch it off', 0);
  }
  for (const { module } of chosenOf(revisions, config.revise)) {
    if (!module.onlyScales || optimizer.followsSize) continue;
    const message = `changes little with ${title}, which rescales the step by itself`;
    found.push({ severity: 'hint', path: `revise.${module.id}.on`, message });
  }
  return found;
}
