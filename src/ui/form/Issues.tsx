import { changeAll, NOT_TAKEN, useDraft } from '../stores/draft.ts';

/** What is wrong with a field, with a button that repairs it. */
export function Issues({ path }: { path: string }) {
  const all = useDraft((d) => d.issues);
  const issues = all.filter((i) => i.path === path && i.message !== NOT_TAKEN);
  return issues.map((issue) => (
    <span
      key={issue.message}
      className={`issue ${issue.severity}`}
      role={issue.severity === 'error' ? 'alert' : 'note'}
    >
      This {issue.message}.{' '}
      {issue.repair && (
        <button type="button" onClick={() => changeAll(issue.repair!.set)}>
          {issue.repair.label}
        </button>
      )}
    </span>
  ));
}
