import { useState } from 'react';
import {
  coverage,
  crossing,
  exactPassCurve,
  fourCells,
  passCurve,
  passIntervals,
  passKs,
} from '../../slots/metrics/passK.ts';
import type { PanelResult } from '../../worker/protocol.ts';
import { percent, value } from '../format.ts';
import { Ask, Pick } from './Ask.tsx';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, scaleOf, WIDTH } from './frame.ts';
import { useMeasurement } from './useMeasurement.ts';

const DOC =
  'Chance that at least one of k rollouts succeeds: 1 − C(n−c, k) / C(n, k) from c successes among n rollouts, averaged over fixed levels. Both policies sample with separate draws that are never trained on. Bars: 95 % bootstrap over levels.';
const SIZES = [16, 64, 256] as const;

/** What k tries would solve, by the policy at the start and the current one; where the curves cross; who solves what. */
export function PassPanel() {
  const [n, setN] = useState<number>(64);
  const { done, answers, start, stop } = useMeasurement('passAtK');
  const answer = answers.at(-1);
  const panel = answer?.panel ?? null;
  const told = panel
    ? tell(panel, answer!.update)
    : 'Plays fixed levels with both policies; the run continues meanwhile.';
  return (
    <Figure
      title="pass@k"
      unit="share of levels"
      doc={DOC}
      sentence={told}
      file="pass-at-k"
      table={panel && table(panel)}
    >
      <Ask label="Measure pass@k" done={done} start={() => start(n)} stop={stop}>
        <Pick label="rollouts per level" options={SIZES} at={n} set={setN} off={done !== null} />
      </Ask>
      {panel && <Curves panel={panel} told={told} />}
      {panel && <Cells panel={panel} />}
    </Figure>
  );
}

function curvesOf(panel: PanelResult) {
  const ks = passKs(panel.n);
  const { base, trained, exact, n } = panel;
  return {
    ks,
    base: passCurve(n, base, ks),
    trained: passCurve(n, trained, ks),
    exact: exact && { base: exactPassCurve(exact.base, ks), trained: exactPassCurve(exact.trained, ks) },
    bars: { base: passIntervals(n, base, ks), trained: passIntervals(n, trained, ks) },
  };
}

function tell(panel: PanelResult, update: number): string {
  const { ks, base, trained, exact } = curvesOf(panel);
  const at = exact ? crossing(ks, exact.base, exact.trained) : crossing(ks, base, trained);
  const where = at === null ? 'The curves do not cross' : `The curves cross at k = ${value(at)}`;
  return `${where}${exact ? ' (exact)' : ''}. Start: ${percent(base[0]!)} with one try, ${percent(base.at(-1)!)} with ${panel.n}; policy after ${update} updates: ${percent(trained[0]!)} and ${percent(trained.at(-1)!)}. ${panel.levels} ${panel.levels === 1 ? 'level' : 'levels'}.`;
}

function Curves({ panel, told }: { panel: PanelResult; told: string }) {
  const { ks, base, trained, exact, bars } = curvesOf(panel);
  const scale = scaleOf([0, Math.log(panel.n)], [0, 1]);
  const at = (curve: readonly number[]): string => pathOf(curve.map((p, j) => [scale.x(Math.log(ks[j]!)), scale.y(p)]));
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`pass@k against k. ${told}`}>
        <Axes
          scale={scale}
          x={ks.filter((_, j) => j % 2 === 0 || ks.length < 6).map((k) => [Math.log(k), String(k)])}
          y={[0, 0.5, 1].map((p) => [p, value(p)])}
          name="tries k, logarithmic"
        />
        {(['base', 'trained'] as const).map((who) => (
          <g key={who} className={who}>
            {bars[who]?.map(([low, high], j) => (
              <path key={j} className="bar" d={`M${scale.x(Math.log(ks[j]!))} ${scale.y(low)}V${scale.y(high)}`} />
            ))}
            <path className="line" d={at(who === 'base' ? base : trained)} />
            {exact && <path className="line exact" d={at(exact[who])} />}
          </g>
        ))}
      </svg>
      <p className="keyline">
        <span className="key base">at the start</span>
        {exact && <span className="key base exactkey">exact</span>}
        <span className="key trained">current policy</span>
        {exact && <span className="key trained exactkey">exact</span>}
      </p>
    </>
  );
}

function Cells({ panel }: { panel: PanelResult }) {
  const cells = fourCells(panel.base, panel.trained);
  return (
    <div className="tablebox" tabIndex={0} role="region" aria-label="Levels solved at least once">
      <table>
        <caption>
          Levels solved at least once in {panel.n} tries: {percent(coverage(panel.base))} at the start,{' '}
          {percent(coverage(panel.trained))} now
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">at the start</span>
            </th>
            <th scope="col">solved now</th>
            <th scope="col">not now</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">solved at the start</th>
            <td>{cells.both}</td>
            <td>{cells.onlyBase}</td>
          </tr>
          <tr>
            <th scope="row">not at the start</th>
            <td>{cells.onlyTrained}</td>
            <td>{cells.neither}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function table(panel: PanelResult) {
  const { ks, base, trained, exact } = curvesOf(panel);
  return {
    columns: ['k', 'start', 'present', ...(exact ? ['start exact', 'current exact'] : [])],
    rows: ks.map((k, j) => [
      k,
      value(base[j]),
      value(trained[j]),
      ...(exact ? [value(exact.base[j]), value(exact.trained[j])] : []),
    ]),
  };
}
