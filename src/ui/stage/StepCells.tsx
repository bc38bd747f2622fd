import { useEffect, useRef, type PointerEvent } from 'react';
import { useIsDark } from '../useTheme.ts';
import { CellGrid } from './CellGrid.tsx';
import { PALETTES, type Palette } from './palette.ts';
import { useWidth } from './useWidth.ts';

export type StepCellsProps = {
  /** what the cells are about, and the sentence of the chosen one */
  name: string;
  text: string;
  length: number;
  /** pixels from top to bottom, and CSS pixels */
  rows: number;
  height: number;
  /** paints a picture that is one pixel wide for each step; the same function for the same picture */
  paint: (ctx: CanvasRenderingContext2D, palette: Palette) => void;
  step: number;
  choose: (step: number) => void;
};

/** A picture with one column for each step of an episode, in which a step can be chosen. */
export function StepCells({ name, text, length, rows, height, paint, step: t, choose }: StepCellsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width } = useWidth(box, 400);
  const isDark = useIsDark();
  useEffect(() => {
    const picture = canvas.current!;
    picture.width = length;
    picture.height = rows;
    paint(picture.getContext('2d')!, PALETTES[isDark ? 'dark' : 'light']);
  }, [paint, length, rows, isDark]);
  const cell = width / length;
  const within = (to: number): number => Math.max(0, Math.min(length - 1, to));
  const under = (event: PointerEvent<HTMLDivElement>): number => {
    const frame = event.currentTarget.getBoundingClientRect();
    return within(Math.floor(((event.clientX - frame.left) / frame.width) * length));
  };
  return (
    <div className="slimcells" ref={box} style={{ height }}>
      <canvas ref={canvas} role="img" aria-label={`${name}, one column per step`} />
      <CellGrid
        label={`${name} of this episode, step by step; arrow keys move`}
        rows={1}
        columns={length}
        row={0}
        column={t}
        text={text}
        isShown
        frame={{ transform: `translateX(${t * cell}px)`, width: cell, height }}
        onMove={(key) => {
          const to = { ArrowLeft: t - 1, ArrowRight: t + 1, Home: 0, End: length - 1 }[key];
          if (to !== undefined) choose(within(to));
          return to !== undefined;
        }}
        onHover={() => undefined}
        onLeave={() => undefined}
        onPoint={(event) => choose(under(event))}
      />
    </div>
  );
}
