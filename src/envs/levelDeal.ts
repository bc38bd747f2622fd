import type { LevelDeal } from '../contract/levelDeal.ts';
import { atStage, fixedLevel, type TaskSizes } from '../contract/taskContext.ts';
import { PURPOSE, random } from '../core/random.ts';
import type { AnyValues } from '../core/settings.ts';
import { plainView } from './facts.ts';
import type { Environment } from './types.ts';

type Names = typeof import('./keys/levelName.ts');

let loaded: Names | null = null;

/** Loads what compares levels; null if it is there. */
export const prepareNames = (): Promise<void> | null =>
  loaded ? null : import('./keys/levelName.ts').then((module) => void (loaded = module));

export const hasNames = (): boolean => loaded !== null;

/** What compares levels, once it was loaded. */
export function namesLevels(): Names {
  if (!loaded) throw new Error('What compares levels has not been loaded.');
  return loaded;
}

/** Draws after which a task is taken to have no other level. */
export const MOST_DRAWS = 64;

/** When levels of different seeds count as one: never, if they are equal, or also if one is the other turned or mirrored. */
export type SameLevels = 'seed' | 'equal' | 'turned';

/** What levels are made from, and what is asked of them. */
export type DealSource = {
  /** the world without its wrappers, or with them where these make levels out of several of the world */
  readonly env: Environment;
  readonly settings: AnyValues;
  readonly rewards: AnyValues;
  readonly sizes: TaskSizes;
  readonly same: SameLevels;
  readonly heldOut: boolean;
  /** held-out levels of a replica as they are drawn, of the whole task */
  panel(replica: number): readonly number[];
};

/** A deal, and what else is known by it. */
export type Dealing = LevelDeal & {
  /** the held-out levels of a replica: each another one where levels can count as one, and none that is among the fixed ones */
  panel(replica: number): readonly number[];
  isHeldOut(replica: number, levelSeed: number): boolean;
  /** which levels are the same: equal names */
  name(levelSeed: number): string;
};

const KEPT = 1 << 16;

/** Names of levels by their seeds, each found once while it is kept; `turned`: images of each other have the same. */
export function namesOf(
  { env, settings, rewards }: Pick<DealSource, 'env' | 'settings' | 'rewards'>,
  turned: boolean,
): (levelSeed: number) => string {
  const known = new Map<number, string>();
  const plain = { ...settings, view: plainView(env) };
  return (levelSeed) => {
    let name = known.get(levelSeed);
    if (name === undefined) {
      const made = env.level(plain, rewards, levelSeed);
      if (!made.ok) throw new Error('A level that was checked before the run could not be made again.');
      if (known.size >= KEPT) known.clear();
      known.set(levelSeed, (name = namesLevels().levelName(env, made.value, turned)));
    }
    return name;
  };
}

/** Level seed number `n` after a level seed: its stage, or its place on a ladder, stays. */
export function levelAfter(levelSeed: number, n: number, { stages, rungs = [] }: TaskSizes): number {
  const kept = rungs.length > 0 ? 255 : stages > 1 ? 7 : 0;
  return ((random(levelSeed, PURPOSE.otherLevel, n, 0, 0) & ~kept) | (levelSeed & kept)) >>> 0;
}

/** A value for each replica, found when somebody asks first. */
function each<V>(find: (replica: number) => V): (replica: number) => V {
  const known = new Map<number, V>();
  return (replica) => {
    if (!known.has(replica)) known.set(replica, find(replica));
    return known.get(replica)!;
  };
}

/** The deal of a run; undefined where seeds alone say which levels are the same and none are held out. */
export function dealOf(source: DealSource): Dealing | undefined {
  const { same, heldOut, sizes } = source;
  if (same === 'seed' && !heldOut) return undefined;
  // what is held out is so in all its images, whatever counts as one elsewhere
  const name = namesOf(source, same === 'turned' || (heldOut && same === 'seed'));
  const whole = (levelSeed: number): number => atStage(levelSeed, sizes, sizes.stages - 1);
  const first = (levelSeed: number, isFree: (levelSeed: number) => boolean): number => {
    let [now, n] = [levelSeed, 0];
    while (!isFree(now) && n < MOST_DRAWS) now = levelAfter(levelSeed, n++, sizes);
    return isFree(now) ? now : levelSeed;
  };
  const fixed = each((replica) => {
    const drawn = Array.from({ length: sizes.levels }, (_, k) => fixedLevel(replica, k));
    if (same === 'seed') return drawn;
    const taken = new Set<string>();
    return drawn.map((levelSeed) => {
      const found = first(levelSeed, (now) => !taken.has(name(whole(now))));
      taken.add(name(whole(found)));
      return found;
    });
  });
  const panel = each((replica) => {
    if (!heldOut) return source.panel(replica);
    const taken = new Set(fixed(replica).map((levelSeed) => name(whole(levelSeed))));
    return source.panel(replica).map((levelSeed) => {
      const found = first(levelSeed, (now) => !taken.has(name(now)));
      if (same !== 'seed') taken.add(name(found));
      return found;
    });
  });
  const held = each((replica) => new Set(heldOut ? panel(replica).map(name) : []));
  const isHeldOut = (replica: number, levelSeed: number): boolean => held(replica).has(name(levelSeed));
  return {
    fixed: (replica, which) => fixed(replica)[which]!,
    clear: (replica, levelSeed) => (heldOut ? first(levelSeed, (now) => !isHeldOut(replica, now)) : levelSeed),
    other(replica, levelSeed, than) {
      const taken = new Set(same === 'seed' ? [] : than.map(name));
      return first(levelSeed, (now) => !taken.has(name(now)) && !isHeldOut(replica, now));
    },
    panel,
    isHeldOut,
    name,
  };
}
