import type { ReactNode } from 'react';
import { percent } from '../format.ts';
import type { Measuring } from './useMeasurement.ts';

type AskProps = Pick<Measuring, 'done' | 'stop'> & {
  /** what the button does while nothing is measured */
  label: string;
  start(): void;
  /** what to choose before */
  children?: ReactNode;
};

/** The row of a panel that asks for a measurement: a button, its choices, and how much is done. */
export function Ask({ label, done, start, stop, children }: AskProps) {
  return (
    <p className="ask">
      <button type="button" onClick={() => (done === null ? start() : stop())}>
        {done === null ? label : 'Stop'}
      </button>
      {children}
      {done !== null && (
        <span role="status" className="quiet number">
          {percent(done)} done
        </span>
      )}
    </p>
  );
}

type PickProps = {
  label: string;
  doc?: string;
  options: readonly number[];
  at: number;
  set(n: number): void;
  off: boolean;
};

/** A number to choose; 0 stands for all. */
export function Pick({ label, doc, options, at, set, off }: PickProps) {
  return (
    <label className="inline" title={doc}>
      {label}{' '}
      <select value={at} disabled={off} onChange={(event) => set(Number(event.target.value))}>
        {options.map((n) => (
          <option key={n} value={n}>
            {n === 0 ? 'all' : n}
          </option>
        ))}
      </select>
    </label>
  );
}
