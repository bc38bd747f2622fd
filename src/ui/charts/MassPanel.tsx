import { useMemo, useState } from 'react';
import { massCurve, rightActions, type MassPoint } from '../../lab/analysis/massCurve.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { askedOf } from '../credit/compareStore.ts';
import { stepName } from '../credit/sentences.ts';
import { percent, value } from '../format.ts';
import { useStep } from '../inspector/useStep.ts';
import { useRunConfig } from '../session.ts';
import { useShown as useOnStage } from '../stage/shown.ts';
import { useView } from '../stores/view.ts';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, rangeOf, scaleOf, WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';

const DOC =
  'BroRL (arXiv 2510.01180): one gradient step on N samples of one decision, with reward 1 for correct and −1 for wrong actions: Δz_b = (η/N)·p_b·(R_b·[sampled] − S). To first order the probability Q⁺ of correct actions changes by (η/N)[(1−S)·Q⁻·A₂ + (S+1)·Q⁺·B₂ + S·Q⁺·U⁻ − S·Q⁻·U⁺]: A₂, B₂ are Σp² over sampled correct and wrong actions, U⁺, U⁻ over those not sampled, S the signed probability of what was sampled. Correct actions are those with the largest exact value when the best actions follow, within the step limit and with later rewards discounted by 0.99, so that a detour is worse than the direct path. p is the policy that sampled. Means over 200 draws.';

const SIZES = [4, 8, 16, 32, 64, 128, 256, 512] as const;
/** How the step grows with N. */
const STEPS = {
  perSample: { name: 'η = N: one weight per sample', of: (N: number) => N },
  fixed: { name: 'η = 8 for every N', of: () => 8 },
} as const;
type Step = keyof typeof STEPS;

const TERMS = [
  { name: 'correct, sampled', look: 'rightseen' },
  { name: 'wrong, sampled', look: 'wrongseen' },
  { name: 'wrong, not sampled', look: 'wrongunseen' },
  { name: 'correct, not sampled: the danger if below 0', look: 'danger' },
] as const;

/** What a curve says, in sentences. `names`: the correct actions, with `mass` of the probability. */
export function tellMass(points: readonly MassPoint[], names: readonly string[], mass: number): string {
  const [first, last] = [points[0]!, points.at(-1)!];
  const isOne = names.length === 1;
  const change = (x: number): string => `${x < 0 ? 'loses' : 'gains'} ${value(Math.abs(x))}`;
  const told = [
    `${names.map((name) => `“${name}”`).join(' and ')} ${isOne ? 'is' : 'are'} correct, with ${percent(mass)} of the probability.`,
    `A step on ${first.N} samples ${change(first.exact)} of it on average, and takes some away in ${percent(first.harmed)} of the draws; one on ${last.N} ${change(last.exact)}, and takes some away in ${percent(last.harmed)}.`,
  ];
  const worst = points.reduce((a, b) => (b.terms[3] < a.terms[3] ? b : a));
  if (worst.terms[3] < -1e-6) {
    const left = Math.abs(last.terms[3]) < 0.01 * Math.abs(worst.terms[3]) ? 'nothing' : value(-last.terms[3]);
    told.push(
      `Correct actions that were not drawn cost ${value(-worst.terms[3])} at N = ${worst.N}, and ${left} at ${last.N}.`,
    );
  } else if (isOne)
    told.push('With one correct action there is no danger: if it is not drawn, it is not blamed for what was.');
  else
    told.push(
      'Correct actions that were not drawn lose nothing here: what was drawn is mostly wrong, or everything was drawn.',
    );
  return told.join(' ');
}

/** What larger groups change at one decision of the shown batch: the chosen step, or the first one while it is followed. */
export function MassPanel() {
  const newest = useShown();
  const onStage = useOnStage();
  const isFollowing = useView((v) => v.isFollowing);
  const snapshot = isFollowing ? newest : onStage;
  if (!snapshot) return <Empty why="Appears with the first batch." />;
  return <Decision snapshot={snapshot} isChosen={!isFollowing} />;
}

function Empty({ why }: { why: string }) {
  return (
    <Figure title="Mass balance" unit="ΔQ⁺" doc={DOC} file="mass-balance" table={null} sentence="">
      <p className="quiet empty">{why}</p>
    </Figure>
  );
}

/** The step that a person chose, or the first one of the batch. */
function cellOf({ B, length }: Snapshot, isChosen: boolean, trajectory: number, step: number): [i: number, t: number] {
  if (!isChosen) return [0, 0];
  const i = Math.min(trajectory, B - 1);
  return [i, Math.max(0, Math.min(step, length[i]! - 1))];
}

function Decision({ snapshot, isChosen }: { snapshot: Snapshot; isChosen: boolean }) {
  const config = useRunConfig();
  const trajectory = useView((v) => v.trajectory);
  const chosen = useView((v) => v.step);
  const [step, setStep] = useState<Step>('perSample');
  const asked = useMemo(() => askedOf(config, config?.advantage.method ?? 'gigpo'), [config]);
  const [i, t] = cellOf(snapshot, isChosen, trajectory, chosen);
  const found = useStep(snapshot, asked, i, t);
  // the last answer stays while the next batch is asked about
  const of = found?.snapshot ?? snapshot;
  const best = found?.answer.best ?? null;
  const [row, column] = found ? [found.i, found.t] : [i, t];
  const { p, correct, points } = useMemo(() => {
    const n = of.actions.length;
    const at = (row * of.T + column) * n;
    const policy = of.probs.subarray(at, at + n);
    const right = best && rightActions(best, policy);
    return { p: policy, correct: right, points: right ? massCurve(policy, right, SIZES, STEPS[step].of) : [] };
  }, [of, row, column, best, step]);
  if (!found) return <Empty why="The worker is computing it." />;
  if (!best)
    return (
      <Empty
        why={
          found.answer.isKept
            ? 'Which actions are correct needs exact values. There are none here: the task has too many states for them, its reward depends on more than the state, or the policy reads more than the state.'
            : 'This batch is no longer kept. Follow the newest episode on the stage to continue.'
        }
      />
    );
  const name = stepName(of, row, column);
  if (!correct) return <Empty why={`${name}: all actions are equally good here, so none is correct or wrong.`} />;
  const names = of.actions.filter((_, b) => correct[b] === 1);
  const mass = correct.reduce((sum, x, b) => sum + x * p[b]!, 0);
  const told = tellMass(points, names, mass);
  return (
    <Figure
      title="Mass balance"
      unit="ΔQ⁺"
      doc={DOC}
      sentence={`${name}. ${told}`}
      now={percent(mass)}
      file="mass-balance"
      table={{
        columns: ['N', ...TERMS.map((x) => x.name), 'first order', 'exact', 'draws that lose'],
        rows: points.map((x) => [
          x.N,
          ...x.terms.map((term) => value(term)),
          value(x.firstOrder),
          value(x.exact),
          percent(x.harmed),
        ]),
      }}
    >
      <p className="ask">
        <label className="inline">
          step{' '}
          <select value={step} onChange={(event) => setStep(event.target.value as Step)}>
            {Object.entries(STEPS).map(([id, { name: words }]) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Bars points={points} told={told} />
    </Figure>
  );
}

function Bars({ points, told }: { points: readonly MassPoint[]; told: string }) {
  const range = rangeOf(
    points.flatMap(({ terms, exact, firstOrder }) => [
      terms.reduce((sum, x) => sum + Math.max(0, x), 0),
      terms.reduce((sum, x) => sum + Math.min(0, x), 0),
      exact,
      firstOrder,
    ]),
    0,
  );
  const scale = scaleOf([-0.5, points.length - 0.5], range);
  // the lower end is named where it is not too near to 0
  const ticks = [range[1], 0, ...(-range[0] > 0.1 * range[1] ? [range[0]] : [])].filter(
    (y, k, all) => all.indexOf(y) === k,
  );
  const wide = scale.x(0.6) - scale.x(0);
  const line = (of: 'exact' | 'firstOrder'): string => pathOf(points.map((x, k) => [scale.x(k), scale.y(x[of])]));
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Change of the correct mass by samples. ${told}`}>
        <Axes
          scale={scale}
          x={points.map(({ N }, k) => [k, String(N)])}
          y={ticks.map((y) => [y, value(y)])}
          name="samples N"
        />
        {points.map(({ N, terms }, k) => (
          <Stack key={N} terms={terms} x={scale.x(k) - wide / 2} wide={wide} y={scale.y} />
        ))}
        <path className="line exact" d={line('firstOrder')} />
        <path className="line whole" d={line('exact')} />
      </svg>
      <p className="keyline">
        {TERMS.map(({ name, look }) => (
          <span key={look} className={`key boxkey ${look}`}>
            {name}
          </span>
        ))}
        <span className="key exactkey">their sum, first order</span>
        <span className="key wholekey">exact</span>
      </p>
    </>
  );
}

type StackProps = { terms: MassPoint['terms']; x: number; wide: number; y(value: number): number };

/** Terms above 0 on top of each other, those below 0 hanging from it. */
function Stack({ terms, x, wide, y }: StackProps) {
  const boxes = terms.map((term, k) => {
    const before = terms.slice(0, k).filter((other) => Math.sign(other) === Math.sign(term));
    const from = before.reduce((sum, other) => sum + other, 0);
    return [Math.max(from, from + term), Math.min(from, from + term)] as const;
  });
  return boxes.map(([top, bottom], k) => (
    <rect key={k} className={TERMS[k]!.look} x={x} width={wide} y={y(top)} height={y(bottom) - y(top)} />
  ));
}
