export const CSP: string;
export const SECURITY_HEADERS: Readonly<Record<string, string>>;
