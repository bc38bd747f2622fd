import type { Rgb } from './color.ts';

/** How different two colors look, also to people who see fewer colors. Used to judge the color tables. */
export type Vision = 'full' | 'protan' | 'deutan' | 'tritan';

/** Complete lack of one cone type, on linear sRGB: Machado, Oliveira, Fernandes 2009, severity 1. */
const MACHADO: Readonly<Record<Exclude<Vision, 'full'>, readonly number[]>> = {
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

type Triple = readonly [number, number, number];

const linear = (v: number): number => (v <= 10.31475 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);

/** Linear sRGB as the given vision sees it. */
function seen(color: Rgb, vision: Vision): Triple {
  const rgb = color.map(linear) as unknown as Triple;
  if (vision === 'full') return rgb;
  const m = MACHADO[vision];
  const row = (k: number): number => Math.min(1, Math.max(0, m[k]! * rgb[0] + m[k + 1]! * rgb[1] + m[k + 2]! * rgb[2]));
  return [row(0), row(3), row(6)];
}

/** CIELAB under D65. */
function lab([r, g, b]: Triple): Triple {
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 27 / 116 + 16 / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000 of two CIELAB colors (Sharma, Wu, Dalal 2005), all weights 1. */
export function ciede2000([L1, a1, b1]: Triple, [L2, a2, b2]: Triple): number {
  const rad = Math.PI / 180;
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const G = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const C1 = Math.hypot((1 + G) * a1, b1);
  const C2 = Math.hypot((1 + G) * a2, b2);
  const angle = (b: number, a: number): number => (a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / rad + 360) % 360);
  const h1 = angle(b1, (1 + G) * a1);
  const h2 = angle(b2, (1 + G) * a2);
  const isGrey = C1 * C2 === 0;
  const turn = h2 - h1;
  const dh = isGrey ? 0 : turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn;
  const dL = L2 - L1;
  const dC = C2 - C1;
  const dH = 2 * Math.sqrt(C1 * C2) * Math.sin((dh / 2) * rad);
  const L = (L1 + L2) / 2;
  const C = (C1 + C2) / 2;
  const sum = h1 + h2;
  const h = isGrey ? sum : Math.abs(turn) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
  const cos = (degrees: number): number => Math.cos(degrees * rad);
  const T = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const SL = 1 + (0.015 * (L - 50) ** 2) / Math.sqrt(20 + (L - 50) ** 2);
  const SC = 1 + 0.045 * C;
  const SH = 1 + 0.015 * C * T;
  const RC = 2 * Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7));
  const RT = -Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * rad) * RC;
  return Math.sqrt((dL / SL) ** 2 + (dC / SC) ** 2 + (dH / SH) ** 2 + RT * (dC / SC) * (dH / SH));
}

/** CIEDE2000 between two sRGB colors as a kind of vision sees them. */
export function difference(x: Rgb, y: Rgb, vision: Vision): number {
  return ciede2000(lab(seen(x, vision)), lab(seen(y, vision)));
}
