import { networkOf } from '../networks/policy.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

type Hint = { readonly severity: 'hint'; readonly path: string; readonly message: string };

/** Settings of the critic that have no effect, or no good one. */
export function criticHints(config: Config): Hint[] {
  const value = (path: string): unknown => getValue(config, path);
  const isDouble = value('policy.critics') === 'double';
  const warmup = value('objective.criticWarmup') as number;
  const found: Hint[] = [];
  const say = (holds: boolean, path: string, message: string): void =>
    void (holds && found.push({ severity: 'hint', path, message }));
  if (estimatorIn(config.advantage)?.critic !== true) {
    const message = 'is not used: the estimator has no critic';
    say(isDouble, 'policy.critics', message);
    say(warmup > 0, 'objective.criticWarmup', message);
    return found;
  }
  const isTable = networkOf(config.policy.method).isTable === true;
  const isMean = value('objective.valueLoss') === 'mean';
  say(isDouble && isTable, 'policy.critics', 'changes nothing in a table, where both values start at 0');
  say(
    isMean && value('objective.valueClip') === 0,
    'objective.valueLoss',
    'has no clipped half: the value clip is off',
  );
  say(
    warmup >= (value('run.updates') as number),
    'objective.criticWarmup',
    'is the whole run: the policy never learns',
  );
  return found;
}
