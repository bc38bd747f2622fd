/** Kinds of thought that a policy may write before its action (RLVMR, arXiv 2507.22844); the place is the number. */
export const TAGS = ['none', 'plan', 'explore', 'reflect', 'monitor'] as const;
export type Tag = (typeof TAGS)[number];

/** Numbers of the tags. */
export const TAG = { none: 0, plan: 1, explore: 2, reflect: 3, monitor: 4 } as const satisfies Record<Tag, number>;

/** What counts as new where a step explores: a state, as in the paper of RLVMR, or an action, as in its released code. */
export type News = 'state' | 'action';

/** What stands between the tag and the action in a name: `explore: right`. */
const MARK = ': ';

/** Names of all actions with a tag before each: first those without a thought, then tag by tag. */
export const taggedNames = (names: readonly string[]): string[] =>
  TAGS.flatMap((tag, k) => names.map((name) => (k === 0 ? name : `${tag}${MARK}${name}`)));

/** The tag of an action and the action itself, by its name. */
export function splitName(name: string): { readonly tag: number; readonly action: string } {
  const at = name.indexOf(MARK);
  const tag = at < 0 ? -1 : (TAGS as readonly string[]).indexOf(name.slice(0, at));
  return tag < 1 ? { tag: 0, action: name } : { tag, action: name.slice(at + MARK.length) };
}

/** The tag of an action where the world has `own` actions; 0 where there are no tags, and of what is no action. */
export const tagOf = (action: number, own: number): number =>
  own > 0 && action < TAGS.length * own ? Math.floor(action / own) : TAG.none;

/** The action of the world in a tagged one; what is no action stays so. */
export const untagged = (action: number, own: number): number =>
  own > 0 && action < TAGS.length * own ? action % own : action;

/** True if these are the names of actions with tags. */
export const hasTags = (names: readonly string[]): boolean => splitName(names.at(-1) ?? '').tag > 0;

/** Names of the actions without tags, which come first: what a person plays with. */
export const ownNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => splitName(name).tag === TAG.none);
