import { chosenOf } from '../contract/module.ts';
import type { ConfigIssue } from '../core/problem.ts';
import { controllers } from '../slots/registry.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

type Issue = ConfigIssue & { readonly severity: 'error' | 'hint' };

/** Title of the controller that sets a coefficient whatever its slider says; null: none does. */
export function turnsAlone({ control }: Config, coefficient: 'klCoef' | 'entropyCoef'): string | null {
  const found = chosenOf(controllers, control).find(
    ({ module }) => module.isAlone === true && module.turns === coefficient,
  );
  return found?.module.title ?? null;
}

/** Controllers that lack what they follow, or have nothing to do, as their records say what they are. */
export function controlIssues(config: Config): Issue[] {
  const number = (path: string): number => getValue(config, path) as number;
  const found: Issue[] = [];
  const say = (severity: Issue['severity'], path: string, message: string, repair?: Issue['repair']): void =>
    void found.push({ severity, path, message, ...(repair ? { repair } : {}) });
  const alone = turnsAlone(config, 'klCoef');
  const paysInReward = getValue(config, 'objective.klIn') === 'reward';
  const isSet = number('objective.klCoef') > 0;
  if (alone !== null && isSet) say('hint', 'objective.klCoef', `does nothing: ${alone} sets the weight of the KL term`);
  let follows = false;
  for (const { module } of chosenOf(controllers, config.control)) {
    const path = `control.${module.id}.on`;
    if (module.readsEvaluations && number('analysis.evalEvery') === 0) {
      const set = [{ path: 'analysis.evalEvery', value: 5 }];
      say('error', path, 'waits for evaluations, and there are none', { label: 'evaluate every 5 updates', set });
    }
    if (module.turns === 'klCoef' && module.isAlone && paysInReward) {
      const set = [{ path: 'objective.klIn', value: 'loss' }];
      say('error', path, `is ${module.title}, whose penalty acts in the loss`, { label: 'KL in the loss', set });
    }
    if (module.turns === 'klCoef' && !module.isAlone) {
      if (alone === null) follows = true;
      else say('hint', path, `does nothing: ${alone} sets the weight of the KL term`);
    }
    if (module.stopsAt && number('objective.epochs') === 1 && number('objective.minibatches') === 1)
      say('hint', path, 'has nothing to stop: a batch is used for one step only');
  }
  if (alone === null && !isSet && (follows || paysInReward))
    say('hint', 'objective.klCoef', 'is 0: there is no KL term to adapt or to pay for');
  return found;
}
