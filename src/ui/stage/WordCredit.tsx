import { useCallback, useMemo } from 'react';
import { hasTags } from '../../contract/tags.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { css, signedColor } from '../color.ts';
import { select } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { StepStrip } from './StepStrip.tsx';
import { creditedWords, creditSentence, laneNames, largestOf } from './wordCredit.ts';

type Props = { snapshot: Snapshot; trajectory: number; step: number };

/** Height of a lane in CSS pixels: that of its name. */
const LANE = 14;

/** What each word of each command was worth, in a lane for each word; empty where a command has none there. */
export function WordCredit({ snapshot, trajectory: i, step }: Props) {
  const isDark = useIsDark();
  const words = useMemo(() => creditedWords(snapshot, i), [snapshot, i]);
  const { A = new Float32Array(), decisions = 1 } = snapshot.written ?? {};
  const limit = useMemo(() => largestOf(A), [A]);
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D) =>
      words.forEach((own, t) =>
        own.forEach((word, d) => {
          ctx.fillStyle = css(signedColor(word.A / limit, isDark));
          ctx.fillRect(t, d, 1, 1);
        }),
      ),
    [words, limit, isDark],
  );
  const t = Math.max(0, Math.min(step, words.length - 1));
  return (
    <StepStrip
      {...{ title: 'Credit of words', name: 'Credit of words', text: creditSentence(t, words[t] ?? []) }}
      {...{ paint, length: words.length, step: t }}
      rowNames={laneNames(decisions, hasTags(snapshot.actions))}
      rows={decisions}
      height={LANE * decisions}
      choose={(to) => select(i, to)}
    />
  );
}
