import base from './shaders/rollout/rollout/base.wgsl?raw';
import top from './shaders/rollout/rollout/top.wgsl?raw';

/** WGSL of a wrapper with the values of its constants. */
export type LinkedWrapper = { readonly wgsl: string; readonly constants: Readonly<Record<string, string>> };

/**
 * The functions of a world behind wrappers, first one next to the world. A wrapper calls what is before it `inner…` and
 * itself `own…`, `OWN_…`; here each gets names of its own, and what it does not define it leaves as it was. `settlesLate`:
 * rewards stay as they came when an episode is over, for rows that go on from it; `lateSettle` pays them.
 */
export function wrappedWorld(wrappers: readonly LinkedWrapper[], settlesLate = false): string {
  const now = new Map<string, string>();
  const inner = (text: string): string =>
    text.replace(/\binner([A-Z]\w*)/g, (_name, part: string) => now.get(part) ?? `base${part}`);
  const texts = wrappers.map(({ wgsl, constants }, k) => {
    const values = Object.entries(constants).map(([name, value]) => `const W${k}_${name} = ${value};`);
    const text = inner(wgsl)
      .replace(/\bown([A-Z]\w*)/g, `w${k}$1`)
      .replace(/\bOWN_(\w+)/g, `W${k}_$1`);
    for (const [, part] of wgsl.matchAll(/\bfn own([A-Z]\w*)/g)) now.set(part!, `w${k}${part}`);
    return [...values, text].join('\n');
  });
  // the first that calls it is `worldSettle`
  const last = settlesLate ? top.replace('innerSettle(at, count);', '') : top;
  return [base, ...texts, inner(last)].join('\n');
}
