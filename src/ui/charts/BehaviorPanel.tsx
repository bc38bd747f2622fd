import { useState } from 'react';
import type { BehaviorResult, Changed, Share } from '../../worker/protocol.ts';
import { percent, value, many } from '../format.ts';
import { Ask, Pick } from './Ask.tsx';
import { Figure } from './Figure.tsx';
import { RIGHT, WIDTH } from './frame.ts';
import './probes.css';
import { Sign } from './ProbeRows.tsx';
import { useMeasurement } from './useMeasurement.ts';
import { Ticks } from './Ticks.tsx';

const DOC =
  'A policy that has understood a maze does the same in its mirror image. Levels that it never trained on are turned by quarter turns and mirrored, and gone through with the turned actions, so that every state has its image. Dot: share of states in which the most likely action is the turned one, with a 95 % bootstrap interval over levels. Square: success when it plays the changed levels itself; the line is its success on the levels as they were. Last row: start and goal exchanged, where a way is left; in Sokoban, boxes and targets. What drops was learned for one orientation.';
const SIZES = [64, 256, 1024] as const;
const ROW = 22;
const LEFT = 150;
const TOP = 16;

/** Does the policy do on turned levels what it does on the levels as they were? */
export function BehaviorPanel() {
  const [n, setN] = useState<number>(SIZES[0]);
  const { done, answers, start, stop } = useMeasurement('behavior');
  const answer = answers.at(-1);
  const found = answer?.behavior ?? null;
  const told = found
    ? tell(found, answer!.update)
    : (answer?.why ??
      'Turns and mirrors levels, exchanges start and goal, and plays them; the run continues meanwhile.');
  return (
    <Figure
      title="Does it act alike on turned levels?"
      unit="share"
      doc={DOC}
      sentence={told}
      file="turned-levels"
      table={found && table(found)}
    >
      <Ask label="Turn the levels" done={done} start={() => start(n)} stop={stop}>
        <Pick label="episodes" options={SIZES} at={n} set={setN} off={done !== null} />
      </Ask>
      {found && <Rows found={found} />}
    </Figure>
  );
}

const TURNS = ['', 'turned 90°', 'turned 180°', 'turned 270°'];

export function changeName(change: Changed['change']): string {
  if (change === 'swap') return 'start and goal swapped';
  if (change < 4) return TURNS[change]!;
  return change === 4 ? 'mirrored' : `mirrored, ${TURNS[change - 4]!.slice(7)}`;
}

const interval = ({ share, low, high }: Share): string => `${percent(share)} [${percent(low)}, ${percent(high)}]`;

function tell({ changes, success, levels, isHeldOut, noSwap }: BehaviorResult, update: number): string {
  const turned = changes.filter(({ same }) => same !== null);
  const worst = turned.reduce((a, b) => (b.same!.share < a.same!.share ? b : a));
  const swap = changes.find(({ change }) => change === 'swap');
  const which = isHeldOut ? 'that never train' : 'of the run';
  const own = `After ${update} updates it succeeds in ${percent(success.share)} on ${many(levels, 'level')} ${which}.`;
  const least = `Where levels are ${changeName(worst.change)} it prefers the corresponding action in ${interval(worst.same!)} of the states, the fewest, and succeeds in ${percent(worst.success.share)}.`;
  const back = swap
    ? `With start and goal swapped it succeeds in ${interval(swap.success)}, before in ${percent(swap.before)}.`
    : noSwap;
  return `${own} ${least} ${back}`;
}

function Rows({ found: { changes, success } }: { found: BehaviorResult }) {
  const x = (share: number): number => LEFT + share * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + changes.length * ROW;
  const told = changes
    .map(
      ({ change, same, success: own }) =>
        `${changeName(change)}: ${same ? `${percent(same.share)} alike, ` : ''}${percent(own.share)} success`,
    )
    .join('; ');
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${bottom + 18}`} role="img" aria-label={`Turned levels. ${told}.`}>
        <Ticks at={[0, 0.5, 1]} x={x} from={TOP - 6} to={bottom} words={percent} />
        <path className="probemark untrained" d={`M${x(success.share)} ${TOP - 6}V${bottom}`} />
        {changes.map(({ change, same, success: own }, j) => {
          const y = TOP + j * ROW + 6;
          return (
            <g key={change}>
              <text x={LEFT - 8} y={y + 4} textAnchor="end">
                {changeName(change)}
              </text>
              <path className="bar" d={`M${x(own.low)} ${y + 4}H${x(own.high)}`} />
              <rect className="probemark" x={x(own.share) - 3} y={y + 1} width="6" height="6" />
              {same && (
                <>
                  <path className="bar" d={`M${x(same.low)} ${y - 4}H${x(same.high)}`} />
                  <circle className="dot" cx={x(same.share)} cy={y - 4} r="4" />
                </>
              )}
            </g>
          );
        })}
      </svg>
      <p className="keyline probekey">
        <span>
          <Sign>
            <circle className="dot" cx="6" cy="6" r="4" />
          </Sign>
          prefers the corresponding action
        </span>
        <span>
          <Sign>
            <rect className="probemark" x="3" y="3" width="6" height="6" />
          </Sign>
          success
        </span>
        <span>
          <Sign>
            <path className="probemark untrained" d="M6 1V11" />
          </Sign>
          success on levels as they were
        </span>
      </p>
    </>
  );
}

function table({ changes }: BehaviorResult) {
  const shares = (share: Share | null): string[] =>
    share ? [share.share, share.low, share.high].map((x) => value(x)) : ['–', '–', '–'];
  return {
    columns: [
      ...['level', 'episodes', 'same action', 'low', 'high', 'overlap of π'],
      ...['success', 'low', 'high', 'before', 'SPL', 'SPL before'],
    ],
    rows: changes.map(({ change, episodes, same, overlap, success, before, spl }) => [
      ...[changeName(change), episodes, ...shares(same), overlap === null ? '–' : value(overlap)],
      ...[...shares(success), value(before)],
      ...(spl ? spl.map((x) => value(x)) : ['–', '–']),
    ]),
  };
}
