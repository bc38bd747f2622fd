import { useEffect, useMemo, useRef } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { symmetricLimit } from '../color.ts';
import { count, signed } from '../format.ts';
import { PALETTES } from '../stage/palette.ts';
import { useWidth } from '../stage/useWidth.ts';
import { useIsDark } from '../useTheme.ts';
import { quadrantsOf } from './compareMath.ts';
import { Mark } from './Mark.tsx';
import { useSlot } from './slots.ts';
import { realValues } from './strips.ts';

type Props = {
  snapshot: Snapshot;
  at: number;
  title: string;
  values: Float32Array;
  truth: Float32Array;
  known: Uint8Array | null;
  /** truths beyond ± this made a difference */
  threshold: number;
  /** flat index of the step shown everywhere */
  selected: number;
};

const HEIGHT = 170;
const PAD = 8;
const SIDES = ['up', 'nothing', 'down'] as const;

/** Credit of every step against what the step was worth: dots where the sign is right, crosses where it is wrong. */
export function Scatter({ snapshot, at, title, values, truth, known, threshold, selected }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 240);
  const isDark = useIsDark();
  const slot = useSlot()(at);
  const limits = useMemo(
    () => ({ y: symmetricLimit(realValues(snapshot, values)), x: symmetricLimit(realValues(snapshot, truth)) }),
    [snapshot, values, truth],
  );
  const table = useMemo(
    () => quadrantsOf(snapshot, values, truth, known, threshold),
    [snapshot, values, truth, known, threshold],
  );
  useEffect(() => {
    const { ink, quiet } = PALETTES[isDark ? 'dark' : 'light'];
    const points = { snapshot, values, truth, known, threshold, selected, limits };
    // the color of the estimator in all views
    const own = getComputedStyle(canvas.current!).color;
    draw(canvas.current!, points, { width, ratio, ink, own, quiet });
  }, [snapshot, values, truth, known, threshold, selected, limits, width, ratio, isDark, slot]);
  const right = table[0]![0] + table[2]![2];
  const wrong = table[0]![2] + table[2]![0];
  const silent = table[1]![0] + table[1]![2];
  const told = `${count(right)} steps have the right sign, ${count(wrong)} the wrong one, ${count(silent)} get no credit although they mattered.`;
  return (
    <figure className="scatter">
      <figcaption>
        <Mark at={at} /> {title}
      </figcaption>
      <div className="scatterbox" ref={box}>
        <canvas
          ref={canvas}
          className={`cat${slot}`}
          role="img"
          aria-label={`${title} against the truth: ${told}`}
          style={{ height: HEIGHT }}
        />
      </div>
      <p className="axes quiet">
        <span>truth {signed(-limits.x)}</span>
        <span>0</span>
        <span>{signed(limits.x)} →</span>
      </p>
      <p className="quiet">
        ↑ credit up to {signed(limits.y)}. {told}
      </p>
      <details>
        <summary>
          Counts<span className="visually-hidden"> of {title}</span>
        </summary>
        <table className="counts">
          <caption className="visually-hidden">{title}: signs of credit against signs of the truth</caption>
          <thead>
            <tr>
              <th scope="col">Steps</th>
              <th scope="col">truth up</th>
              <th scope="col">about 0</th>
              <th scope="col">truth down</th>
            </tr>
          </thead>
          <tbody>
            {SIDES.map((name, k) => (
              <tr key={name}>
                <th scope="row">credit {name}</th>
                {table[k]!.map((n, j) => (
                  <td key={j}>{count(n)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

type Points = Pick<Props, 'snapshot' | 'values' | 'truth' | 'known' | 'threshold' | 'selected'> & {
  readonly limits: { readonly x: number; readonly y: number };
};
type Frame = Readonly<Record<'width' | 'ratio', number> & Record<'ink' | 'own' | 'quiet', string>>;

function draw(canvas: HTMLCanvasElement, points: Points, { width, ratio, ink, own, quiet }: Frame): void {
  const { snapshot, values, truth, known, threshold, selected, limits } = points;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = HEIGHT * ratio;
  const ctx = canvas.getContext('2d')!;
  ctx.scale(ratio, ratio);
  const cut = (v: number): number => Math.max(-1, Math.min(1, v));
  const x = (v: number): number => width / 2 + cut(v / limits.x) * (width / 2 - PAD);
  const y = (v: number): number => HEIGHT / 2 - cut(v / limits.y) * (HEIGHT / 2 - PAD);
  ctx.strokeStyle = quiet;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(PAD, HEIGHT / 2);
  ctx.lineTo(width - PAD, HEIGHT / 2);
  ctx.moveTo(width / 2, PAD);
  ctx.lineTo(width / 2, HEIGHT - PAD);
  ctx.stroke();
  ctx.strokeStyle = own;
  ctx.fillStyle = own;
  const { B, T, length } = snapshot;
  const total = length.reduce((n, steps) => n + steps, 0);
  ctx.globalAlpha = Math.max(0.12, Math.min(0.6, 60 / Math.sqrt(total) / 4));
  for (let i = 0; i < B; i++) {
    for (let k = i * T; k < i * T + length[i]!; k++) {
      if (known && known[k] === 0) continue;
      const [px, py] = [x(truth[k]!), y(values[k]!)];
      const isWrong = Math.abs(truth[k]!) > threshold && values[k]! * truth[k]! <= 0;
      ctx.beginPath();
      if (isWrong) {
        ctx.moveTo(px - 3, py - 3);
        ctx.lineTo(px + 3, py + 3);
        ctx.moveTo(px - 3, py + 3);
        ctx.lineTo(px + 3, py - 3);
        ctx.stroke();
      } else {
        ctx.arc(px, py, 2, 0, 2 * Math.PI);
        ctx.fill();
      }
    }
  }
  ctx.globalAlpha = 1;
  if (known && known[selected] === 0) return;
  ctx.strokeStyle = ink;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.arc(x(truth[selected]!), y(values[selected]!), 6, 0, 2 * Math.PI);
  ctx.stroke();
}
