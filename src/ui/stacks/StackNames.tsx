import { fieldAt, isActive, modulesOf } from '../../config/schema.ts';
import { findKeys, type Known } from '../../config/stacks/find.ts';
import { optionNames } from '../../config/words/wordsOf.ts';
import { changeAll, useDraft } from '../stores/draft.ts';
import { Row } from '../form/SettingSearch.tsx';
import './stacks.css';

/** “Advantage method: GiGPO”, as the form has it. */
function hereWords(path: string, value: unknown): string {
  const { setting, slot } = fieldAt(path)!;
  if (setting === null) return `${slot.title} method: ${modulesOf(slot).find((m) => m.id === value)?.title ?? ''}`;
  const at = setting.kind === 'choice' ? setting.options.indexOf(String(value)) : -1;
  const named = setting.kind === 'choice' ? optionNames(setting)[at] : undefined;
  return `${setting.label}: ${named ?? JSON.stringify(value)}`;
}

/** One name: whose it is, what it is here, and the way to set it. */
function Name({ known: { stack, key: name, became, paths } }: { known: Known }) {
  const config = useDraft((d) => d.config);
  const set = Object.entries(became?.set ?? {}).map(([path, value]) => ({ path, value }));
  const shown = paths.map((path) => fieldAt(path)!).filter((field) => isActive(config, field));
  return (
    <li>
      <p>
        <span>
          {stack}: <code>{name}</code>{' '}
          {became?.leave !== undefined
            ? became.leave
            : set.length > 0
              ? set.map(({ path, value }) => hereWords(path, value)).join('; ')
              : (became?.why ?? (paths.length === 0 ? 'is not in the lab' : ''))}
        </span>
        {set.length > 0 && (
          <button type="button" onClick={() => changeAll(set)}>
            Set<span className="visually-hidden"> {name} here</span>
          </button>
        )}
      </p>
      {shown.map((field) => (
        <Row key={field.path} field={field} />
      ))}
    </li>
  );
}

/** What the names of verl, verl-agent and TRL in a query are here; `isAlone`: nothing else was found. */
export function StackNames({ query, isAlone }: { query: string; isAlone: boolean }) {
  const config = useDraft((d) => d.config);
  const found = findKeys(query, config);
  if (found.length === 0) return isAlone ? <p className="quiet">No setting matches.</p> : null;
  return (
    <ul className="stacknames" aria-label="Names of other stacks">
      {found.map((known) => (
        <Name key={`${known.stack} ${known.key}`} known={known} />
      ))}
    </ul>
  );
}
