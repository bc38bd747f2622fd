import { BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, type Scale } from './frame.ts';

type Tick = readonly [at: number, text: string];
type Props = { scale: Scale; x: readonly Tick[]; y: readonly Tick[]; name: string };

/** Grid lines with their numbers, and what the horizontal axis is. */
export function Axes({ scale, x, y, name }: Props) {
  return (
    <>
      {y.map(([at, text]) => (
        <g key={text}>
          <path d={`M${LEFT} ${scale.y(at)}H${WIDTH - RIGHT}`} className="gridline" />
          <text x={LEFT - 6} y={scale.y(at) + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {x.map(([at, text]) => (
        <text key={text} x={scale.x(at)} y={HEIGHT - BOTTOM + 14} textAnchor="middle">
          {text}
        </text>
      ))}
      <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 3} textAnchor="middle">
        {name}
      </text>
    </>
  );
}
