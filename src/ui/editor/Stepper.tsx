import { Minus, Plus } from 'lucide-react';
import { unless } from '../focus.ts';

type Props = { label: string; value: number; most: number; set: (value: number) => void };

/** A small whole number from 1 on with buttons for less and more. */
export function Stepper({ label, value, most, set }: Props) {
  return (
    <div className="stepper" role="group" aria-label={label}>
      <span>{label}</span>
      <button type="button" aria-label={`One less: ${label}`} {...unless(value <= 1, () => set(value - 1))}>
        <Minus aria-hidden size={16} />
      </button>
      <output className="number">{value}</output>
      <button type="button" aria-label={`One more: ${label}`} {...unless(value >= most, () => set(value + 1))}>
        <Plus aria-hidden size={16} />
      </button>
    </div>
  );
}
