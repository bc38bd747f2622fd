import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { COLOR_NAMES } from './palette.ts';
import { act, actionOfKey, isOver, newGame, type Game } from './play.ts';
import { StageCanvas } from './StageCanvas.tsx';
import { cellWords, describe } from './words.ts';
import type { World } from './world.ts';

type Props = { world: World; from: Uint32Array; path: readonly number[] };

const PLACE: Readonly<Record<string, string>> = { up: 'north', down: 'south', left: 'west', right: 'east' };

/** The person plays the level by the same rules as the agent, from where the agent stands or from the start. */
export function HumanPlay({ world, from, path }: Props) {
  const [last, setGame] = useState<Game>(() => newGame(world, from, 1));
  // another level is another game
  const game = last.world === world ? last : newGame(world, null, 1);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const { env, level } = world;
  const names = env.actions(level);
  const scene = useMemo(() => env.scene(level, game.state, 0), [env, level, game.state]);
  const isDone = isOver(game);
  const onKey = (event: KeyboardEvent): void => {
    const action = actionOfKey(event.key, names);
    if (action < 0 || (event.key === 'Enter' && event.target !== box.current)) return;
    event.preventDefault();
    setGame(act(game, action));
  };
  const isCompass = names.every((name) => name in PLACE);
  return (
    <div className="human" role="group" aria-label="Play yourself" tabIndex={0} ref={box} onKeyDownCapture={onKey}>
      <StageCanvas
        scene={scene}
        cells={null}
        overlay="policy"
        limit={1}
        hasAgent
        trail={[]}
        path={path}
        summary={describe(scene, env.text(level, game.state, 0))}
        tell={(cell) => cellWords(scene, cell, '', undefined, null, names, COLOR_NAMES)}
        hint="You steer: arrow keys, or the buttons below."
      />
      <p className={isDone ? 'outcome done' : 'outcome'} role="status">
        {game.text}
      </p>
      <div className={isCompass ? 'moves compass' : 'moves'}>
        {names.map((name, a) => (
          <button
            key={name}
            type="button"
            disabled={isDone}
            style={isCompass ? { gridArea: PLACE[name] } : undefined}
            onClick={() => setGame(act(game, a))}
          >
            {name}
          </button>
        ))}
      </div>
      <button type="button" onClick={() => setGame(newGame(world, null, game.seed + 1))}>
        From the start
      </button>
    </div>
  );
}
