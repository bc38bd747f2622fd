import { useId } from 'react';
import type { Slider } from './reading.ts';

/** Places that a slider stops at. */
const STOPS = 100;

/** A number as it is written into the text: no more digits than the slider has stops. */
export function written(x: number, { low, high }: Pick<Slider, 'low' | 'high'>): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(high - low)));
  return String(Number(x.toFixed(Math.min(12, digits)))).replace('-', '−');
}

/** The text with another number in the place of a slider. */
export const withNumber = (text: string, slider: Slider, x: number): string =>
  text.slice(0, slider.from) + written(x, slider) + text.slice(slider.to);

type Props = { text: string; sliders: readonly Slider[]; change: (text: string) => void };

/** One slider for every number of the text with a range; moving it writes the number into the text. */
export function Sliders({ text, sliders, change }: Props) {
  if (sliders.length === 0) return null;
  return (
    <div className="codesliders" role="group" aria-label="Numbers of the formula">
      {sliders.map((slider) => (
        <One key={slider.name} slider={slider} set={(x) => change(withNumber(text, slider, x))} />
      ))}
    </div>
  );
}

function One({ slider, set }: { slider: Slider; set: (x: number) => void }) {
  const id = useId();
  const { name, value, low, high } = slider;
  return (
    <div className="codeslider">
      <label htmlFor={id} className="formula">
        {name}
      </label>
      <input
        id={id}
        type="range"
        min={low}
        max={high}
        step={(high - low) / STOPS}
        value={value}
        onChange={(event) => set(Number(event.target.value))}
      />
      <span className="number">{written(value, slider)}</span>
    </div>
  );
}
