import { Plus } from 'lucide-react';
import { useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import { fieldAt } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { readDescription, type Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { count, duration, short } from '../format.ts';
import { say } from '../notices/say.ts';
import { toClipboard } from '../share/toClipboard.ts';
import { useDraft } from '../stores/draft.ts';
import { shared, useCompare, vary, type Compare } from './compareStore.ts';
import { describe, firstValues, varyable } from './describe.ts';
import { equalIn, FIELDS, type Matched } from './equal.ts';
import { begin, useSweep } from './sweepStore.ts';
import { SUGGESTIONS } from './suggestions.ts';
import { labelOf, ValuesRow } from './ValuesRow.tsx';
import { onGpu, usePlace, Where, type Place } from './Where.tsx';

/** What the dialog describes, expanded: the sweep, or the sentence of why it cannot be trained. */
type Planned = { readonly description: Description; readonly found: Sweep | string };

function usePlanned(compare: Compare, config: Config): Planned | null {
  const description = useMemo(() => describe(compare, config), [compare, config]);
  const [planned, setPlanned] = useState<Planned | null>(null);
  useEffect(() => {
    let isOver = false;
    const read = readDescription(description);
    const plan = typeof read === 'string' ? Promise.resolve(read) : expand(read, config);
    void plan.then((found) => !isOver && setPlanned({ description, found }));
    return () => void (isOver = true);
  }, [description, config]);
  return planned;
}

/** The experiment itself is trained with one seed of each: whatever differs in it is said in its own row. */
const NOTHING = 'Choose at least one setting with two values.';

function problemOf(found: Sweep | string): string | null {
  if (typeof found === 'string') return found;
  return found.groups.length < 2 ? NOTHING : null;
}

function NumberField(props: { label: string; value: number; most: number; set: (value: number) => void }) {
  const { label, value, most, set } = props;
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const take = (next: string): void => {
    setText(next);
    const n = Number(next);
    if (next !== '' && Number.isInteger(n) && n >= 1 && n <= most) set(n);
  };
  return (
    <div className="comparenumber">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={1}
        max={most}
        value={text ?? String(value)}
        onChange={(event) => take(event.target.value)}
        onBlur={() => setText(null)}
      />
    </div>
  );
}

const AMOUNTS: Readonly<Record<Matched, { readonly label: string; readonly most: number }>> = {
  updates: { label: 'Updates', most: 20_000 },
  gradientSteps: { label: 'Updates', most: 20_000 },
  environmentSteps: { label: 'Environment steps', most: 1e12 },
  seconds: { label: 'Seconds', most: 86_400 },
};

const MATCHES: readonly { readonly id: Matched; readonly label: string }[] = [
  { id: 'updates', label: 'updates' },
  { id: 'gradientSteps', label: 'gradient steps' },
  { id: 'environmentSteps', label: 'environment steps' },
  { id: 'seconds', label: 'training time' },
];

/** How often and how long every version trains, and what is equal in all of them. */
function Length({ compare, config }: { compare: Compare; config: Config }) {
  const { seeds, isSizeMatched } = compare;
  const { match, amount, words } = useMemo(() => equalIn(compare, config), [compare, config]);
  const id = useId();
  return (
    <fieldset className="comparelength">
      <legend>How long</legend>
      <NumberField label="Seeds" value={seeds} most={1000} set={(n) => vary({ seeds: n })} />
      <div className="comparenumber">
        <label htmlFor={id}>Equal in all</label>
        <select id={id} value={match} onChange={(e) => vary({ match: e.target.value as Matched })}>
          {MATCHES.map(({ id: one, label }) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <NumberField {...AMOUNTS[match]} value={amount} set={(n) => vary({ [FIELDS[match]]: n })} />
      <label className="check">
        <input
          type="checkbox"
          checked={isSizeMatched}
          onChange={(event) => vary({ isSizeMatched: event.target.checked })}
        />
        Match update size: credit is divided by its size over the batch
      </label>
      {words !== null && <p className="quiet">{words}</p>}
      {match === 'seconds' && (
        <p className="quiet">
          How far a run gets depends on this machine, so its result cannot be verified on another.
        </p>
      )}
    </fieldset>
  );
}

/** How many runs these are, and what they take on this machine. */
function CostOfSweep({ sweep, place }: { sweep: Sweep; place: Place }) {
  const seconds = place.seconds[place.backend];
  const { groups, cells, mostSteps } = sweep;
  return (
    <p className="comparecost" role="status">
      <strong>
        {count(groups.length)} versions × {count(cells.length / groups.length)}{' '}
        {cells.length === groups.length ? 'seed' : 'seeds'} = {count(cells.length)} runs
      </strong>
      {mostSteps !== null && `, up to ${short(mostSteps)} environment steps`}
      {seconds === null ? ', time is being measured' : `, at most ${duration(seconds)} on this machine`}
    </p>
  );
}

/** What differs between the versions: suggestions, or setting by setting. */
function Differs({ compare, config, problem }: { compare: Compare; config: Config; problem: string | null }) {
  const { varied, kind } = compare;
  const offered = varyable(config).filter(({ path }) => !varied.some((one) => one.path === path));
  const add = (): void => {
    const field = offered[0]!;
    vary({ varied: [...varied, { path: field.path, values: firstValues(field, config) }] });
  };
  const isAt = (path: string): boolean =>
    problem !== null && (problem.includes(path) || problem.includes(labelOf(fieldAt(path)!).toLowerCase()));
  const first = varied.find(({ path }) => isAt(path));
  const said: ReactNode = problem && (
    <p className="issue error" role="alert">
      {problem}
    </p>
  );
  return (
    <fieldset>
      <legend>What differs</legend>
      <div className="suggestions">
        {SUGGESTIONS.map(({ label, of }) => (
          <button key={label} type="button" className="chip" onClick={() => vary(of(config))}>
            {label}
          </button>
        ))}
      </div>
      {varied.map((one, row) => (
        <div key={one.path}>
          <ValuesRow row={row} varied={one} config={config} />
          {one === first && said}
        </div>
      ))}
      {!first && said}
      <div className="comparekind">
        <button type="button" disabled={offered.length === 0} onClick={add}>
          <Plus aria-hidden size={14} /> Setting
        </button>
        {varied.length > 0 &&
          (['grid', 'single'] as const).map((one) => (
            <label key={one} className="check">
              <input type="radio" name="comparekind" checked={kind === one} onChange={() => vary({ kind: one })} />
              {one === 'grid' ? 'Every combination' : 'One change at a time, against the experiment as it is'}
            </label>
          ))}
      </div>
    </fieldset>
  );
}

/** The link opens this dialog with the experiment on the page. */
async function copyComparison(): Promise<void> {
  const sweep = shared(useCompare.getState(), useDraft.getState().config);
  if (!sweep) return;
  const { MOST_SHARED, runsOfSweep } = await import('../../config/sharedSweep.ts');
  if (runsOfSweep(sweep) > MOST_SHARED)
    return say(`A link holds comparisons of at most ${MOST_SHARED} runs; this one has more.`);
  try {
    await toClipboard(import('../share/linkOf.ts').then(({ linkOf }) => linkOf(null, sweep)));
    say('The link to this comparison is in the clipboard.');
  } catch {
    say('The browser did not allow copying.');
  }
}

/** Chooses what is compared, tells what that takes, and starts it. */
export function CompareForm({ started }: { started: () => void }) {
  const compare = useCompare();
  const config = useDraft((d) => d.config);
  const title = useDraft((d) => d.baseTitle);
  const trouble = useSweep((s) => s.trouble);
  const planned = usePlanned(compare, config);
  const problem = planned && problemOf(planned.found);
  const sweep = planned && problem === null ? (planned.found as Sweep) : null;
  const trainable = useMemo(() => (sweep ? { sweep, description: planned!.description } : null), [sweep, planned]);
  const place = usePlace(compare, trainable, config);
  const [isStarting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    if (!sweep) return;
    setStarting(true);
    const name = compare.title || compare.varied.map(({ path }) => labelOf(fieldAt(path)!)).join(', ');
    const description = place.backend === 'cpu' ? planned!.description : onGpu(planned!.description);
    const own = place.backend === 'cpu' ? sweep : await expand(description, config);
    // what only another seed shows
    if (typeof own === 'string') useSweep.setState({ trouble: own });
    const isBegun = typeof own !== 'string' && (await begin(own, description, `${name} · ${title}`.slice(0, 120)));
    setStarting(false);
    if (isBegun) started();
  };
  return (
    <form
      className="compareform"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Differs compare={compare} config={config} problem={compare.varied.length === 0 ? null : problem} />
      <Length compare={compare} config={config} />
      {sweep && <Where sweep={sweep} place={place} />}
      {sweep && <CostOfSweep sweep={sweep} place={place} />}
      {compare.varied.length === 0 && <p className="quiet">Choose what differs first: a suggestion, or a setting.</p>}
      {trouble && (
        <p className="issue error" role="alert">
          {trouble}
        </p>
      )}
      <button type="submit" className="primary" disabled={!sweep || isStarting}>
        Start comparison
      </button>{' '}
      <button type="button" disabled={!sweep} onClick={() => void copyComparison()}>
        Copy link
      </button>
    </form>
  );
}
