import { fail, ok, type Result } from '../../core/problem.ts';
import { LevelStream } from '../../core/random.ts';
import { SHIFT } from './board.ts';
import { Field } from './field.ts';
import { carve, mapOf } from './generate.ts';
import type { SokobanMap } from './level.ts';
import { FAMILY } from './rules.ts';

/** As large as the boards of Boxoban, with as many boxes. */
const BOARD = { w: 10, h: 10 } as const;
const BOXES = 4;
/** Pulls of a board: 1 to this many, each number as likely. */
export const PULLS = 80;
/** Chance in 100 that a pull goes on with the box before, in its direction if it can. */
const GOES_ON = 60;
const ATTEMPTS = 1000;

/**
 * A board that looks like one of Boxoban, by reverse play at random: a cave, boxes on targets, then pulls. Played backward
 * they are a solution, so every board has one, and no search is needed; a shorter one may exist.
 */
export function practiceBoard(seed: number): Result<SokobanMap> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stream = new LevelStream(seed, FAMILY, attempt);
    const floor = carve(stream, BOARD);
    if (floor.length < 3 * BOXES) continue;
    const squares = stream.shuffle(floor.slice());
    const targets = squares.slice(0, BOXES).sort((a, b) => a - b);
    const field = new Field(floor);
    const boxes = [...targets];
    for (const box of boxes) field.blocked[box] = 1;
    const player = pulled(stream, field, boxes, squares[BOXES]!);
    if (boxes.every((box) => targets.includes(box))) continue;
    field.fill(player);
    const place = stream.pick(floor.filter((square) => field.reaches(square)));
    return ok(mapOf(BOARD, floor, targets, boxes, place));
  }
  return fail({ kind: 'configRejected', issues: [{ path: 'task.sokoban.practice', message: 'found no board' }] });
}

/** Pulls boxes at random, in place; returns where the player ends. */
function pulled(stream: LevelStream, field: Field, boxes: number[], from: number): number {
  const wanted = 1 + stream.below(PULLS);
  let player = from;
  let last = { box: -1, d: 0 };
  for (let n = 0; n < wanted; n++) {
    field.fill(player);
    const ways: { box: number; d: number }[] = [];
    for (let box = 0; box < boxes.length; box++)
      for (const d of SHIFT) {
        const beside = boxes[box]! + d;
        if (field.reaches(beside) && field.blocked[beside + d] === 0) ways.push({ box, d });
      }
    if (ways.length === 0) break;
    const on = ways.filter(({ box, d }) => box === last.box && d !== -last.d);
    const straight = on.filter(({ d }) => d === last.d);
    const goesOn = on.length > 0 && stream.below(100) < GOES_ON;
    last = stream.pick(goesOn ? (straight.length > 0 ? straight : on) : ways);
    const square = boxes[last.box]!;
    field.blocked[square] = 0;
    field.blocked[square + last.d] = 1;
    boxes[last.box] = square + last.d;
    player = square + 2 * last.d;
  }
  return player;
}
