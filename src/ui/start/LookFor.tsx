import { isSameTask } from '../../config/nearestPreset.ts';
import { presetConfig, presets, twinOf, type Preset } from '../../config/presets.ts';
import { remember } from '../before.ts';
import { keepGhost } from '../ghosts/ghosts.ts';
import { restart } from '../restart.ts';
import { present, reset } from '../session.ts';
import { startFrom, useDraft } from '../stores/draft.ts';
import { look } from '../stores/view.ts';

/** The twin takes the place of this experiment; a run that has begun stays in gray, and then the twin runs, too. */
async function compareWith(twin: Preset): Promise<void> {
  const hasRun = await keepGhost();
  remember(present());
  look({ isHuman: false, tab: 'watch' });
  startFrom(presetConfig(twin), twin.title);
  await (hasRun ? restart() : reset());
}

/** What to look for in the experiment that is on the screen, where it is one of ours: in another task nothing of it holds. */
export function LookFor() {
  const baseTitle = useDraft((d) => d.baseTitle);
  const isOfOurs = useDraft((d) => isSameTask(d.base, d.config));
  const preset = presets.find((p) => p.title === baseTitle);
  if (!preset || !isOfOurs) return null;
  const twin = twinOf(preset);
  return (
    <span className="lookfor">
      {preset.look}
      {twin && (
        <>
          {' '}
          <button type="button" className="inword" title={twin.title} onClick={() => void compareWith(twin)}>
            {preset.mends === undefined ? 'Compare with its mended twin' : 'Compare with the reward that is farmed'}
          </button>
        </>
      )}
    </span>
  );
}
