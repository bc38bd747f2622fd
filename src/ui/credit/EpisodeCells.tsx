import { useEffect, useRef, type PointerEvent } from 'react';
import { CellGrid } from '../stage/CellGrid.tsx';
import { useWidth } from '../stage/useWidth.ts';

type Props = {
  /** [rows, n] pixels, one for each step, drawn `height` CSS pixels high in all */
  pixels: Uint8ClampedArray<ArrayBuffer>;
  n: number;
  height: number;
  /** the step with the frame, and its sentence */
  t: number;
  text: string;
  isShown: boolean;
  /** of the picture, and of its twin for keys */
  picture: string;
  label: string;
  choose: (t: number) => void;
  /** null: the pointer has left */
  hover: (t: number | null) => void;
};

/** Slim strips along one episode, one cell per step: drawn, pointed at, and walked through by keys. */
export function EpisodeCells({ pixels, n, height, t, text, isShown, picture, label, choose, hover }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width } = useWidth(box, 400);
  useEffect(() => {
    const drawn = canvas.current!;
    drawn.width = n;
    drawn.height = pixels.length / 4 / n;
    drawn.getContext('2d')!.putImageData(new ImageData(pixels, n, drawn.height), 0, 0);
  }, [pixels, n]);
  const cell = width / n;
  const under = (event: PointerEvent<HTMLDivElement>): number => {
    const frame = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(n - 1, Math.floor(((event.clientX - frame.left) / frame.width) * n)));
  };
  return (
    <div className="slimcells" ref={box} style={{ height }}>
      <canvas ref={canvas} role="img" aria-label={`${picture}, one cell per step`} />
      <CellGrid
        label={`${label}, step by step; arrow keys move`}
        rows={1}
        columns={n}
        row={0}
        column={t}
        {...{ text, isShown }}
        frame={{ transform: `translateX(${t * cell}px)`, width: cell, height }}
        onMove={(key) => {
          const to = { ArrowLeft: t - 1, ArrowRight: t + 1, Home: 0, End: n - 1 }[key];
          if (to !== undefined) choose(Math.max(0, Math.min(n - 1, to)));
          return to !== undefined;
        }}
        onHover={(event) => {
          const to = under(event);
          if (event.pointerType === 'mouse' && !(to === t && isShown)) hover(to);
        }}
        onLeave={() => hover(null)}
        onPoint={(event) => choose(under(event))}
      />
    </div>
  );
}
