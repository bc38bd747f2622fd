import { useCallback, useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { css, signedColor } from '../color.ts';
import { select } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import type { Aimed } from './aims.ts';
import { lanesOfRoles, roleSentence } from './roles.ts';
import { StepStrip } from './StepStrip.tsx';
import { largestOf } from './wordCredit.ts';

type Props = { snapshot: Snapshot; steps: readonly Aimed[]; trajectory: number; step: number };

/** Who was blamed: the credit of each step in the lane of its role, from the planner down to who acts. */
export function RoleCredit({ snapshot, steps, trajectory: i, step }: Props) {
  const isDark = useIsDark();
  const { A, T } = snapshot;
  const lanes = useMemo(() => lanesOfRoles(steps), [steps]);
  const limit = useMemo(() => largestOf(A), [A]);
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D) =>
      steps.forEach(({ decides }, t) => {
        ctx.fillStyle = css(signedColor(A[i * T + t]! / limit, isDark));
        ctx.fillRect(t, lanes.indexOf(decides), 1, 1);
      }),
    [steps, lanes, A, T, i, limit, isDark],
  );
  const t = Math.max(0, Math.min(step, steps.length - 1));
  return (
    <StepStrip
      {...{ title: 'Credit of roles', name: 'Credit of each role', paint, length: steps.length, step: t }}
      text={roleSentence(t, steps[t]!.decides, A[i * T + t]!)}
      rows={lanes.length}
      height={14 * lanes.length}
      rowNames={lanes}
      choose={(to) => select(i, to)}
    />
  );
}
