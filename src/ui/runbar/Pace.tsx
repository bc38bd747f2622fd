import { look, useView } from '../stores/view.ts';
import { PACES, paceAt, paceWords, PLACES, placeOf } from './pace.ts';

/** How fast training may go, so that one can watch it: it never changes what is trained. */
export function Pace() {
  const pace = useView((v) => v.pace);
  const named = PACES.findIndex(({ perSecond }) => perSecond === pace);
  return (
    <div
      className="pace"
      role="group"
      aria-label="Pace of training"
      title="How fast training may go; the results are the same at every pace"
    >
      <label>
        <span>Pace</span>{' '}
        <select value={named} onChange={(event) => look({ pace: PACES[Number(event.target.value)]!.perSecond })}>
          {named < 0 && <option value={-1}>{pace}/s</option>}
          {PACES.map(({ name }, k) => (
            <option key={name} value={k}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <input
        type="range"
        className="only-wide"
        aria-label="Updates per second"
        aria-valuetext={paceWords(pace)}
        min={0}
        max={PLACES}
        value={placeOf(pace)}
        onChange={(event) => look({ pace: paceAt(Number(event.target.value)) })}
      />
    </div>
  );
}
