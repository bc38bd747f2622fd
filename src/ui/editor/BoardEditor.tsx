import { useMemo, useState } from 'react';
import type { Problem } from '../../core/problem.ts';
import { cellAt, floorOf, paint, parseBoard, resize, writeBoard } from './board.ts';
import { BoardMap } from './BoardMap.tsx';
import { BrushBar } from './BrushBar.tsx';
import type { BoardKind } from '../../envs/editor.ts';
import { Stepper } from './Stepper.tsx';

type Props = {
  text: string;
  kind: BoardKind;
  problem: Problem | null;
  /** longest text that a level of one's own may have */
  maxLength: number;
  change: (text: string, stroke?: string) => void;
};

/** Longest side that a map may get here; the parser of a world may allow less and then says so. */
const MOST_SIDE = 32;

/** A map that is painted: brushes, map, size. */
export function BoardEditor({ text, kind, problem, maxLength, change }: Props) {
  const board = useMemo(() => parseBoard(text, kind), [text, kind]);
  const [char, setChar] = useState(() => kind.brushes[1]?.char ?? floorOf(kind));
  const wrong = problem?.kind === 'levelRejected' ? cellAt(board, problem.line, problem.column) : null;
  const { width, height } = board;
  const room = maxLength - board.head.join('\n').length - 1;
  const to = (w: number, h: number): void => change(writeBoard(resize(board, w, h, kind)));
  return (
    <div className="boardeditor">
      <BoardMap
        board={board}
        kind={kind}
        char={char}
        floor={floorOf(kind)}
        wrong={wrong}
        paint={(cell, c, stroke) => change(writeBoard(paint(board, cell, c, kind)), stroke)}
      />
      <div className="tools">
        <BrushBar kind={kind} char={char} choose={setChar} />
        <div className="sizes">
          <Stepper
            label="Columns"
            value={width}
            most={Math.min(MOST_SIDE, Math.floor(room / height) - 1)}
            set={(w) => to(w, height)}
          />
          <Stepper
            label="Rows"
            value={height}
            most={Math.min(MOST_SIDE, Math.floor(room / (width + 1)))}
            set={(h) => to(width, h)}
          />
        </div>
      </div>
    </div>
  );
}
