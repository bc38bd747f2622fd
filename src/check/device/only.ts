import { PARTS, type PartId } from './report.ts';

/** Parts of a check and kernels that somebody asked for. */
export type Wanted = { readonly parts: readonly PartId[]; readonly kernels: (file: string) => boolean };

/** Reads names with commas between them: a name that is no part is that of a kernel. Everything where there is none. */
export function wantedOf(only: string | null | undefined): Wanted {
  if (!only) return { parts: PARTS, kernels: () => true };
  const names = only.split(',').map((name) => name.trim());
  const files = names.filter((name) => !(PARTS as readonly string[]).includes(name));
  const parts = PARTS.filter((id) => names.includes(id) || (id === 'kernels' && files.length > 0));
  return { parts, kernels: (file) => files.length === 0 || files.includes(file) };
}
