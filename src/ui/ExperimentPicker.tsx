import { presetById, presetConfig, presets } from '../config/presets.ts';
import { reset } from './session.ts';
import { startFrom, useDraft } from './stores/draft.ts';

function choose(id: string): void {
  const preset = presetById(id);
  if (!preset) return;
  startFrom(presetConfig(preset), preset.title);
  void reset();
}

/** All experiments by group, and what to look for in the one that is chosen. */
export function ExperimentPicker() {
  const baseTitle = useDraft((d) => d.baseTitle);
  const preset = presets.find((p) => p.title === baseTitle);
  return (
    <>
      <label className="picker">
        <span className="visually-hidden">Experiment</span>
        <select value={preset?.id ?? ''} onChange={(event) => choose(event.target.value)}>
          {[...new Set(presets.map((p) => p.group))].map((group) => (
            <optgroup key={group} label={group}>
              {presets
                .filter((p) => p.group === group)
                .map((p) => (
                  <option key={p.id} value={p.id}>
                    {p.title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <p className="lookfor">{preset?.look}</p>
    </>
  );
}
