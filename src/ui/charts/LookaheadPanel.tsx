import { useState } from 'react';
import { lookahead, type LookaheadSettings } from '../../lab/analysis/lookahead.ts';
import type { AheadResult } from '../../worker/protocol.ts';
import { percent, value } from '../format.ts';
import { useRunConfig } from '../session.ts';
import { useView } from '../stores/view.ts';
import { useShown } from '../stage/shown.ts';
import { estimatorIn } from '../../slots/estimatorOf.ts';
import { Ask, Pick } from './Ask.tsx';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, scaleOf, WIDTH } from './frame.ts';
import { LookaheadMap } from './LookaheadMap.tsx';
import { useMeasurement } from './useMeasurement.ts';

const DOC =
  'The agent stays as it is; before it acts, it plays D steps ahead in the world itself (FLARE): Q_d(s,a) = E[r + γ·max Q_{d−1}], all outcomes with their probabilities, and the chosen value where it stops. It does the best first action and looks again. Of equal actions it takes the one that the policy finds most likely. Nothing is trained, and training rollouts never look ahead.';

type Leaf = LookaheadSettings['leaf'];
const { params } = lookahead;
const LEAVES = params.leaf.options.map((id, k) => ({ id: id as Leaf, name: params.leaf.optionLabels[k]! }));
const WIDTHS = [0, 1, 2, 3] as const;
const COMMITS = [1, 2, 4] as const;

/** What the agent would do if it looked ahead, and how often that succeeds. */
export function LookaheadPanel() {
  const config = useRunConfig();
  const hasCritic = config !== null && estimatorIn(config.advantage)?.critic === true;
  const [chosen, setLeaf] = useState<Leaf | null>(null);
  const [width, setWidth] = useState<number>(0);
  const [commit, setCommit] = useState<number>(1);
  const leaf = chosen ?? (hasCritic ? 'value' : 'none');
  const shown = useShown();
  const trajectory = useView((v) => v.trajectory);
  const levelSeed = shown ? shown.levelSeeds[Math.min(trajectory, shown.B - 1)]! : null;
  const { done, answers, start, stop } = useMeasurement('lookahead');
  const answer = answers.at(-1);
  const found = answer?.lookahead ?? null;
  const [depth, gamma] = [params.depth.default, params.gamma.default];
  const told = found
    ? tell(found, answer!.update)
    : (answer?.why ?? 'Searches on a copy, on the CPU; the run continues meanwhile.');
  const isAsking = done !== null;
  return (
    <Figure title="Look ahead" unit="success" doc={DOC} sentence={told} file="lookahead" table={found && table(found)}>
      <Ask
        label="Look ahead"
        done={done}
        start={() => start(0, { depth, width, leaf, commit, gamma, levelSeed })}
        stop={stop}
      >
        <label className="inline" title={params.leaf.doc}>
          at the end{' '}
          <select value={leaf} disabled={isAsking} onChange={(event) => setLeaf(event.target.value as Leaf)}>
            {LEAVES.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Pick label="actions tried" doc={params.width.doc} options={WIDTHS} at={width} set={setWidth} off={isAsking} />
        <Pick label="look every" doc={params.commit.doc} options={COMMITS} at={commit} set={setCommit} off={isAsking} />
      </Ask>
      {found && <Curve found={found} told={told} />}
      {found?.map && <LookaheadMap map={found.map} />}
    </Figure>
  );
}

function tell({ policy, likeliest, success, isExact, levels, shrunk, request }: AheadResult, update: number): string {
  const best = success.indexOf(Math.max(...success)) + 1;
  const own = `After ${update} updates the policy succeeds in ${percent(policy)}${likeliest === null ? '' : `, with its most likely actions in ${percent(likeliest)}`}`;
  const far = `with ${best} ${best === 1 ? 'step' : 'steps'} of lookahead in ${percent(success[best - 1]!)}`;
  const short = shrunk > 0 ? ` ${percent(shrunk)} of the decisions looked less far: too many states followed.` : '';
  const every = request.commit > 1 ? ` It looks again after ${request.commit} steps.` : '';
  return `${own}; ${far}. ${levels} ${levels === 1 ? 'level' : 'levels'}, ${isExact ? 'exact' : 'counted in episodes'}.${every}${short}`;
}

function Curve({ found, told }: { found: AheadResult; told: string }) {
  const { success, policy, likeliest } = found;
  const D = success.length;
  const scale = scaleOf([0, D], [0, 1]);
  const flat = (p: number): string => pathOf([0, D].map((d) => [scale.x(d), scale.y(p)]));
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Success against the depth. ${told}`}>
        <Axes
          scale={scale}
          x={Array.from({ length: D + 1 }, (_, d) => [d, String(d)])}
          y={[0, 0.5, 1].map((p) => [p, value(p)])}
          name="depth D, steps"
        />
        <g className="base">
          <path className="line" d={flat(policy)} />
        </g>
        <g className="trained">
          <path
            className="line"
            d={pathOf([likeliest ?? policy, ...success].map((p, d) => [scale.x(d), scale.y(p)]))}
          />
        </g>
      </svg>
      <p className="keyline">
        <span className="key base">policy as it samples</span>
        <span className="key trained">with lookahead{likeliest === null ? '' : '; 0: its most likely actions'}</span>
      </p>
    </>
  );
}

function table({ policy, likeliest, success, held }: AheadResult) {
  return {
    columns: ['depth', 'success', ...(held ? ['states per decision'] : [])],
    rows: [
      ['policy', value(policy), ...(held ? ['–'] : [])],
      ...(likeliest === null ? [] : [['most likely actions', value(likeliest), ...(held ? ['–'] : [])]]),
      ...success.map((p, d) => [d + 1, value(p), ...(held ? [Math.round(held[d]!)] : [])]),
    ],
  };
}
