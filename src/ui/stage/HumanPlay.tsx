import { useState, type KeyboardEvent } from 'react';
import { FLAG, type StepResult } from '../../envs/types.ts';
import { describe, firstState, type World } from './world.ts';
import { StageCanvas } from './StageCanvas.tsx';

const ARROWS: Readonly<Record<string, string>> = {
  ArrowRight: 'right',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowUp: 'up',
};
const TURN_ARROWS: Readonly<Record<string, string>> = {
  ArrowRight: 'turn right',
  ArrowLeft: 'turn left',
  ArrowUp: 'forward',
  ArrowDown: 'pick up',
  Enter: 'open',
};

/** A game that has not begun; `seed` decides the chance of its world. */
function firstMove(world: World) {
  return { world, state: firstState(world), text: 'Your turn: reach the goal.', steps: 0, total: 0, seed: 1 };
}

/** The person plays the level by the same rules as the agent. */
export function HumanPlay({ world }: { world: World }) {
  const { env, level } = world;
  const [last, setPlay] = useState(() => firstMove(world));
  // another level is another game
  const play = last.world === world ? last : firstMove(world);
  const names = env.actions(level);
  const scene = env.scene(level, play.state, 0);
  const isOver = play.state[env.words - 1]! >>> 16 !== 0;

  const act = (action: number): void => {
    if (isOver || action < 0) return;
    const state = play.state.slice();
    const result: StepResult = { reward: 0, flags: 0 };
    env.step(level, state, 0, action, play.seed, result);
    const total = play.total + result.reward / 1000;
    setPlay({ ...play, state, steps: play.steps + 1, total, text: sentence(result.flags, play.steps + 1, total) });
  };
  const onKey = (event: KeyboardEvent): void => {
    const name = (names.includes('forward') ? TURN_ARROWS : ARROWS)[event.key];
    if (name === undefined) return;
    event.preventDefault();
    act(names.indexOf(name));
  };
  return (
    <div className="human" role="group" aria-label="Play yourself" tabIndex={0} onKeyDown={onKey}>
      <StageCanvas
        scene={scene}
        summary={describe(scene, env.text(level, play.state, 0))}
        overlay="policy"
        map={null}
        row={0}
        actions={[]}
        world={world}
        path={null}
      />
      <p role="status">{play.text}</p>
      <div className="moves">
        {names.map((name, a) => (
          <button key={name} type="button" disabled={isOver} onClick={() => act(a)}>
            {name}
          </button>
        ))}
        <button
          type="button"
          onClick={() => setPlay({ ...firstMove(world), text: 'Again from the start.', seed: play.seed + 1 })}
        >
          Start again
        </button>
      </div>
      <p className="quiet">Arrow keys work while this part has the focus.</p>
    </div>
  );
}

function sentence(flags: number, steps: number, total: number): string {
  const paid = `return ${total.toFixed(2)} after ${steps} ${steps === 1 ? 'step' : 'steps'}`;
  if ((flags & FLAG.success) !== 0) return `Success: ${paid}.`;
  if ((flags & FLAG.dead) !== 0) return `The episode ended badly: ${paid}.`;
  if ((flags & FLAG.truncated) !== 0) return `Out of steps: ${paid}.`;
  if ((flags & 256) !== 0) return `You have a key: ${paid}.`;
  if ((flags & 512) !== 0) return `The door is open: ${paid}.`;
  if ((flags & FLAG.invalid) !== 0) return `That is not possible here: ${paid}.`;
  return `Step ${steps}: ${paid}.`;
}
