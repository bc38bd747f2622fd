import { useState } from 'react';
import type { ProbeRow, ProbesResult, ReadOut } from '../../worker/protocol.ts';
import { percent, value } from '../format.ts';
import { Ask, Pick } from './Ask.tsx';
import { Figure } from './Figure.tsx';
import { look } from '../stores/view.ts';
import { ProbeMaps } from './ProbeMaps.tsx';
import { MARK_WORDS, MARKS, nameOf, ProbeRows } from './ProbeRows.tsx';
import './probes.css';
import { useMeasurement } from './useMeasurement.ts';

const DOC =
  'The policy plays levels that it never trained on, and one step of each is taken. A read-out of its last hidden layer, or of an earlier one that you choose, learns on four fifths of them to tell the map, the places of the agent and of the goal, the next subgoal, and what it will do; it is asked about the rest. Linear: softmax regression. Small network: 64 units between, which can also compute what does not stand in the layer. Cells: balanced accuracy, so that a rare kind counts as much as the floor; all else: share of right answers. Bars: 95 % bootstrap over levels. Controls: the same network at its start, the observation of that step alone, answers of other levels, and answers from a table with one drawn by chance for each place of the agent, which nobody can know. What the policy knows beyond its observation it remembers; what it knows beyond an untrained network it has learned to remember. A read-out that does better on answers from a table as well is only stronger.';
const SIZES = [256, 512, 1024] as const;
/** The hidden layer that is read; 0: the last one. */
const LAST = 0;
const FORMS = { linear: 'linear', mlp: 'small network' } as const;
type Form = keyof typeof FORMS;

/** What can be read inside the policy: its map, where it is, where the goal is, and what it will do. */
export function ProbePanel() {
  const [n, setN] = useState<number>(SIZES[2]);
  const [form, setForm] = useState<Form>('linear');
  const [layer, setLayer] = useState<number>(LAST);
  const { done, answers, start, stop } = useMeasurement('probes');
  const answer = answers.at(-1);
  const found = answer?.probes ?? null;
  const told = found
    ? tell(found, form, answer!.update)
    : (answer?.why ??
      'Plays new levels with the policy and learns to read its hidden layer; the run continues meanwhile.');
  return (
    <Figure
      title="What does the policy know?"
      unit="share told right"
      doc={DOC}
      sentence={told}
      file="probes"
      table={found && table(found)}
    >
      <Ask label="Read the policy" done={done} start={() => start(n, { layer })} stop={stop}>
        <Pick label="levels" options={SIZES} at={n} set={setN} off={done !== null} />
        {found && found.layers > 1 && (
          <label className="inline">
            layer{' '}
            <select value={layer} disabled={done !== null} onChange={(event) => setLayer(Number(event.target.value))}>
              <option value={LAST}>the last</option>
              {Array.from({ length: found.layers - 1 }, (_, k) => (
                <option key={k} value={k + 1}>
                  {k + 1} of {found.layers}
                </option>
              ))}
            </select>
          </label>
        )}
        {found && (
          <label className="inline">
            read-out{' '}
            <select value={form} onChange={(event) => setForm(event.target.value as Form)}>
              {Object.entries(FORMS).map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </Ask>
      {found && <ProbeRows rows={found[form].rows} />}
      {found && <ProbeMaps maps={found[form].maps} classes={found.classes} />}
      <p className="quiet">
        <button type="button" onClick={() => look({ dock: 'inside', tab: 'episodes' })}>
          Look inside
        </button>{' '}
        at one step: its weights, or what each head looks back at where the policy has attention.
      </p>
    </Figure>
  );
}

/** The row that tells most about a memory: cells seen earlier, or else the place of the agent. */
const mainRow = ({ rows }: ReadOut): ProbeRow =>
  rows.find(({ what }) => what === 'earlier') ?? rows.find(({ what }) => what === 'agent')!;

function tell(found: ProbesResult, form: Form, update: number): string {
  const { width, asked, layer, layers } = found;
  const where = layers > 1 ? ` of hidden layer ${layer}` : '';
  const { belief } = found[form];
  const row = mainRow(found[form]);
  const what = row.what === 'earlier' ? 'Cells that were seen earlier are' : 'The place of the agent is';
  const beyond =
    row.low > Math.max(row.observation, row.untrained)
      ? 'more than the observation or an untrained network tells'
      : 'no more than the observation or an untrained network tells';
  const explained = belief
    ? ` Of its actions ${percent(belief.best)} are best in the true map and ${percent(belief.decodedBest)} in the map that is read; of those that are not best, ${percent(belief.explained)} would be best in the map that is read.`
    : '';
  const stronger = form === 'linear' ? '' : ` ${besideLinear(row, mainRow(found.linear))}`;
  return `${what} told right in ${percent(row.policy)} [${percent(row.low)}, ${percent(row.high)}] from ${width} numbers${where} after ${update} updates: ${beyond}. ${asked} levels.${stronger}${explained}`;
}

/** Is what a stronger read-out tells more of what the policy knows, or only what a stronger one tells of anything? */
function besideLinear(row: ProbeRow, linear: ProbeRow): string {
  const points = (share: number): string => `${Math.max(0, Math.round(100 * share))} points`;
  const [here, anything] = [row.policy - linear.policy, row.control - linear.control];
  if (row.low <= linear.policy || Math.round(100 * here) < 1)
    return 'No more than the linear read-out tells: nothing has to be computed from the layer.';
  const gains = `That is ${points(here)} more than the linear read-out tells, and ${points(anything)} more of answers that mean nothing`;
  return `${gains}: ${here > anything ? 'some of it is knowledge that is not written plainly' : 'the read-out is stronger, and that is all'}.`;
}

function table({ linear, mlp }: ProbesResult) {
  return {
    columns: [
      ...['what is told', 'read-out', 'asked', 'policy', 'low', 'high'],
      ...[...MARKS.map((mark) => MARK_WORDS[mark]), 'selectivity'],
    ],
    rows: linear.rows.flatMap((row, j) =>
      ([row, mlp.rows[j]!] as const).map((own, form) => [
        ...[nameOf(own), Object.values(FORMS)[form]!, own.n],
        ...[own.policy, own.low, own.high, ...MARKS.map((mark) => own[mark]), own.policy - own.control].map((share) =>
          value(share),
        ),
      ]),
    ),
  };
}
