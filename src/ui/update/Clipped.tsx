import type { Snapshot, UnitsSeen } from '../../worker/protocol.ts';
import { value } from '../format.ts';
import { select } from '../stores/view.ts';
import { clippedOf } from './stops.ts';

/** Clipped decisions that get a button; the others are counted. */
const MOST = 12;
const WHY = ['', 'above', 'below', 'far above', 'out of range'] as const;

/** Which decisions the clip has stopped, the farthest first; choosing one shows it on the stage. */
export function Clipped({ seen, snapshot }: { seen: UnitsSeen; snapshot: Snapshot }) {
  const clipped = clippedOf(seen);
  if (clipped.length === 0 || seen.step.length === 0) return null;
  const { T, action, actions } = snapshot;
  return (
    <section className="walkclipped" aria-label="Clipped decisions">
      <h3>Clipped decisions, farthest first</h3>
      <ul>
        {clipped.slice(0, MOST).map((u) => {
          const k = seen.step[u]!;
          const [i, t] = [Math.floor(k / T), k % T];
          return (
            <li key={u}>
              <button type="button" className="number" onClick={() => select(i, t)}>
                episode {i + 1}, step {t + 1}: {actions[action[k]!] ?? 'no command'}, ρ {value(seen.ratio[u]!)}{' '}
                {WHY[seen.clip[u]!]}
              </button>
            </li>
          );
        })}
        {clipped.length > MOST && <li className="quiet">and {clipped.length - MOST} more</li>}
      </ul>
    </section>
  );
}
