import { lookahead, type LookaheadSettings } from '../../lab/analysis/lookahead.ts';
import { estimatorIn } from '../../slots/estimatorOf.ts';
import { Pick } from '../charts/Ask.tsx';
import { useRunConfig } from '../session.ts';
import { chooseAhead, settingsOf, useAhead } from './store.ts';

const { params } = lookahead;
const LEAVES = params.leaf.options.map((id, k) => ({ id, name: params.leaf.optionLabels[k]! }));
const WIDTHS = [0, 1, 2, 3] as const;
const COMMITS = [1, 2, 4] as const;

/** The settings of the lookahead for the run on the page. */
export function useAheadSettings(): LookaheadSettings {
  const config = useRunConfig();
  const choice = useAhead();
  return settingsOf(choice, config !== null && estimatorIn(config.advantage)?.critic === true);
}

/** What people choose about a lookahead besides its depth. */
export function AheadChoices({ off }: { off: boolean }) {
  const { leaf, width, commit } = useAheadSettings();
  return (
    <>
      <label className="inline" title={params.leaf.doc}>
        at the end{' '}
        <select
          value={leaf}
          disabled={off}
          onChange={(event) => chooseAhead({ leaf: event.target.value as LookaheadSettings['leaf'] })}
        >
          {LEAVES.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Pick
        label="actions tried"
        doc={params.width.doc}
        options={WIDTHS}
        at={width}
        set={(n) => chooseAhead({ width: n })}
        off={off}
      />
      <Pick
        label="look every"
        doc={params.commit.doc}
        options={COMMITS}
        at={commit}
        set={(n) => chooseAhead({ commit: n })}
        off={off}
      />
    </>
  );
}
