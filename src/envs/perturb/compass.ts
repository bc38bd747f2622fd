/** Columns and rows from here to there; rows count downward. */
type Way = { readonly dx: number; readonly dy: number };

/** Directions of each precision: an axis, then 4, 8, 16 points. */
const POINTS = [2, 4, 8, 16];
/** Slopes that part neighboring directions of a quarter turn, from the horizontal on: tan of 45°; 22.5° and 67.5°; 11.25°, … */
const SLOPES = [
  [1],
  [1],
  [0.41421356237309503, 2.414213562373095],
  [0.198912367379658, 0.6681786379192989, 1.496605762665489, 5.027339492125846],
];
const AXES = ['east or west', 'north or south'];
const NAMES = [
  'east',
  'east-northeast',
  'northeast',
  'north-northeast',
  'north',
  'north-northwest',
  'northwest',
].concat(
  ['west-northwest', 'west', 'west-southwest', 'southwest', 'south-southwest', 'south', 'south-southeast'],
  ['southeast', 'east-southeast'],
);

/** Number of a direction among those of a precision, counted from east to north; −1 of no way at all. */
export function pointOf({ dx, dy }: Way, precision: number): number {
  if (dx === 0 && dy === 0) return -1;
  const [across, up] = [Math.abs(dx), Math.abs(dy)];
  const steep = SLOPES[precision]!.filter((slope) => up > slope * across).length;
  if (precision === 0) return steep;
  const half = POINTS[precision]! / 2;
  const above = dx >= 0 ? steep : half - steep;
  return dy <= 0 ? above : (2 * half - above) % (2 * half);
}

/** One of 2 + 4 + 8 + 16 bits for each precision up to this one. */
export function compassBits(way: Way, precision: number): number {
  let bits = 0;
  for (let p = 0, from = 0; p <= precision; from += POINTS[p]!, p++) {
    const point = pointOf(way, p);
    if (point >= 0) bits |= 1 << (from + point);
  }
  return bits;
}

/** The direction of these bits at a precision, in words; none is told of no way at all. */
export function compassWords(bits: number, precision: number): string {
  const from = POINTS.slice(0, precision).reduce((sum, n) => sum + n, 0);
  const own = (bits >>> from) & (2 ** POINTS[precision]! - 1);
  if (own === 0) return '';
  const point = 31 - Math.clz32(own);
  return precision === 0 ? AXES[point]! : NAMES[point * (16 / POINTS[precision]!)]!;
}
