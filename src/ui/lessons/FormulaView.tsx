import type { BlockOf } from '../../lessons/format/blocks.ts';
import { shownValue } from '../../lessons/format/words.ts';
import { useLesson } from './lessonStore.ts';

/** A formula, with the numbers of this run beside its symbols. */
export function FormulaView({ formula, k }: { readonly formula: BlockOf<'formula'>['formula']; readonly k: number }) {
  const values = useLesson((l) => l.values[k]);
  return (
    <div className="formulablock">
      <p className="formula">{formula.text}</p>
      <dl aria-label="On this run">
        {Object.entries(formula.values).map(([name, written]) => {
          const value = typeof written === 'number' ? written : (values?.[name] ?? null);
          return (
            <div key={name}>
              <dt className="formula">{name}</dt>
              <dd className="number">{value === null ? 'after the run' : shownValue(value)}</dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
