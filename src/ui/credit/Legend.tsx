import { css, signedColor } from '../color.ts';
import { signed } from '../format.ts';
import { useIsDark } from '../useTheme.ts';

type Props = { limit: number; what: string; less?: string; more?: string };

/** Purple to orange with the value of its ends. */
export function SignedScale({ limit, what, less = 'do less', more = 'do more' }: Props) {
  const isDark = useIsDark();
  const stops = Array.from({ length: 17 }, (_, k) => css(signedColor((k - 8) / 8, isDark)));
  return (
    <p className="scale">
      <span>
        {less} ▼ <span className="number">{signed(-limit)}</span>
      </span>
      <span className="ramp" aria-hidden style={{ background: `linear-gradient(90deg, ${stops.join(', ')})` }} />
      <span>
        <span className="number">{signed(limit)}</span> ▲ {more}
      </span>
      <span className="quiet">{what}</span>
    </p>
  );
}
