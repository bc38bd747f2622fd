import { reliabilityOf } from '../../core/math/reliability.ts';
import { percent } from '../format.ts';
import { Axes } from './Axes.tsx';
import { HEIGHT, pathOf, scaleOf, WIDTH } from './frame.ts';

const RADIUS = 7;

/** Of the tasks that a source expected to succeed so often, how many did: on the diagonal it is right. Larger: more tasks. */
export function ReliabilityChart({ sums }: { readonly sums: ArrayLike<number> }) {
  const bins = reliabilityOf(sums);
  if (bins.length === 0) return null;
  const most = Math.max(...bins.map(({ tasks }) => tasks));
  const all = bins.reduce((n, { tasks }) => n + tasks, 0);
  const apart = bins.reduce((sum, { tasks, expected, success }) => sum + tasks * Math.abs(expected - success), 0) / all;
  const told = `Of ${all.toLocaleString('en')} tasks so far, success was ${Math.round(100 * apart)} points away from what was expected, on average over ten bins.`;
  const scale = scaleOf([0, 1], [0, 1]);
  return (
    <>
      <p className="quiet">Is what is expected true? {told}</p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Success by expected success. ${told}`}>
        <Axes
          scale={scale}
          x={[0, 0.5, 1].map((p) => [p, percent(p)])}
          y={[0, 0.5, 1].map((p) => [p, percent(p)])}
          name="expected success of a task; height: its success"
        />
        <path className="line" d={pathOf([0, 1].map((p) => [scale.x(p), scale.y(p)]))} />
        {bins.map(({ tasks, expected, success }, k) => (
          <circle
            key={k}
            className="dot"
            r={Math.max(2, RADIUS * Math.sqrt(tasks / most))}
            cx={scale.x(expected)}
            cy={scale.y(success)}
          >
            <title>{`${tasks} tasks: expected ${percent(expected)}, success ${percent(success)}`}</title>
          </circle>
        ))}
      </svg>
    </>
  );
}
