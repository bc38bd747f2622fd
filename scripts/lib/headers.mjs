/**
 * The security headers of the site. `public/_headers` says the same to static hosts that read such a file;
 * a test keeps the two equal.
 */
export const CSP = [
  "default-src 'none'",
  // WebAssembly may be compiled, text may not: the SIMD kernels of the CPU path come with the page
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  // no text becomes markup or the address of a script; src/worker/trusted.ts says what workers may be
  "require-trusted-types-for 'script'",
  'trusted-types default',
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** What isolates a page from other origins, so that its cores may share memory; the service worker adds it for hosts that cannot. */
export const ISOLATING = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * What isolates a document by itself, whatever page it is a frame of: in Chromium from 137 on; others do not know it.
 * https://github.com/WICG/document-isolation-policy
 */
export const ISOLATING_FRAME = { 'Document-Isolation-Policy': 'isolate-and-require-corp' };

/** Sent with every answer, also with errors. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': CSP,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  ...ISOLATING,
  ...ISOLATING_FRAME,
  // an embed in a sandbox has no origin of its own, so that its own files come from another one; they are public
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=()',
};

/** Files under assets/ carry a hash of their content in their name and never change. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Everything else is asked for again each time. */
export const REVALIDATE = 'no-cache';
