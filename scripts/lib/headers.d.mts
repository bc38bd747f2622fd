export const CSP: string;
export const ISOLATING: Readonly<Record<string, string>>;
export const ISOLATING_FRAME: Readonly<Record<string, string>>;
export const SECURITY_HEADERS: Readonly<Record<string, string>>;
