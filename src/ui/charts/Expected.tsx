import { diffText } from '../../config/diff.ts';
import { valuesOf } from '../../config/moment.ts';
import { presets } from '../../config/presets.ts';
import pictures from '../gallery/pictures.json';
import { useShared } from '../share/shownMoment.ts';
import { useDraft } from '../stores/draft.ts';

const [WIDE, HIGH] = [200, 60];
const MOST = 9;

type Known = { readonly values: readonly number[]; readonly words: string };

/** A curve of success that someone else has measured: with the link, or where pictures were made of the experiments. */
function useKnown(): Known | null {
  const shared = useShared();
  const { config, base, baseTitle } = useDraft();
  if (shared.expected && shared.config === config)
    return {
      values: valuesOf(shared.expected),
      words: `Expected: what the sender of the link saw in ${shared.expected.updates} updates. Not measured here.`,
    };
  const preset = presets.find((p) => p.title === baseTitle);
  const known = (pictures as Readonly<Record<string, { readonly curve: string; readonly share: number }>>)[
    preset?.id ?? ''
  ];
  if (!known || known.share < 1 || diffText(base, config) !== 'no change') return null;
  return {
    values: Array.from(known.curve, (digit) => Number(digit) / MOST),
    words: 'Expected: success in another run of this experiment. Not measured here.',
  };
}

/** Stands faintly in the chart of success before anything has run. */
export function Expected() {
  const known = useKnown();
  if (!known) return null;
  const last = known.values.length - 1;
  const points = known.values.map((y, k) => `${(WIDE * k) / last},${1 + (HIGH - 2) * (1 - y)}`).join(' ');
  return (
    <figure className="expected">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden>
        <polyline points={points} />
      </svg>
      <figcaption className="quiet">{known.words}</figcaption>
    </figure>
  );
}
