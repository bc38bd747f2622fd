import type { ReactNode } from 'react';
import type { ProbeRow } from '../../worker/protocol.ts';
import { percent, many } from '../format.ts';
import { RIGHT, WIDTH } from './frame.ts';
import { Ticks } from './Ticks.tsx';

const ROW = 19;
const LEFT = 118;
const TOP = 16;
export const MARKS = ['untrained', 'observation', 'shuffled', 'control'] as const;
export const MARK_WORDS = {
  untrained: 'untrained',
  observation: 'this observation alone',
  shuffled: 'other levels’ answers',
  control: 'answers from a table',
};

const NAMES: Readonly<Record<Exclude<ProbeRow['what'], 'action' | 'path' | 'pathNear'>, string>> = {
  seen: 'cells in view',
  earlier: 'cells seen earlier',
  never: 'cells never seen',
  agent: 'own place',
  near: 'own place, ±1 cell',
  goal: 'place of the goal',
  goalNear: 'goal, ±1 cell',
  subgoal: 'next subgoal',
};

export function nameOf({ what, k }: ProbeRow): string {
  const later = `after ${many(k, 'step')}`;
  if (what === 'path') return `place ${later}`;
  if (what === 'pathNear') return `place ${later}, ±1 cell`;
  if (what !== 'action') return NAMES[what];
  return k === 0 ? 'next action' : `action ${later}`;
}

const triangle = (x: number, y: number): string => `M${x - 3.5} ${y + 3}h7l-3.5 -6.5z`;

export function ProbeRows({ rows }: { rows: readonly ProbeRow[] }) {
  const x = (share: number): number => LEFT + share * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + rows.length * ROW;
  const told = rows.map((row) => `${nameOf(row)}: ${percent(row.policy)}`).join(', ');
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${bottom + 18}`} role="img" aria-label={`Share told right. ${told}.`}>
        <Ticks at={[0, 0.5, 1]} x={x} from={TOP - 6} to={bottom} words={percent} />
        {rows.map((row, j) => {
          const y = TOP + j * ROW + 4;
          return (
            <g key={nameOf(row)}>
              <text x={LEFT - 8} y={y + 4} textAnchor="end">
                {row.what === 'pathNear' ? '… ±1 cell' : nameOf(row)}
              </text>
              <path className="bar" d={`M${x(row.low)} ${y}H${x(row.high)}`} />
              <path className="probemark untrained" d={`M${x(row.untrained)} ${y - 5}V${y + 5}`} />
              <rect className="probemark" x={x(row.observation) - 3} y={y - 3} width="6" height="6" />
              <path
                className="probemark"
                d={`M${x(row.shuffled) - 3} ${y - 3}l6 6M${x(row.shuffled) + 3} ${y - 3}l-6 6`}
              />
              <path className="probemark" d={triangle(x(row.control), y)} />
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
        <span>
          <Sign>
            <path className="probemark" d={triangle(6, 6)} />
          </Sign>
          {MARK_WORDS.control}
        </span>
      </p>
    </>
  );
}

export const Sign = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden className="probesign">
    {children}
  </svg>
);
