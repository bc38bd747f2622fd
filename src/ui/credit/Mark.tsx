import { useSlot } from './slots.ts';

/** Shapes of the compared estimators: color never stands alone. */
const SHAPES = ['circle', 'square', 'triangle', 'diamond'] as const;
export const DASHES = ['', '7 3', '2 3', '9 3 2 3'] as const;

/** Outline of a mark around a point. */
export function markPath(at: number, x: number, y: number, r: number): string {
  switch (SHAPES[at % 4]!) {
    case 'circle':
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case 'square':
      return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
    case 'triangle':
      return `M${x} ${y - r * 1.15}l${r * 1.15} ${r * 2}h${-2.3 * r}z`;
    case 'diamond':
      return `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`;
  }
}

/** Letter, shape and color by which an estimator is known in all views; −1: the truth. */
export function Mark({ at: place }: { at: number }) {
  const at = useSlot()(place);
  if (at < 0) return <span className="mark truth">✓</span>;
  return (
    <span className={`mark cat${at}`}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden>
        <path d={markPath(at, 6, 6, 4)} fill="currentColor" />
      </svg>
      {String.fromCharCode(65 + at)}
    </span>
  );
}
