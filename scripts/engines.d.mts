type Part = 'firefox' | 'llvmpipe' | 'deno';
export function findEngine(part: Part): string | null;
export function missing(...parts: Part[]): string | null;
export function ensureEngines(): Promise<string | null>;
