import { problemText } from '../../config/problems.ts';
import type { Problem } from '../../core/problem.ts';
import type { Solution } from '../solve/solve.ts';
import { many } from '../format.ts';

/** What is wrong with a level by the words of its parser. */
export function mistake(problem: Problem): string {
  if (problem.kind === 'levelRejected') return `Line ${problem.line}, column ${problem.column}: ${problem.detail}`;
  if (problem.kind === 'configRejected' && problem.issues[0]) return `The level ${problem.issues[0].message}.`;
  return problemText(problem).sentence;
}

export function verdict(problem: Problem | null, solution: Solution | null): string {
  if (problem) return mistake(problem);
  if (!solution) return 'The level is complete. Looking for a solution.';
  if (solution.kind === 'none') return 'The level is complete, but no path to success was found.';
  if (solution.kind === 'late')
    return 'The level is complete. The search for a solution was too large; it may still be solvable.';
  const n = solution.actions.length;
  return `Solvable: the shortest solution has ${many(n, 'step')}.`;
}

/** Whether the level can be used, and how long its shortest solution is. */
export function Verdict({ problem, solution }: { problem: Problem | null; solution: Solution | null }) {
  const isBad = problem !== null || solution?.kind === 'none';
  return (
    <p className={isBad ? 'issue error' : 'verdict'} role="status">
      {verdict(problem, solution)}
    </p>
  );
}
