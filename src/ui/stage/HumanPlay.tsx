import { ownNames } from '../../contract/tags.ts';
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { unless } from '../focus.ts';
import { isTyping } from '../keys.ts';
import { CommandLine } from './CommandLine.tsx';
import { Moves } from './Moves.tsx';
import { COLOR_NAMES } from './palette.ts';
import { act, actionOfKey, isOver, newGame, possibleNow, undo, type Game } from './play.ts';
import { StageCanvas } from './StageCanvas.tsx';
import { linesOfGame } from './transcript.ts';
import { Transcript } from './Transcript.tsx';
import { useDemo } from './useDemo.ts';
import { cellWords, describe } from './words.ts';
import type { World } from './world.ts';

type Props = {
  world: World;
  /** where the agent stands; null: the start of the level */
  from: Uint32Array | null;
  path: readonly number[];
  /** actions of a shortest path, once it is known */
  best: readonly number[] | null;
  /** goes to another level; null where there is only this one */
  another: (() => void) | null;
};

/** The person plays the level by the same rules as the agent, from where the agent stands or from the start. */
export function HumanPlay({ world, from, path, best, another }: Props) {
  const [last, setGame] = useState<Game>(() => newGame(world, from, 1));
  // another level is another game
  const game = last.world === world ? last : newGame(world, null, 1);
  const box = useRef<HTMLDivElement>(null);
  const { env, level } = world;
  const names = ownNames(env.actions(level));
  const { scene } = game;
  const speaks = scene.said !== undefined;
  const isDone = isOver(game);
  const possible = useMemo(() => possibleNow(game), [game]);
  const lines = useMemo(() => linesOfGame(game), [game]);
  // before the first paint: who plays at once plays here
  useLayoutEffect(() => {
    // on a phone the keyboard would cover the map before anybody has seen it
    const isTouch = matchMedia('(pointer: coarse)').matches;
    const line = isTouch ? null : box.current!.querySelector<HTMLElement>('input[role="combobox"]');
    (line ?? box.current!).focus({ preventScroll: true });
  }, []);
  const demo = useDemo(() => newGame(world, null, game.seed), best ?? [], setGame);
  const restart = (): void => {
    demo.stop();
    setGame(newGame(world, null, isDone ? game.seed + 1 : game.seed));
  };
  const go = (action: number, typed?: string): void => {
    demo.stop();
    setGame(act(game, action, typed));
  };
  const back = (): void => {
    demo.stop();
    setGame(undo(game));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target as HTMLElement)) return;
    const action = actionOfKey(event.key, names);
    const key = event.key.toLowerCase();
    if (key === 'u' || key === 'backspace') back();
    else if (key === 'r') restart();
    else if (action >= 0 && (event.key !== 'Enter' || event.target === box.current)) go(action);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isShortest = game.mood === 'won' && best !== null && game.steps <= best.length;
  return (
    <div
      className={`human ${game.mood}${speaks ? ' speaks' : ''}`}
      role="group"
      aria-label="Play yourself"
      tabIndex={0}
      ref={box}
      onKeyDownCapture={onKey}
    >
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
        hint={steering(names)}
      />
      <p className={isDone ? 'outcome done' : 'outcome'} role="status">
        {game.mood === 'won' && <span aria-hidden>★ </span>}
        {game.text}
        {game.mood === 'won' &&
          best &&
          (isShortest ? ' That is the shortest path.' : ` The shortest path has ${best.length}.`)}
      </p>
      <div className="controls">
        {speaks && <Transcript lines={lines} isLive />}
        {speaks && <CommandLine names={names} possible={possible} isDone={isDone} run={go} undo={back} />}
        <Moves names={names} possible={possible} isDone={isDone} go={go} />
        <div className="moves" role="group" aria-label="Game">
          <button type="button" {...unless(!game.before, back)} aria-keyshortcuts="U">
            Undo
          </button>
          <button type="button" onClick={restart} aria-keyshortcuts="R">
            From the start
          </button>
          {another && (
            <button type="button" onClick={another}>
              Another level
            </button>
          )}
          {best && env.chances(level) === 1 && (
            <button type="button" aria-pressed={demo.isOn} onClick={demo.isOn ? demo.stop : demo.start}>
              {demo.isOn ? 'Pause' : 'Show me how'}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

const steering = (names: readonly string[]): string =>
  names.some((name) => name.startsWith('go '))
    ? 'Write commands, press the buttons, or walk with the arrow keys.'
    : 'Your turn: use the arrow keys, W A S D, or the buttons below. U takes a step back, R starts again.';
