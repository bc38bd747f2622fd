/** Colors that stay apart for color-blind readers (Okabe and Ito); behind them the same again, dashed. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8c6d00'];
const DASHES = ['', '6 3', '2 2', '8 3 2 3'];

export const colorOf = (k: number): string => COLORS[k % COLORS.length]!;
export const dashOf = (k: number): string => DASHES[Math.floor(k / COLORS.length) % DASHES.length]!;

/** From here to there on an axis, and what is written along it. */
export type Axis = { readonly from: number; readonly to: number; readonly label: string };
export type Frame = { readonly title: string; readonly x: Axis; readonly y: Axis; readonly legend: readonly string[] };

const WIDTH = 720;
const LEFT = 60;
const RIGHT = 20;
const TOP = 44;
const HEIGHT = 320;
const LINE = 18;
const LEGEND = 62;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Two decimals of a pixel are enough. */
const px = (x: number): string => String(Math.round(x * 100) / 100);

/** At most eight round numbers inside an axis. */
export function ticksOf({ from, to }: Axis): number[] {
  const raw = (to - from) / 6;
  if (!(raw > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw)!;
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

function tickText(x: number): string {
  if (Math.abs(x) >= 1e6) return `${Number((x / 1e6).toPrecision(3))} M`;
  return Math.abs(x) >= 1e4 ? `${Number((x / 1e3).toPrecision(3))} k` : String(x);
}

/** A picture with two axes: marks are put in with the coordinates of the data. */
export class Plot {
  private readonly frame: Frame;
  private readonly marks: string[] = [];

  constructor(frame: Frame) {
    this.frame = frame;
  }

  private x(value: number): number {
    const { from, to } = this.frame.x;
    return LEFT + ((value - from) / (to - from || 1)) * (WIDTH - LEFT - RIGHT);
  }

  private y(value: number): number {
    const { from, to } = this.frame.y;
    return TOP + HEIGHT - ((value - from) / (to - from || 1)) * HEIGHT;
  }

  private points(x: readonly number[], y: readonly number[]): string {
    return x.map((value, k) => `${px(this.x(value))},${px(this.y(y[k]!))}`).join(' ');
  }

  line(k: number, x: readonly number[], y: readonly number[], isThin = false): void {
    const dash = dashOf(k) === '' ? '' : ` stroke-dasharray="${dashOf(k)}"`;
    const width = isThin ? 'stroke-width="0.75" stroke-opacity="0.35"' : 'stroke-width="2"';
    this.marks.push(
      `<polyline points="${this.points(x, y)}" fill="none" stroke="${colorOf(k)}" ${width}${isThin ? '' : dash}/>`,
    );
  }

  band(k: number, x: readonly number[], low: readonly number[], high: readonly number[]): void {
    const there = this.points(x, high);
    const back = this.points(x.toReversed(), low.toReversed());
    this.marks.push(`<polygon points="${there} ${back}" fill="${colorOf(k)}" fill-opacity="0.15"/>`);
  }

  /** A value on a line of its own, with its interval. */
  dot(k: number, x: number, y: number, interval: readonly [number, number] | null): void {
    if (interval !== null)
      this.marks.push(
        `<line x1="${px(this.x(interval[0]))}" x2="${px(this.x(interval[1]))}" y1="${px(this.y(y))}" y2="${px(this.y(y))}" stroke="${colorOf(k)}" stroke-width="2"/>`,
      );
    this.marks.push(`<circle cx="${px(this.x(x))}" cy="${px(this.y(y))}" r="4.5" fill="${colorOf(k)}"/>`);
  }

  /** A thin upright line, such as that of no difference. */
  upright(x: number): void {
    const at = px(this.x(x));
    this.marks.push(
      `<line x1="${at}" x2="${at}" y1="${TOP}" y2="${TOP + HEIGHT}" stroke="#555" stroke-dasharray="4 3"/>`,
    );
  }

  svg(): string {
    const { title, x, y, legend } = this.frame;
    const height = TOP + HEIGHT + LEGEND + legend.length * LINE;
    const upright = ticksOf(x).map((value) => {
      const at = px(this.x(value));
      return `<line x1="${at}" x2="${at}" y1="${TOP + HEIGHT}" y2="${TOP + HEIGHT + 5}" stroke="#555"/><text x="${at}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${tickText(value)}</text>`;
    });
    const level = (y.label === '' ? [] : ticksOf(y)).map((value) => {
      const at = px(this.y(value));
      return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#ddd"/><text x="${LEFT - 8}" y="${px(this.y(value) + 4)}" text-anchor="end">${tickText(value)}</text>`;
    });
    const middle = TOP + HEIGHT / 2;
    const names = legend.map((name, k) => {
      const at = TOP + HEIGHT + LEGEND + k * LINE;
      const dash = dashOf(k) === '' ? '' : ` stroke-dasharray="${dashOf(k)}"`;
      return `<line x1="${LEFT}" x2="${LEFT + 28}" y1="${at - 4}" y2="${at - 4}" stroke="${colorOf(k)}" stroke-width="3"${dash}/><text x="${LEFT + 36}" y="${at}">${escaped(name)}</text>`;
    });
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#222">`,
      `<title>${escaped(title)}</title>`,
      `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
      `<text x="${LEFT}" y="24" font-size="15">${escaped(title)}</text>`,
      ...level,
      `<path d="M${LEFT} ${TOP}V${TOP + HEIGHT}H${WIDTH - RIGHT}" fill="none" stroke="#555"/>`,
      ...upright,
      `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${TOP + HEIGHT + 36}" text-anchor="middle">${escaped(x.label)}</text>`,
      `<text x="16" y="${middle}" text-anchor="middle" transform="rotate(-90 16 ${middle})">${escaped(y.label)}</text>`,
      ...this.marks,
      ...names,
      '</svg>',
      '',
    ].join('\n');
  }
}
