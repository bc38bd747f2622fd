import { css, signedColor } from '../color.ts';
import { value } from '../format.ts';
import { useIsDark } from '../useTheme.ts';
import { binsOf, fewValues, middleOf, type Bins } from './bins.ts';

type Props = {
  title: string;
  values: ArrayLike<number>;
  /** values with a sign are colored by it, beginning at this middle */
  signedFrom?: number;
  limit?: number;
};

const WIDTH = 320;
const HEIGHT = 84;

/** How often each size of a number occurs, with its ends and the most frequent one in words. */
export function Histogram({ title, values, signedFrom, limit = 1 }: Props) {
  const isDark = useIsDark();
  const bins = binsOf(values);
  const most = Math.max(...bins.counts, 1);
  const wide = WIDTH / bins.counts.length;
  const told = tell(bins, values);
  const zero = signedFrom !== undefined && bins.low < signedFrom && bins.high > signedFrom;
  return (
    <figure className="histogram">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${told}`} preserveAspectRatio="none">
        {bins.counts.map((n, k) => (
          <rect
            key={k}
            x={k * wide + 1}
            width={Math.max(1, wide - 2)}
            y={HEIGHT - 2 - (n === 0 ? 0 : Math.max(2, ((HEIGHT - 6) * n) / most))}
            height={n === 0 ? 0 : Math.max(2, ((HEIGHT - 6) * n) / most)}
            fill={
              signedFrom === undefined
                ? 'var(--accent)'
                : css(signedColor(tone((middleOf(bins, k) - signedFrom) / limit), isDark))
            }
            stroke="var(--muted)"
            strokeWidth={0.7}
          />
        ))}
        {zero && (
          <line
            x1={(WIDTH * (signedFrom - bins.low)) / (bins.high - bins.low)}
            x2={(WIDTH * (signedFrom - bins.low)) / (bins.high - bins.low)}
            y1={0}
            y2={HEIGHT}
            stroke="var(--text)"
            strokeDasharray="3 3"
          />
        )}
      </svg>
      <p className="quiet number">{told}</p>
    </figure>
  );
}

function tell(bins: Bins, values: ArrayLike<number>): string {
  if (values.length === 0) return 'none';
  if (bins.counts.length === 1) return `all ${values.length} are ${number(bins.low)}`;
  const few = fewValues(values);
  if (few) return few.map(([x, n]) => `${n} × ${number(x)}`).join(', ');
  const most = bins.counts.indexOf(Math.max(...bins.counts));
  return `${values.length} values from ${number(bins.low)} to ${number(bins.high)}, most often about ${number(middleOf(bins, most))}`;
}

const tone = (x: number): number => Math.max(-1, Math.min(1, x));

/** Numbers of a scale: a difference of rounding is not shown. */
const number = (x: number): string =>
  x < 0 ? `−${value(Number((-x).toPrecision(3)))}` : value(Number(x.toPrecision(4)));
