import type { RefObject } from 'react';
import { configDigest } from '../../config/digest.ts';
import { download } from '../download.ts';
import { say } from '../notices/say.ts';
import { runConfig } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { pixelsOf, standalone } from './picture.ts';

type Props = {
  /** where the drawing is: the first one in it */
  readonly box: RefObject<HTMLElement | null>;
  readonly title: string;
  /** name of the file, without ending */
  readonly file: string;
  /** what the lines are */
  readonly words: string;
};

/** The drawing as a file, with the link that opens its experiment and the digest of its settings. */
export function SavePicture({ box, title, file, words }: Props) {
  const save = async (kind: 'svg' | 'png'): Promise<void> => {
    const drawing = box.current?.querySelector<SVGSVGElement>(
      'svg.recharts-surface, .figuredrawing svg, svg[role="img"]',
    );
    if (!drawing) return;
    const config = runConfig();
    const { linkOf } = await import('../share/linkOf.ts');
    const { update } = useRun.getState();
    const name = config ? `Experiment ${await configDigest(config)}, after update ${update}. ` : '';
    const svg = standalone(drawing, { title, caption: `${name}${words}`, link: linkOf() });
    if (kind === 'svg') return download(`${file}.svg`, svg, 'image/svg+xml');
    const pixels = await pixelsOf(svg);
    if (pixels) download(`${file}.png`, pixels, 'image/png');
    else say('This browser could not turn the picture into pixels; the SVG has the same drawing.');
  };
  return (
    <>
      <button type="button" onClick={() => void save('svg')}>
        SVG
      </button>
      <button type="button" onClick={() => void save('png')}>
        PNG
      </button>
    </>
  );
}
