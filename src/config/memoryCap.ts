/** What one run may take of a machine that says nothing of its memory, and each of several that train at a time. */
export const LEAST = 512 * 2 ** 20;
/** What one run may take of any machine. */
const MOST = 4 * 2 ** 30;
/** Share of the memory that there is: the page, the views of a run and everything else need some, too. */
const SHARE = 1 / 4;

/** GiB of a browser's machine, rounded so that it tells little about whoever has it; only some browsers say it. */
type Told = { readonly deviceMemory?: number };

/** 0: nobody has said */
let known = 0;

/** A machine that is no browser's has so many bytes. Said before any experiment is looked at. */
export function machineHas(bytes: number): void {
  known = bytes;
}

/** Bytes that one run may take on this machine: a quarter of its memory, at least 512 MiB and at most 4 GiB. */
export function bytesAllowed(): number {
  const told = (globalThis.navigator as Told | undefined)?.deviceMemory ?? 0;
  return Math.min(MOST, Math.max(LEAST, Math.floor(SHARE * (known || told * 2 ** 30))));
}
