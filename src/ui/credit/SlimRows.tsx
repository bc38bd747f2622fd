import { useMemo } from 'react';
import { estimators } from '../../slots/methods.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { paintSigned } from '../color.ts';
import { useRunConfig } from '../session.ts';
import { useIsDark } from '../useTheme.ts';
import { EpisodeCells } from './EpisodeCells.tsx';
import { FAINT, runScale, withoutFaint } from './runScale.ts';
import { credit } from './sentences.ts';
import { stepOf } from './stepOf.ts';
import { limitOf } from './strips.ts';

type Props = { snapshot: Snapshot; i: number; t: number; isPlayed: boolean };

/** The cells of one episode: the estimate, and the exact credit below it where there is one. */
export function SlimRows({ snapshot, i, t, isPlayed }: Props) {
  const method = useRunConfig()?.advantage.method;
  const title = estimators.find((e) => e.id === method)?.title ?? 'Credit';
  const isDark = useIsDark();
  const { T, A, exact } = snapshot;
  const length = snapshot.length[i]!;
  const rows = exact ? 2 : 1;
  const own = useMemo(() => limitOf(snapshot, A), [snapshot, A]);
  const scale = runScale().exact;
  const pixels = useMemo(() => {
    const packed = new Uint32Array(rows * length);
    paintSigned(packed, 0, A, i * T, length, own, isDark);
    const shown = exact && withoutFaint(exact.subarray(i * T, i * T + length), FAINT * scale);
    if (shown) paintSigned(packed, length, shown, 0, length, scale || 1, isDark);
    return new Uint8ClampedArray(packed.buffer);
  }, [A, exact, i, T, length, rows, own, scale, isDark]);
  const k = i * T + t;
  return (
    <div className="slimrows">
      <span className="slimnames" aria-hidden>
        <span>{title}</span>
        {exact && <span>Exact</span>}
      </span>
      <EpisodeCells
        picture={`${title}${exact ? ' over exact' : ''}`}
        label="Credit of this episode"
        text={`Step ${t + 1}: ${title} ${credit(A[k]!)}${exact ? `, exact ${credit(exact[k]!)}` : ''}`}
        n={length}
        height={rows * 14}
        isShown={isPlayed}
        {...{ pixels, t }}
        {...stepOf(snapshot, i, isPlayed)}
      />
    </div>
  );
}
