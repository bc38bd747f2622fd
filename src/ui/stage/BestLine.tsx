import { useMemo } from 'react';
import type { Solution } from '../solve/solve.ts';
import { pushesOf } from './events.ts';
import { pathStates } from './path.ts';
import type { World } from './world.ts';

/** How long the shortest way is, in one sentence; with boxes, how many of its steps are pushes. */
export function bestSentence(solution: Solution | null, pushes: number): string {
  if (!solution) return 'Looking for the shortest way.';
  if (solution.kind === 'none') return 'No way to success was found.';
  if (solution.kind === 'late') return 'The shortest way was not found within ten seconds; there may still be one.';
  const n = solution.actions.length;
  const steps = `The shortest way has ${n} ${n === 1 ? 'step' : 'steps'}`;
  return pushes > 0 ? `${steps}, ${pushes} of them ${pushes === 1 ? 'a push' : 'pushes'}.` : `${steps}.`;
}

/** The shortest way in words; its actions can be unfolded. */
export function BestLine({ world, solution }: { world: World; solution: Solution | null }) {
  const actions = solution?.kind === 'path' ? solution.actions : null;
  const pushes = useMemo(
    () => (actions ? pushesOf(pathStates(world, actions).map((state) => world.env.scene(world.level, state, 0))) : 0),
    [world, actions],
  );
  const names = world.env.actions(world.level);
  return (
    <div className="best quiet">
      <p role="status">{bestSentence(solution, pushes)}</p>
      {actions && (
        <details>
          <summary>Step by step</summary>
          <p>{actions.map((a) => names[a]).join(', ')}</p>
        </details>
      )}
    </div>
  );
}
