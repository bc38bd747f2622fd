import { peerFolders } from './folders.ts';

/** Address of the files that a peer loads by itself: served beside the page, on disk in Node. */
export function peerFiles(peer: keyof typeof peerFolders): string {
  if (typeof location !== 'undefined') return `${location.origin}/peers/${peer}/`;
  // the bundled command lies three folders below the repository
  return `${(globalThis as { __dirname?: string }).__dirname}/../../../${peerFolders[peer]}/`;
}

/** Threads that a peer may use here: all cores, or one where memory cannot be shared. */
export const cores = (): number => (globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1);
