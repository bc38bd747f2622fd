import type { ConfigIssue } from '../core/problem.ts';
import { optimizers } from '../methods/registry.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

type Issue = ConfigIssue & { readonly severity: 'error' | 'hint' };

/** Steps as long as the learning rate: below `least` nothing happens, `good` is a start. */
const LENGTHS: Readonly<Record<string, { readonly of: string; readonly least: number; readonly good: number }>> = {
  npgIgt: { of: 'the first step', least: 0.03, good: 0.3 },
  normalizedSgd: { of: 'every step', least: 0.01, good: 0.1 },
};

/** Settings that an optimizer makes meaningless, or that it cannot be joined with. */
export function optimizerIssues(config: Config): Issue[] {
  const { method } = config.optimizer;
  const found: Issue[] = [];
  const say = (severity: Issue['severity'], path: string, message: string, label: string, value: unknown): void =>
    void found.push({ severity, path, message, repair: { label, set: [{ path, value }] } });
  if (method === 'npgIgt' && config.objective['klPreview'] === true) {
    const message = 'takes back a part of a step, but N-PG-IGT plays ahead of where its steps lead';
    say('error', 'objective.klPreview', message, 'switch it off', false);
  }
  const length = LENGTHS[method];
  if (length && (getValue(config, 'optimizer.learningRate') as number) < length.least) {
    const message = `is the length of ${length.of}: nearly nothing`;
    say('hint', 'optimizer.learningRate', message, `set ${length.good}`, length.good);
  }
  const forgets = method === 'normalizedSgd' && getValue(config, 'optimizer.normalizedSgd.momentum') === 0;
  if (forgets && (getValue(config, 'optimizer.clipNorm') as number) > 0) {
    const message = 'has nothing to do: without momentum every step has the same length, whatever the gradient';
    say('hint', 'optimizer.clipNorm', message, 'switch it off', 0);
  }
  if (config.advantage['matched'] === true && method !== 'sgd') {
    const { title } = optimizers.find((o) => o.id === method)!;
    const message = `changes little with ${title}, which rescales the step by itself`;
    found.push({ severity: 'hint', path: 'advantage.matched', message });
  }
  return found;
}
