import { useState } from 'react';
import type { StopsResult } from '../../worker/protocol.ts';
import { percent, value } from '../format.ts';
import { Ask, Pick } from './Ask.tsx';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, scaleOf, WIDTH } from './frame.ts';
import { useMeasurement } from './useMeasurement.ts';

const DOC =
  'Plays the whole task as evaluations do and asks which checkpoints each episode passed: the milestones of its level, or the levels in a row. Score: mean share of the checkpoints passed, success among them. It is never a reward. Where the task grows, every stage is played; dashed: what independent pieces of equal difficulty would give, the success of the first one to the power of their number.';
const SIZES = [64, 256, 1024] as const;
const ROW = 34;

/** Where episodes stop on the way to success, and success by the number of pieces. */
export function StopsPanel() {
  const [n, setN] = useState<number>(SIZES[0]);
  const { done, answers, start, stop } = useMeasurement('stops');
  const answer = answers.at(-1);
  const found = answer?.stops ?? null;
  const told = found
    ? tell(found, answer!.update)
    : 'Plays the task with the current policy; the run continues meanwhile.';
  return (
    <Figure
      title="Where do runs stop?"
      unit="share of episodes"
      doc={DOC}
      sentence={told}
      file="checkpoints"
      table={found && table(found)}
    >
      <Ask label="Measure checkpoints" done={done} start={() => start(n)} stop={stop}>
        <Pick label="episodes" options={SIZES} at={n} set={setN} off={done !== null} />
      </Ask>
      {found && <Tree found={found} />}
      {found && found.stages.length > 0 && <ByPieces found={found} />}
    </Figure>
  );
}

/** Where most episodes that fail stop. */
function tell({ stops, score, episodes }: StopsResult, update: number): string {
  const worst = stops.reduce((a, b) => (b.stopped > a.stopped ? b : a));
  const won = stops.at(-1)!.passed;
  const where =
    won === episodes
      ? 'None stops on the way'
      : `Most that fail stop before “${worst.name}”: ${percent(worst.stopped / episodes)}`;
  return `${percent(won / episodes)} of ${episodes} episodes succeed after ${update} updates. ${where}. Score ${value(score)}.`;
}

/** From the start down to success: what goes on, and what stops there. */
function Tree({ found: { stops, episodes } }: { found: StopsResult }) {
  const wide = (count: number, of: number): number => (of === 0 ? 0 : (150 * count) / of);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${stops.length * ROW + 20}`}
      role="img"
      aria-label={`${stops.length} checkpoints with the share of episodes that pass and that stop before each.`}
    >
      <text x={10} y={12}>
        start
      </text>
      {stops.map(({ name, of, passed, stopped }, k) => {
        const y = 16 + k * ROW;
        return (
          <g key={name}>
            <path className="gridline" fill="none" d={`M14 ${k === 0 ? 15 : y - 8}V${y + 18}H24`} />
            <text x={28} y={y + 14}>
              {name}
            </text>
            <rect className="tall" x={130} y={y + 5} height={10} width={wide(passed, of)} />
            <text x={286} y={y + 14}>
              {percent(of === 0 ? 0 : passed / of)} pass
            </text>
            <text className="small" x={130} y={y + 27}>
              {stopped === 0 ? 'none stops before it' : `${percent(stopped / episodes)} of all stop before it`}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** Shares below this are drawn at the bottom: the axis is logarithmic. */
const LEAST = 0.001;

/** Success against the number of pieces, with what independent pieces would give. */
function ByPieces({ found: { stages } }: { found: StopsResult }) {
  const rates = stages.map(({ episodes, successes }) => successes / episodes);
  const scale = scaleOf([1, Math.max(2, rates.length)], [Math.log10(LEAST), 0]);
  const at = (p: number): number => scale.y(Math.log10(Math.max(LEAST, p)));
  const told = rates.map((p, k) => `${k + 1}: ${percent(p)}`).join(', ');
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Success by stage. ${told}.`}>
        <Axes
          scale={scale}
          x={rates.map((_, k) => [k + 1, String(k + 1)])}
          y={[1, 0.1, 0.01, LEAST].map((p) => [Math.log10(p), p === LEAST ? '≤ 0.1 %' : percent(p)])}
          name="stage of the task"
        />
        <path className="line bound" d={pathOf(rates.map((_, k) => [scale.x(k + 1), at(rates[0]! ** (k + 1))]))} />
        <path className="line" d={pathOf(rates.map((p, k) => [scale.x(k + 1), at(p)]))} />
        {rates.map((p, k) => (
          <circle key={k} className="dot" r="3" cx={scale.x(k + 1)} cy={at(p)} />
        ))}
      </svg>
      <p className="keyline">
        <span className="key">success</span>
        <span className="key warmkey">first stage to the power of the stage</span>
      </p>
    </>
  );
}

function table({ stops, stages, episodes }: StopsResult) {
  return {
    columns: ['checkpoint', 'pass', 'stop before it'],
    rows: [
      ...stops.map(({ name, of, passed, stopped }) => [
        name,
        value(of === 0 ? 0 : passed / of),
        value(stopped / episodes),
      ]),
      ...stages.map(({ episodes: n, successes }, k) => [`success in stage ${k + 1}`, value(successes / n), '–']),
    ],
  };
}
