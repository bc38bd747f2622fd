import { changesBetween, diffText } from '../../config/diff.ts';
import { defaultConfig } from '../../config/schema.ts';
import { part } from '../Part.tsx';
import { useShared } from '../share/shownMoment.ts';
import { discardShared, keepShared, useDraft } from '../stores/draft.ts';

// few links hold a moment or a result
const FromLink = part(() => import('../share/FromLink.tsx').then((m) => m.FromLink));

/** Shown while a link's experiment is on the screen: it never replaces the person's own draft by itself. */
export function LinkStrip() {
  const config = useDraft((d) => d.config);
  const title = useDraft((d) => d.title);
  const note = useDraft((d) => d.note);
  // only a bundle brings all the numbers of its run
  const from = useShared(({ curves, lesson }) =>
    lesson ? `Opened from the lesson “${lesson}”` : curves ? 'Opened from a bundle' : 'Opened from a link',
  );
  const n = changesBetween(defaultConfig(), config).length;
  return (
    <div className="linkstrip" role="region" aria-label={from}>
      <p>
        <strong>{from}</strong> · {n === 1 ? '1 change' : `${n} changes`} from default
        {title && ` · ${title}`}
      </p>
      <p className="quiet">{n > 0 && diffText(defaultConfig(), config)}</p>
      <FromLink />
      {note && <p className="quiet">{note.slice(0, 200)}</p>}
      <button type="button" onClick={keepShared}>
        Keep as my draft
      </button>
      <button type="button" onClick={discardShared}>
        Discard, back to my draft
      </button>
    </div>
  );
}
