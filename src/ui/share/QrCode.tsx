import { useMemo } from 'react';
import { download } from '../download.ts';
import { QR_MOST, qrFile, qrOf } from './qr.ts';

/** The link as a code for the camera of a phone: always black on white, which cameras expect. */
export function QrCode({ link }: { link: string }) {
  const code = useMemo(() => qrOf(link), [link]);
  if (!code)
    return (
      <p className="quiet">
        A QR code takes up to {QR_MOST.toLocaleString('en-US')} characters. Shorten the note, or share a bundle.
      </p>
    );
  return (
    <figure className="qr">
      <svg viewBox={`0 0 ${code.edge} ${code.edge}`} role="img" aria-label="QR code of the link above">
        <rect width={code.edge} height={code.edge} fill="#fff" />
        <path d={code.path} fill="#000" shapeRendering="crispEdges" />
      </svg>
      <figcaption>
        <span className="quiet">A phone that reads it opens the same experiment.</span>
        <button
          type="button"
          onClick={() => download('horizon-lab-link.svg', new Blob([qrFile(code)]), 'image/svg+xml')}
        >
          Save QR code
        </button>
      </figcaption>
    </figure>
  );
}
