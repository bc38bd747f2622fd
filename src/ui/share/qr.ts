import { correction, generate } from 'lean-qr/nano';

/** Most characters of a link as a QR code: beyond, cameras of phones read the dots of a code on a screen badly. */
export const QR_MOST = 1_000;
/** White around a code, in modules, as ISO/IEC 18004 asks for. */
const QUIET = 4;

/** A QR code: edge in modules with the white around it, and its black modules as the path of an SVG. */
export type Qr = { readonly edge: number; readonly path: string };

/** The QR code of a text, at the lowest level of correction that it needs; null above `QR_MOST` characters. */
export function qrOf(text: string): Qr | null {
  if (text.length > QR_MOST) return null;
  const code = generate(text, { minCorrectionLevel: correction.L });
  const runs: string[] = [];
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue;
      const from = x;
      while (code.get(x + 1, y)) x++;
      runs.push(`M${from + QUIET} ${y + QUIET}h${x + 1 - from}v1H${from + QUIET}z`);
    }
  return { edge: code.size + 2 * QUIET, path: runs.join('') };
}

/** The same as a file: black on white, sharp at any size. */
export function qrFile({ edge, path }: Qr): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${edge} ${edge}" width="${8 * edge}" height="${8 * edge}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${edge}v${edge}H0z"/><path d="${path}"/></svg>\n`;
}
