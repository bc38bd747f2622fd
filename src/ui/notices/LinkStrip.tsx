import { changesBetween, diffText } from '../../config/diff.ts';
import { defaultConfig } from '../../config/schema.ts';
import { part } from '../Part.tsx';
import { discardShared, keepShared, useDraft } from '../stores/draft.ts';

// few links hold a moment
const ToMoment = part(() => import('../share/ToMoment.tsx').then((m) => m.ToMoment));

/** Shown while a link's experiment is on the screen: it never replaces the person's own draft by itself. */
export function LinkStrip() {
  const isOpen = useDraft((d) => d.own !== null);
  const config = useDraft((d) => d.config);
  const title = useDraft((d) => d.title);
  const note = useDraft((d) => d.note);
  if (!isOpen) return null;
  const n = changesBetween(defaultConfig(), config).length;
  return (
    <div className="linkstrip" role="region" aria-label="Opened from a link">
      <p>
        <strong>Opened from a link</strong> · {n === 1 ? '1 change' : `${n} changes`} from default
        {title && ` · ${title}`}
      </p>
      <p className="quiet">{n > 0 && diffText(defaultConfig(), config)}</p>
      <ToMoment />
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
