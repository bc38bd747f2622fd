import { percent } from '../format.ts';
import { WIDTH } from './frame.ts';

/** A task of a batch: its episodes, the share of them that succeeded, and the share that its source expected (NaN: unknown). */
export type Budget = { readonly episodes: number; readonly rate: number; readonly expected: number };

/** Why a task got its episodes: what was expected of it. */
function whyOf(expected: number): string {
  if (Number.isNaN(expected)) return 'unseen';
  return expected <= 0 ? 'never lately' : expected >= 1 ? 'always lately' : `expected ${percent(expected)}`;
}

const BAR_HIGH = 16;
const MOST = 24;

type Props = { readonly tasks: readonly Budget[]; readonly expects: boolean };

/** Episodes of each task next to its success, the largest groups first: only where groups are unequal. */
export function BudgetBars({ tasks, expects }: Props) {
  const sizes = new Set(tasks.map(({ episodes }) => episodes));
  if (sizes.size < 2) return null;
  const largest = Math.max(...sizes);
  const shown = [...tasks].sort((a, b) => b.episodes - a.episodes || a.rate - b.rate).slice(0, MOST);
  const told = `Groups of ${Math.min(...sizes)} to ${largest} episodes.`;
  return (
    <>
      <p className="quiet">
        Episodes of each task{expects ? ', the success that decided on them' : ''}, and its success
        {tasks.length > MOST ? `; the ${MOST} largest of ${tasks.length}` : ''}
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${shown.length * BAR_HIGH + 4}`} role="img" aria-label={told}>
        {shown.map(({ episodes, rate, expected }, k) => (
          <g key={k}>
            <rect
              className="tall"
              x={4}
              y={k * BAR_HIGH + 3}
              height={BAR_HIGH - 6}
              width={(110 * episodes) / largest}
            />
            <text x={120} y={k * BAR_HIGH + 12}>
              {episodes}
            </text>
            {expects && (
              <text x={150} y={k * BAR_HIGH + 12}>
                {whyOf(expected)}
              </text>
            )}
            <text x={WIDTH - 4} y={k * BAR_HIGH + 12} textAnchor="end">
              success {percent(rate)}
            </text>
          </g>
        ))}
      </svg>
    </>
  );
}
