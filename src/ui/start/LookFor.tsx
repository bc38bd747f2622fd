import { presets } from '../../config/presets.ts';
import { useDraft } from '../stores/draft.ts';

/** What to look for in the experiment that is on the screen, where it is one of ours. */
export function LookFor() {
  const baseTitle = useDraft((d) => d.baseTitle);
  const preset = presets.find((p) => p.title === baseTitle);
  return preset ? <span className="lookfor">{preset.look}</span> : null;
}
