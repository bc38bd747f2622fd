import { pointOf } from './geometry.ts';
import type { GraphPicture } from './drawGraph.ts';
import { boxAround, placed, type Box, type Label, type Place } from './labels.ts';

/** More lines than this carry no words. */
const MOST_WORDS = 400;
/** Words from afar would be too small to read, and states too close for them. */
const NAMES_FROM = 0.85;
const WORDS_FROM = 0.5;
/** Size of words at scale 1, and what they measure on the screen at least. */
const SIZE = 9;
const LEAST = 10;
/** Characters of a long name that are kept where the whole of it finds no room, and of any name. */
const SHORT = 9;
const LONG = 22;
/** Points along a line: closer to one another than a word is high. */
const POINTS = 24;
/** The frame around what is chosen. */
const FRAME = 26;

/** Size of all words in units of the drawing. */
export const sizeAt = (scale: number): number => Math.max(SIZE, LEAST / scale);

/** Where the sign of a line stands: beside its middle. */
export function signPlace({ geometry }: GraphPicture, e: number): [number, number] {
  const [x, y] = pointOf(geometry, e, 0.5);
  return [x, y - geometry.line[e]! / 2 - 8];
}

export const hasSign = ({ shown, limit, camera }: GraphPicture, e: number): boolean =>
  camera.scale >= WORDS_FROM && Math.abs(shown[e]!) >= 0.1 * limit;

export const hasArrow = ({ camera }: GraphPicture): boolean => camera.scale * 46 > 18;

/** True for a line that a search has passed over. */
export const isFaint = ({ found, geometry }: GraphPicture, e: number): boolean =>
  found !== null && ![e, ...(geometry.bundles.get(e) ?? [])].some((k) => found.edges.has(k));

const cut = (name: string, most: number): string => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

/** What a line is called where there is room for words; what is chosen or pointed at always has its name. */
function wordOfEdge(p: GraphPicture, e: number): { readonly words: string; readonly isFirst: boolean } {
  const { geometry, made, camera } = p;
  const chosen = [p.focus, p.pointed].find((at) => at?.kind === 'edge' && geometry.lineOf[at.at] === e);
  const isForward = made.layout.isBack[e] === 0;
  const hasWords = isForward && camera.scale >= NAMES_FROM && made.drawn.edges <= MOST_WORDS;
  const bundle = geometry.bundles.get(e);
  const action = made.graph.action[made.drawn.edge[chosen?.at ?? e]!]!;
  const words = chosen || hasWords ? (p.actions[action] ?? '?') : '';
  return { words: bundle && !chosen ? `${bundle.length} loops` : words, isFirst: chosen !== undefined };
}

/** Above and below the line in its middle, nearer to its ends, and further away where a frame or a loop is in between. */
function placesOfEdge(p: GraphPicture, e: number, words: string, size: number): Place[] {
  const { geometry } = p;
  const aside = geometry.line[e]! / 2 + 0.5 * size + 3.5;
  const isFocus = p.focus?.kind === 'edge' && geometry.lineOf[p.focus.at] === e;
  const above = isFocus ? FRAME / 2 / p.camera.scale + 0.5 * size + 2 : aside + 1.2 * size;
  const isLoop = p.made.drawn.from[e] === p.made.drawn.to[e];
  const places: Place[] = [];
  for (const name of new Set([cut(words, LONG), cut(words, SHORT)])) {
    const right = hasSign(p, e) ? (name.length * size * 0.58) / 2 + 7 : 0;
    for (const t of isLoop ? [0.5] : [0.5, 0.35, 0.65]) {
      const [x, y] = pointOf(geometry, e, t);
      if (t === 0.5) places.push({ x: x + right, y: y - aside, words: name });
      else places.push({ x, y: y - aside, words: name });
      if (!isLoop) places.push({ x, y: y + aside, words: name });
      places.push({ x, y: y - above, words: name });
    }
  }
  return places;
}

/** All that words must not cover: states, arrow heads, signs and the frame of what is chosen. */
function blocksOf(p: GraphPicture, order: Uint32Array): Box[] {
  const { geometry, camera, focus } = p;
  const blocks = Array.from(geometry.x, (x, v) =>
    boxAround(x, geometry.y[v]!, 2 * geometry.r[v]! + 2, 2 * geometry.r[v]! + 2),
  );
  for (const e of order) {
    const [x, y] = pointOf(geometry, e, 0.5);
    const long = Math.max(4, geometry.line[e]! * 0.75);
    if (hasArrow(p)) blocks.push(boxAround(x, y, long, long));
    if (hasSign(p, e)) blocks.push(boxAround(...signPlace(p, e), 9, 9));
  }
  if (focus) {
    const [x, y] =
      focus.kind === 'node' ? [geometry.x[focus.at]!, geometry.y[focus.at]!] : pointOf(geometry, focus.at, 0.5);
    blocks.push(boxAround(x, y, FRAME / camera.scale, FRAME / camera.scale));
  }
  return blocks;
}

/** Names of starts and of what is chosen first, then of states, then of lines, wide ones before thin ones. */
function labelsOf(p: GraphPicture, order: Uint32Array, size: number): Label[] {
  const { geometry, made, camera } = p;
  const hasNames = camera.scale >= NAMES_FROM && made.drawn.nodes <= MOST_WORDS;
  const nodes = Array.from({ length: hasNames ? made.drawn.nodes : 0 }, (_, v): Label | null => {
    const inside = made.drawn.inside[v]!;
    if (inside.length > 1 || (p.found && !p.found.nodes.has(v))) return null;
    const isFirst = made.graph.starts[inside[0]!]! > 0;
    const { short } = made.names[inside[0]!]!;
    const words = isFirst ? `start ${short}` : short;
    const [x, y, r] = [geometry.x[v]!, geometry.y[v]!, geometry.r[v]!];
    const [below, aside] = [r + 0.5 * size + 3.5, (words.length * size * 0.58) / 2 + r + 4];
    return {
      places: [
        { x, y: y + below, words },
        ...(isFirst ? [] : [{ x: x + aside, y, words }]),
        { x: x - 0.7 * aside, y: y + below, words },
        { x: x + 0.7 * aside, y: y + below, words },
      ],
      isFirst,
    };
  });
  const lines = [...order].reverse().map((e): Label | null => {
    const { words, isFirst } = wordOfEdge(p, e);
    return words === '' || isFaint(p, e) ? null : { places: placesOfEdge(p, e, words, size), isFirst };
  });
  return [...nodes, ...lines].filter((label) => label !== null);
}

/** A word at the edge of the picture is moved inside of it, unless what it names is outside. */
function within({ camera, width }: GraphPicture, { places, isFirst }: Label, size: number): Label {
  const [left, right] = [-camera.left / camera.scale, (width - camera.left) / camera.scale];
  const moved = places.map(({ x, y, words }) => {
    const half = (words.length * size * 0.58) / 2 + 2;
    const isIn = x > left && x < right && right - left > 2 * half;
    return { x: isIn ? Math.max(left + half, Math.min(right - half, x)) : x, y, words };
  });
  return { places: moved, isFirst };
}

/** The words of a picture that find room, each at its place. */
export function placeWords(p: GraphPicture, order: Uint32Array): Place[] {
  const { geometry, camera, made } = p;
  if (camera.scale < WORDS_FROM) return [];
  const size = sizeAt(camera.scale);
  const points: (readonly [number, number])[] = [];
  if (made.drawn.edges <= MOST_WORDS)
    for (const e of order) for (let k = 1; k < POINTS; k++) points.push(pointOf(geometry, e, k / POINTS));
  const found = placed(
    labelsOf(p, order, size).map((label) => within(p, label, size)),
    { width: 0.58 * size, height: size + 2 },
    { blocks: blocksOf(p, order), points },
  );
  return found.filter((place) => place !== null);
}
