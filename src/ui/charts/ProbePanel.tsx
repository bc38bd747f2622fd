import { useState, type ReactNode } from 'react';
import type { DecodedMap, ProbeRow, ProbesResult } from '../../worker/protocol.ts';
import { percent, value } from '../format.ts';
import { Ask, Pick } from './Ask.tsx';
import { Figure } from './Figure.tsx';
import { RIGHT, WIDTH } from './frame.ts';
import './probes.css';
import { useMeasurement } from './useMeasurement.ts';

const DOC =
  'The policy plays levels that it never trained on, and one step of each is taken. A linear read-out (softmax regression) of its last hidden layer learns on four fifths of them to tell the map, the place of the agent and of the goal, and the next actions; it is asked about the rest. Cells: balanced accuracy, so that a rare kind counts as much as the floor; all else: share of right answers. Bars: 95 % bootstrap over levels. Controls: the same network at its start, the observation of that step alone, and answers of other levels. What the policy knows beyond its observation it remembers; what it knows beyond an untrained network it has learned to remember.';
const SIZES = [256, 512, 1024] as const;
const ROW = 19;
const LEFT = 118;
const TOP = 16;
const MARKS = ['untrained', 'observation', 'shuffled'] as const;
const MARK_WORDS = { untrained: 'untrained', observation: 'this observation alone', shuffled: 'other levels’ answers' };

/** What can be read inside the policy: its map, where it is, where the goal is, and what it will do. */
export function ProbePanel() {
  const [n, setN] = useState<number>(SIZES[2]);
  const { done, answers, start, stop } = useMeasurement('probes');
  const answer = answers.at(-1);
  const found = answer?.probes ?? null;
  const told = found
    ? tell(found, answer!.update)
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
      <Ask label="Read the policy" done={done} start={() => start(n)} stop={stop}>
        <Pick label="levels" options={SIZES} at={n} set={setN} off={done !== null} />
      </Ask>
      {found && <Rows rows={found.rows} />}
      {found && <Maps found={found} />}
    </Figure>
  );
}

const NAMES: Readonly<Record<Exclude<ProbeRow['what'], 'action'>, string>> = {
  seen: 'cells in view',
  earlier: 'cells seen earlier',
  never: 'cells never seen',
  agent: 'own place',
  near: 'own place, ±1 cell',
  goal: 'place of the goal',
  goalNear: 'goal, ±1 cell',
};

function nameOf({ what, k }: ProbeRow): string {
  if (what !== 'action') return NAMES[what];
  return k === 0 ? 'next action' : `action after ${k} ${k === 1 ? 'step' : 'steps'}`;
}

/** The row that tells most about a memory: cells seen earlier, or else the place of the agent. */
function tell({ rows, width, asked, belief }: ProbesResult, update: number): string {
  const row = rows.find(({ what }) => what === 'earlier') ?? rows.find(({ what }) => what === 'agent')!;
  const what = row.what === 'earlier' ? 'Cells that were seen earlier' : 'The place of the agent';
  const beyond =
    row.low > Math.max(row.observation, row.untrained)
      ? 'more than the observation or an untrained network tells'
      : 'no more than the observation or an untrained network tells';
  const explained = belief
    ? ` Of its actions ${percent(belief.best)} are best in the true map and ${percent(belief.decodedBest)} in the map that is read; of those that are not best, ${percent(belief.explained)} would be best in the map that is read.`
    : '';
  return `${what} are told right in ${percent(row.policy)} [${percent(row.low)}, ${percent(row.high)}] from ${width} numbers after ${update} updates: ${beyond}. ${asked} levels.${explained}`.replace(
    'The place of the agent are',
    'The place of the agent is',
  );
}

function Rows({ rows }: { rows: readonly ProbeRow[] }) {
  const x = (share: number): number => LEFT + share * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + rows.length * ROW;
  const told = rows.map((row) => `${nameOf(row)}: ${percent(row.policy)}`).join(', ');
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${bottom + 18}`} role="img" aria-label={`Share told right. ${told}.`}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <path className="gridline" d={`M${x(share)} ${TOP - 6}V${bottom}`} />
            <text x={x(share)} y={bottom + 14} textAnchor="middle">
              {percent(share)}
            </text>
          </g>
        ))}
        {rows.map((row, j) => {
          const y = TOP + j * ROW + 4;
          return (
            <g key={nameOf(row)}>
              <text x={LEFT - 8} y={y + 4} textAnchor="end">
                {nameOf(row)}
              </text>
              <path className="bar" d={`M${x(row.low)} ${y}H${x(row.high)}`} />
              <path className="probemark untrained" d={`M${x(row.untrained)} ${y - 5}V${y + 5}`} />
              <rect className="probemark" x={x(row.observation) - 3} y={y - 3} width="6" height="6" />
              <path
                className="probemark"
                d={`M${x(row.shuffled) - 3} ${y - 3}l6 6M${x(row.shuffled) + 3} ${y - 3}l-6 6`}
              />
              <circle className="dot" cx={x(row.policy)} cy={y} r="4" />
            </g>
          );
        })}
      </svg>
      <p className="keyline probekey">
        <span>
          <Sign>
            <circle className="dot" cx="6" cy="6" r="4" />
          </Sign>
          policy
        </span>
        <span>
          <Sign>
            <path className="probemark untrained" d="M6 1V11" />
          </Sign>
          {MARK_WORDS.untrained}
        </span>
        <span>
          <Sign>
            <rect className="probemark" x="3" y="3" width="6" height="6" />
          </Sign>
          {MARK_WORDS.observation}
        </span>
        <span>
          <Sign>
            <path className="probemark" d="M3 3l6 6M9 3l-6 6" />
          </Sign>
          {MARK_WORDS.shuffled}
        </span>
      </p>
    </>
  );
}

const Sign = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden className="probesign">
    {children}
  </svg>
);

/** Maps of levels that were asked about: as they are, and as they are read. */
function Maps({ found: { maps, classes } }: { found: ProbesResult }) {
  if (maps.every(({ truth, decoded }) => truth.join() === decoded.join() && classes.length < 2)) return null;
  return (
    <>
      <div className="probemaps">
        {maps.map((map, k) => (
          <figure key={k}>
            <Map map={map} classes={classes} isTrue />
            <Map map={map} classes={classes} isTrue={false} />
            <figcaption>
              {wrongIn(map) === 0
                ? 'all cells told right'
                : `${wrongIn(map)} of ${map.truth.length} ${map.truth.length === 1 ? 'cell' : 'cells'} told wrong`}
            </figcaption>
          </figure>
        ))}
      </div>
      <p className="quiet">
        Left as it is, right as it is read, on levels that nobody learned from. Ring: the agent. Pale: never seen. A
        cross is on what is told wrong.
      </p>
    </>
  );
}

const wrongIn = ({ truth, decoded }: DecodedMap): number =>
  truth.filter((label, cell) => label !== decoded[cell]).length;

const GROUNDS = ['wall', 'floor', 'goal'];

function Map({ map, classes, isTrue }: { map: DecodedMap; classes: readonly string[]; isTrue: boolean }) {
  const { width, truth, decoded, seen } = map;
  const labels = isTrue ? truth : decoded;
  const height = truth.length / width;
  const at = isTrue ? map.agent : map.decodedAgent;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={isTrue ? 'The map as it is' : `The map as it is read: ${wrongIn(map)} cells wrong`}
      className="probemap"
    >
      {labels.map((label, cell) => {
        const [x, y] = [cell % width, Math.floor(cell / width)];
        const name = classes[label]!;
        return (
          <g key={cell} opacity={seen[cell] === 0 ? 0.45 : 1}>
            <rect x={x} y={y} width="1" height="1" className={GROUNDS.includes(name) ? `is-${name}` : 'is-thing'}>
              <title>{name}</title>
            </rect>
            {!isTrue && label !== truth[cell] && (
              <path className="is-wrong" d={`M${x + 0.25} ${y + 0.25}l.5 .5M${x + 0.75} ${y + 0.25}l-.5 .5`} />
            )}
          </g>
        );
      })}
      <circle className="is-agent" cx={(at % width) + 0.5} cy={Math.floor(at / width) + 0.5} r="0.3" />
    </svg>
  );
}

function table({ rows }: ProbesResult) {
  return {
    columns: ['what is told', 'asked', 'policy', 'low', 'high', ...MARKS.map((mark) => MARK_WORDS[mark])],
    rows: rows.map((row) => [
      nameOf(row),
      row.n,
      ...[row.policy, row.low, row.high, ...MARKS.map((mark) => row[mark])].map((share) => value(share)),
    ]),
  };
}
