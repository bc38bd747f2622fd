import { useState, type FormEvent } from 'react';
import { KEY_WORDS } from '../../logs/keys.ts';
import { ROLE_WORDS } from '../../logs/roles.ts';
import { ROLES, type Found, type KeyRule, type Mapping, type Role } from '../../logs/types.ts';
import { readAgain, useLogs } from './logStore.ts';

const KINDS = Object.keys(KEY_WORDS) as KeyRule['kind'][];

/** How the log is read: when two states are the same, where episodes end, and which column is what. */
export function ReadForm({ found }: { found: Pick<Found, 'columns' | 'mapping'> | null }) {
  const reading = useLogs((l) => l.reading);
  const [kind, setKind] = useState(reading.key.kind);
  const [pattern, setPattern] = useState(reading.key.kind === 'pattern' ? reading.key.pattern : '');
  const [threshold, setThreshold] = useState(reading.key.kind === 'similar' ? reading.key.threshold : 0.95);
  const [sharesEnds, setShares] = useState(reading.sharesEnds);
  const [mapping, setMapping] = useState<Mapping>(reading.mapping);
  const columns = found?.columns ?? [];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const key: KeyRule = kind === 'pattern' ? { kind, pattern } : kind === 'similar' ? { kind, threshold } : { kind };
    void readAgain({ key, sharesEnds, mapping });
  };
  return (
    <form className="logform" aria-label="How the log is read" onSubmit={submit}>
      <label className="field">
        Two states are the same if they have
        <select value={kind} onChange={({ target }) => setKind(target.value as KeyRule['kind'])}>
          {KINDS.map((k) => (
            <option key={k} value={k}>
              {KEY_WORDS[k]}
            </option>
          ))}
        </select>
      </label>
      {kind === 'pattern' && (
        <label className="field">
          Pattern (regular expression; groups are compared)
          <input
            value={pattern}
            maxLength={200}
            spellCheck={false}
            onChange={({ target }) => setPattern(target.value)}
          />
        </label>
      )}
      {kind === 'similar' && (
        <label className="field">
          Likeness, 0.5 to 1
          <input
            type="number"
            min={0.5}
            max={1}
            step={0.01}
            value={threshold}
            onChange={({ target }) => setThreshold(Number(target.value))}
          />
        </label>
      )}
      <label className="check">
        <input type="checkbox" checked={sharesEnds} onChange={({ target }) => setShares(target.checked)} /> Where the
        log does not say how an episode ended, those with the same outcome share an end
      </label>
      {columns.length > 0 && (
        <details className="more">
          <summary>Columns</summary>
          <div className="logroles">
            {ROLES.map((role) => (
              <RoleField
                key={role}
                {...{ role, columns, mapping, setMapping }}
                recognized={found!.mapping[role] ?? ''}
              />
            ))}
          </div>
        </details>
      )}
      <button type="submit">Read again</button>
    </form>
  );
}

type RoleProps = {
  role: Role;
  columns: readonly string[];
  recognized: string;
  mapping: Mapping;
  setMapping: (mapping: Mapping) => void;
};

function RoleField({ role, columns, recognized, mapping, setMapping }: RoleProps) {
  const value = mapping[role] ?? recognized;
  return (
    <label className="field">
      {ROLE_WORDS[role]}
      <select value={value} onChange={({ target }) => setMapping({ ...mapping, [role]: target.value })}>
        <option value="">(no column)</option>
        {columns.map((name) => (
          <option key={name} value={name}>
            {name.slice(0, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}
