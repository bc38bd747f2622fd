/** What a picture says of itself wherever it goes. */
export type Caption = {
  readonly title: string;
  /** one line under the picture: run, seeds, digest */
  readonly caption: string;
  /** opens the experiment */
  readonly link: string;
};

/** What a stylesheet gives to a drawing: a picture by itself has none. */
const KEPT = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'opacity'],
  ...['font-size', 'font-family', 'font-weight', 'text-anchor', 'paint-order', 'visibility'],
] as const;

const SVG = 'http://www.w3.org/2000/svg';
const PAD = 12;
const LINE = 18;
/** Characters of the caption in a line. */
const WIDE = 6.2;

function add(parent: Element, name: string, attributes: Readonly<Record<string, string | number>>, text = ''): Element {
  const element = parent.ownerDocument.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  parent.append(element);
  return element;
}

/** Words in lines of at most this many characters. */
export function linesOf(text: string, most: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** A drawing of the page as its own file: styles written out, on its ground, with title, caption and link. */
export function standalone(drawing: SVGSVGElement, { title, caption, link }: Caption): string {
  const { width, height } = drawing.getBoundingClientRect();
  const clone = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  [clone, ...clone.querySelectorAll('*')].forEach((element, k) => {
    const style = getComputedStyle(originals[k]!);
    element.removeAttribute('class');
    for (const name of KEPT) element.setAttribute(name, style.getPropertyValue(name));
  });
  const page = getComputedStyle(drawing.ownerDocument.documentElement);
  const [ground, ink] = [page.getPropertyValue('--surface'), page.getPropertyValue('--text')];
  const lines = linesOf(caption, Math.floor(width / WIDE));
  const whole = { width: width + 2 * PAD, height: height + (lines.length + 1) * LINE + 3 * PAD };
  const file = drawing.ownerDocument.createElementNS(SVG, 'svg');
  file.setAttribute('xmlns', SVG);
  file.setAttribute('viewBox', `0 0 ${whole.width} ${whole.height}`);
  for (const [key, value] of Object.entries(whole)) file.setAttribute(key, String(value));
  add(file, 'title', {}, title);
  add(file, 'metadata', {}, link);
  add(file, 'rect', { ...whole, fill: ground });
  const letters = { 'font-family': 'system-ui, sans-serif', fill: ink, x: PAD };
  add(file, 'text', { ...letters, y: PAD + 12, 'font-size': 14, 'font-weight': 600 }, title);
  clone.setAttribute('x', String(PAD));
  clone.setAttribute('y', String(PAD + LINE));
  clone.setAttribute('width', String(width));
  clone.setAttribute('height', String(height));
  file.append(clone);
  lines.forEach((line, k) =>
    add(file, 'text', { ...letters, y: height + 2 * PAD + (k + 2) * LINE - 6, 'font-size': 11 }, line),
  );
  return new XMLSerializer().serializeToString(file);
}

/** The same as pixels, twice as many as on the page. Null where the browser cannot draw it. */
export async function pixelsOf(svg: string): Promise<Blob | null> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, 'image/png'));
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}
