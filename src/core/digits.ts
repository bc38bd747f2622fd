/** Three significant digits with a real minus, scientific only where plain digits would not be readable. */
export function digits(x: number | null | undefined): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x < 0) return `−${digits(-x)}`;
  if (x === 0) return '0';
  if (x >= 100_000 || x < 1e-4) return x.toExponential(1);
  return String(Number(x.toPrecision(3)));
}
