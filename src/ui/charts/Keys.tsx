import { GHOST_DASHES } from './Lines.tsx';
import type { PlotProps } from './Plot.tsx';
import { needsOwnAxis } from './rows.ts';

type Key = { readonly name: string; readonly stroke: string; readonly dash?: string; readonly width?: number };

/** What the lines of a chart are, in their order; what is not drawn has no entry. */
function keysOf({ rows, seeds, name, beside, besideRange, ghosts = [] }: PlotProps, second: string | null): Key[] {
  const has = (key: string): boolean => rows.some((row) => row[key] !== undefined);
  return [
    { name: seeds === 1 ? 'the only seed' : name, stroke: 'var(--accent)', width: 2.25 },
    ...(seeds > 1 ? [{ name: 'seeds', stroke: 'var(--thin)' }] : []),
    ...(has('start')
      ? [
          {
            name: `${beside ?? ''}${second === null && needsOwnAxis(rows, besideRange) ? ' (right)' : ''}`,
            stroke: 'var(--text)',
            dash: '2 3',
          },
        ]
      : []),
    ...(has('most') ? [{ name: 'largest possible', stroke: 'var(--muted)', dash: '6 4' }] : []),
    ...ghosts.map((g, k) => ({ name: `kept: ${g.name}`, stroke: 'var(--muted)', dash: GHOST_DASHES[k] ?? '' })),
    ...(second ? [{ name: `${second} (right)`, stroke: 'var(--warm)', dash: '9 3 2 3' }] : []),
  ];
}

/** The legend: always one line high, so that no chart moves; what does not fit is in its title. */
export function Keys({ plot, second = null }: { plot: PlotProps; second?: string | null }) {
  const keys = keysOf(plot, second);
  return (
    <p className="keys" title={keys.map((k) => k.name).join(' · ')}>
      {keys.map(({ name, stroke, dash, width }) => (
        // short names stay whole
        <span key={name} title={name} style={{ flexShrink: name.length > 14 ? 1 : 0 }}>
          <svg width="18" height="8" viewBox="0 0 18 8" aria-hidden>
            <path d="M0 4h18" stroke={stroke} strokeWidth={width ?? 1.25} strokeDasharray={dash} />
          </svg>
          {name}
        </span>
      ))}
    </p>
  );
}
