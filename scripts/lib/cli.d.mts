export function bundleCli(name: string, folder: string, entry?: string): Promise<string>;
export function runCli(name: string, words: readonly string[], entry?: string): Promise<number>;
