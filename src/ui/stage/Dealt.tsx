import { useCallback, useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { select } from '../stores/view.ts';
import { Aims } from './Aims.tsx';
import { budgetOf, budgetWords, hintIn, lanesOf, recalledIn, toldIn, toldSentence } from './dealt.ts';
import { Notebook } from './Notebook.tsx';
import type { Palette } from './palette.ts';
import { Store } from './Store.tsx';
import { StepStrip } from './StepStrip.tsx';
import type { World } from './world.ts';

type Props = { world: World; snapshot: Snapshot; trajectory: number; step: number };

/** Height of a lane in CSS pixels: that of its name. */
const LANE = 14;

/** What this episode was dealt that others of its group were not, a step budget, a teacher or a hint, and what it notes down. */
export function Dealt(props: Props) {
  const budget = budgetOf(props.world, props.snapshot, props.trajectory);
  const hint = hintIn(props.world, props.snapshot, props.trajectory, props.step);
  const recalled = recalledIn(props.world, props.snapshot, props.trajectory, props.step);
  return (
    <>
      {hint !== null && <p className="quiet">{hint}</p>}
      {recalled !== null && <p className="quiet">{recalled}</p>}
      {budget !== null && <Budget {...props} budget={budget} />}
      {props.world.env.teaches && <Told {...props} />}
      {props.world.env.aiming && <Aims {...props} />}
      {props.world.env.notebook && <Notebook {...props} />}
      <Store {...props} />
    </>
  );
}

/** Steps within the budget that the agent was told, and steps over it. */
function Budget({ snapshot, trajectory: i, step, budget }: Props & { budget: number }) {
  const length = snapshot.length[i]!;
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, { quiet, agent }: Palette) => {
      for (let t = 0; t < length; t++) {
        const isOver = t >= budget;
        ctx.fillStyle = isOver ? agent : quiet;
        ctx.fillRect(t, isOver ? 1 : 0, 1, 1);
      }
    },
    [length, budget],
  );
  const t = Math.max(0, Math.min(step, length - 1));
  return (
    <StepStrip
      {...{ title: 'Budget', name: 'Step budget', text: budgetWords(t, budget), paint, length, step: t }}
      rowNames={['within', 'over']}
      rows={2}
      height={2 * LANE}
      choose={(to) => select(i, to)}
    />
  );
}

/** What the teacher told before each step, in a lane of its own for each subgoal. */
function Told({ world, snapshot, trajectory: i, step }: Props) {
  const told = useMemo(() => toldIn(world, snapshot, i), [world, snapshot, i]);
  const lanes = useMemo(() => lanesOf(told), [told]);
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, { ink }: Palette) =>
      told.forEach((words, t) => {
        ctx.fillStyle = ink;
        if (words !== '') ctx.fillRect(t, lanes.indexOf(words), 1, 1);
      }),
    [told, lanes],
  );
  const t = Math.max(0, Math.min(step, told.length - 1));
  const rowNames = lanes.length > 0 ? lanes : ['no teacher'];
  return (
    <StepStrip
      {...{ title: 'Teacher', name: 'What the teacher says', text: toldSentence(told, t), paint, step: t }}
      length={told.length}
      rows={rowNames.length}
      height={LANE * rowNames.length}
      rowNames={rowNames}
      choose={(to) => select(i, to)}
    />
  );
}
