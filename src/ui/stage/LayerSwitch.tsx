import { look } from '../stores/view.ts';
import { MOST_LAYERS } from './structure.ts';
import type { StageView } from './useStage.ts';

/** Which states the map means: those with the key, those without … It follows the episode until a person chooses. */
export function LayerSwitch({ layers, layer, own }: Pick<StageView, 'layers' | 'layer' | 'own'>) {
  if (layers.length < 2) return null;
  if (layers.length > MOST_LAYERS) {
    return <p className="quiet">The map shows the states in which everything else is as it is now.</p>;
  }
  const choose = (to: number): void => look({ layer: to === own ? null : to });
  if (layers.length <= 3) {
    return (
      <div className="segmented layers" role="group" aria-label="States shown on the map">
        {layers.map(({ layer: l, name }) => (
          <button key={l} type="button" aria-pressed={l === layer} onClick={() => choose(l)}>
            {name}
          </button>
        ))}
      </div>
    );
  }
  return (
    <label className="inline layers">
      States{' '}
      <select value={layer} onChange={(event) => choose(Number(event.target.value))}>
        {layers.map(({ layer: l, name }) => (
          <option key={l} value={l}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
