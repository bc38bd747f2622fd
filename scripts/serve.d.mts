export function serve(options?: {
  dir?: string;
  port?: number;
  host?: string;
}): Promise<{ url: string; port: number; close: () => Promise<void> }>;
