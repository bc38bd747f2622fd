import { useDraft } from '../stores/draft.ts';
import { dismissKind, report } from '../stores/run.ts';

/** The part of a report about the device that a warning needs. */
export type Differing = { readonly adapter: string; readonly software: boolean; readonly differs: string | null };

let device: Differing | null = null;

const isAsked = (): boolean => useDraft.getState().config.run['backend'] === 'webgpu';

function tell(): void {
  if (!device || device.differs === null) return dismissKind('deviceDiffers');
  // runs that may choose stay off a software device anyway, and are told so
  if (!isAsked() && device.software) return dismissKind('deviceDiffers');
  report({ kind: 'deviceDiffers', name: device.adapter, found: device.differs, isAsked: isAsked() });
}

/** Warns of a device that was found to be wrong, now and whenever somebody chooses it by hand. */
export function warnOf(found: Differing): void {
  if (device === null) {
    let before = isAsked();
    useDraft.subscribe(() => {
      if (isAsked() === before) return;
      before = isAsked();
      tell();
    });
  }
  device = found;
  tell();
}
