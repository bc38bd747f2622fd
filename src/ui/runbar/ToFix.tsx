import { fieldAt } from '../../config/schema.ts';
import { goToField } from '../form/goToField.ts';
import { errorsOf, useDraft } from '../stores/draft.ts';

/** More would not find room beside Run; mending these brings the next. */
const NAMED = 2;

const titleOf = (path: string): string => {
  const field = fieldAt(path);
  return field?.setting?.label ?? field?.slot.title ?? path;
};

/** Why Run waits, beside it: the settings to mend first, each with the way to where its sentence stands. */
export function ToFix() {
  const issues = useDraft((d) => d.issues);
  const paths = [...new Set(errorsOf(issues).map((issue) => issue.path))];
  if (paths.length === 0) return null;
  const named = paths.slice(0, NAMED);
  return (
    <p className="tofix" role="status">
      {paths.length === 1 ? '1 setting' : `${paths.length} settings`} to fix:{' '}
      {named.map((path, k) => (
        <span key={path}>
          {k > 0 && ', '}
          <button type="button" className="inword" onClick={() => void goToField(path)}>
            {titleOf(path).toLowerCase()} →
          </button>
        </span>
      ))}
    </p>
  );
}
