import { short } from '../format.ts';
import { tickText } from './tickText.tsx';

const AXIS = { stroke: 'var(--muted)', tickLine: false, tick: tickText, interval: 0 } as const;

/** How the axes of recharts look: updates or steps from left to right, and values from bottom to top. */
export const ACROSS = { ...AXIS, dataKey: 'x', type: 'number', tickFormatter: short, height: 22 } as const;
export const UP = { ...AXIS, width: 54 } as const;
