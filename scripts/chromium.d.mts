export function findChromium(isWhole?: boolean): Promise<string | null>;
