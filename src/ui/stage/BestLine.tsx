import { useMemo } from 'react';
import type { Solution } from '../solve/solve.ts';
import { pushesOf } from './events.ts';
import { pathStates } from './path.ts';
import type { World } from './world.ts';
import { many } from '../format.ts';

/** How long the shortest path is, in one sentence; with boxes, how many of its steps are pushes. */
function bestSentence(solution: Solution | null, pushes: number): string {
  if (!solution) return 'Looking for the shortest path.';
  if (solution.kind === 'none') return 'There is no path to success.';
  if (solution.kind === 'late') return 'The search was too large; there may be a path.';
  const n = solution.actions.length;
  const steps = `The shortest path has ${many(n, 'step')}`;
  if (pushes === 0) return `${steps}.`;
  const fewest =
    solution.pushes !== null && solution.pushes < pushes ? ` The fewest pushes are ${solution.pushes}.` : '';
  return `${steps}, ${pushes} of them ${pushes === 1 ? 'a push' : 'pushes'}.${fewest}`;
}

/** The shortest path in words; its actions can be unfolded. */
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
