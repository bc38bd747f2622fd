import { useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { EpisodeCells } from '../credit/EpisodeCells.tsx';
import { SignedScale } from '../credit/Legend.tsx';
import { stepOf } from '../credit/stepOf.ts';
import { useIsDark } from '../useTheme.ts';
import './rewards.css';
import { RowLegend } from './RowLegend.tsx';
import { rowPixels, rowsOfEpisode, rowsSentence } from './rows.ts';
import { useRewards } from './useRewards.ts';

type Props = { snapshot: Snapshot; i: number; t: number };

/** Height of a strip in CSS pixels, with the line below it. */
const HEIGHT = 15;

/** What each step of an episode was paid and what the world reported of it: slim strips, one cell per step. */
export function SignalStrips({ snapshot, i, t }: Props) {
  const isDark = useIsDark();
  const found = useRewards(snapshot, i);
  const isOwn = found !== null && found.snapshot === snapshot && found.i === i;
  const episode = isOwn ? found.answer.episode : null;
  const signals = typeof episode === 'object' ? episode : null;
  const n = snapshot.length[i]!;
  const rows = useMemo(() => rowsOfEpisode(snapshot, i, signals), [snapshot, i, signals]);
  const pixels = useMemo(() => rowPixels(rows, n, isDark), [rows, n, isDark]);
  const titles = rows.map(({ title }) => title);
  return (
    <div className="signals" role="group" aria-label="Rewards and signals of this episode">
      <div className="slimrows">
        <span className="slimnames" aria-hidden>
          {titles.map((title) => (
            <span key={title}>{title}</span>
          ))}
        </span>
        <EpisodeCells
          picture={titles.join(', ')}
          label="Rewards and signals of this episode"
          text={rowsSentence(rows, t)}
          height={rows.length * HEIGHT}
          isShown
          {...{ pixels, n, t }}
          {...stepOf(snapshot, i, true)}
        />
      </div>
      <p className="told number">{rowsSentence(rows, t)}</p>
      {typeof episode === 'string' && <p className="quiet">{episode}</p>}
      {isOwn && !found.answer.isKept && (
        <p className="quiet">This batch is no longer kept, so what the world reported of it is not known any more.</p>
      )}
      <SignedScale limit={rows[0]!.high} what="reward of a step" less="costs" more="pays" />
      <RowLegend rows={rows} />
    </div>
  );
}
