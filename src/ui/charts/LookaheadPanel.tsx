import { lookahead } from '../../lab/analysis/lookahead.ts';
import type { AheadResult } from '../../worker/protocol.ts';
import { percent, value, many } from '../format.ts';
import { AheadChoices, useAheadSettings } from '../ahead/AheadChoices.tsx';
import { look } from '../stores/view.ts';
import { Ask } from './Ask.tsx';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, scaleOf, WIDTH } from './frame.ts';
import { useMeasurement } from './useMeasurement.ts';

const DOC =
  'The agent stays as it is; before it acts, it plays D steps ahead in the world itself (FLARE): Q_d(s,a) = E[r + γ·max Q_{d−1}], all outcomes with their probabilities, and the chosen value where it stops. It does the best first action and looks again. Of equal actions it takes the one that the policy finds most likely. Nothing is trained, and training rollouts never look ahead.';

const { params } = lookahead;

/** What the agent would do if it looked ahead, and how often that succeeds. */
export function LookaheadPanel() {
  const settings = useAheadSettings();
  const { done, answers, start, stop } = useMeasurement('lookahead');
  const answer = answers.at(-1);
  const found = answer?.lookahead ?? null;
  const told = found
    ? tell(found, answer!.update)
    : (answer?.why ?? 'Searches on a copy, on the CPU; the run continues meanwhile.');
  const isAsking = done !== null;
  return (
    <Figure title="Look ahead" unit="success" doc={DOC} sentence={told} file="lookahead" table={found && table(found)}>
      <Ask
        label="Look ahead"
        done={done}
        start={() => start(0, { ahead: { ...settings, depth: Math.max(params.depth.default, settings.depth) } })}
        stop={stop}
      >
        <AheadChoices off={isAsking} />
      </Ask>
      {found && <Curve found={found} told={told} />}
      <p className="quiet">
        <button type="button" onClick={() => look({ overlay: 'ahead', isHuman: false, tab: 'watch' })}>
          Show on the map
        </button>{' '}
        what it would do, and why, at every step.
      </p>
    </Figure>
  );
}

function tell({ policy, likeliest, success, isExact, levels, shrunk, request }: AheadResult, update: number): string {
  const best = success.indexOf(Math.max(...success)) + 1;
  const own = `After ${update} updates the policy succeeds in ${percent(policy)}${likeliest === null ? '' : `, with its most likely actions in ${percent(likeliest)}`}`;
  const far = `with ${many(best, 'step')} of lookahead in ${percent(success[best - 1]!)}`;
  const short = shrunk > 0 ? ` ${percent(shrunk)} of the decisions looked less far: too many states followed.` : '';
  const every = request.commit > 1 ? ` It looks again after ${request.commit} steps.` : '';
  return `${own}; ${far}. ${many(levels, 'level')}, ${isExact ? 'exact' : 'counted in episodes'}.${every}${short}`;
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
