import { checkRules } from '../../config/rules.ts';
import { setValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { METHOD, TEXT } from './formulaStore.ts';

/** The experiment with a formula as its estimator. */
export const withFormula = (config: Config, text: string): Config =>
  setValue(setValue(config, METHOD, 'formula'), TEXT, text);

/** Why the experiment could not train with this formula, in a sentence; null if it can, as far as the formula goes. */
export function problemOf(config: Config, text: string): string | null {
  const before = new Set(checkRules(config).map(({ message }) => message));
  const issue = checkRules(withFormula(config, text)).find(
    ({ severity, message }) => severity === 'error' && !before.has(message),
  );
  return issue ? `This ${issue.message}.` : null;
}
