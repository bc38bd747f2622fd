import { getValue } from '../../config/schema.ts';
import { remember } from '../before.ts';
import { say } from '../notices/say.ts';
import { present, reset } from '../session.ts';
import { changeAll, useDraft } from '../stores/draft.ts';
import { look } from '../stores/view.ts';
import { openCompare, vary } from '../sweeps/compareStore.ts';
import { METHOD, TEXT, used } from './formulaStore.ts';

/** The experiment gives its credit by this text, from its start; “Undo” brings back what was there. */
export function takeFormula(text: string): void {
  remember(present());
  changeAll([
    { path: METHOD, value: 'formula' },
    { path: TEXT, value: text },
  ]);
  used();
  look({ tab: 'watch' });
  void reset();
  say('The experiment uses your formula. Run trains it.');
}

/** Opens “Compare settings” with the formula beside the estimator of the experiment and two that everybody knows. */
export function compareWith(text: string): void {
  const { config } = useDraft.getState();
  changeAll([{ path: TEXT, value: text }]);
  const own = getValue(config, METHOD) as string;
  const values = [...new Set(['formula', own, 'grpo', 'gigpo'])].slice(0, 4);
  vary({ title: 'Own formula', kind: 'grid', varied: [{ path: METHOD, values }] });
  used();
  openCompare();
}
