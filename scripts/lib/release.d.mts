export function release(what: { dist: string; site: string; version: string }): Promise<string[]>;
