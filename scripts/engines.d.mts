type Part = 'firefox' | 'llvmpipe' | 'webkit' | 'xvfb' | 'deno';
export function findEngine(part: Part): string | null;
export function missing(...parts: Part[]): string | null;
export function ensureEngines(): Promise<string | null>;
