type Factory = {
  readonly defaultPolicy: unknown;
  createPolicy(name: string, rules: { createScriptURL(text: string): string | null }): unknown;
};

/**
 * Where the content policy asks for Trusted Types, a text is neither markup nor the address of a script. This is the one
 * policy that it allows: workers may come from this site, and nothing else may become code. Browsers without Trusted
 * Types go by the content policy alone.
 */
export function trustOwnWorkers(): void {
  // not in every browser, and so not in TypeScript's library
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  trustedTypes.createPolicy('default', { createScriptURL: (text) => ownScript(text, location.href) });
}

/** The address of a script if it belongs to the site of `base`, else null, which the browser refuses. */
export function ownScript(text: string, base: string): string | null {
  const url = URL.parse(text, base);
  return url !== null && url.origin === new URL(base).origin && /^https?:$/.test(url.protocol) ? text : null;
}
