import { hashInto } from '../../core/hash.ts';
import type { Environment } from '../types.ts';
import { images } from './images.ts';
import { canonicalGrid } from './symmetry.ts';

/** The tag of names of levels ("LEVL"). */
const TAG = 0x4c45564c;

/**
 * A level as words, start state included. `turned`: those of its canonical image, so that levels which are images of each other
 * have the same; where a world has no images, or this level none, as where levels have to be equal.
 */
export function levelWords<L>(env: Environment<L>, level: L, turned: boolean): readonly number[] {
  const of = Object.hasOwn(images, env.id) ? images[env.id]! : null;
  const start = new Uint32Array(env.words);
  env.reset(level, start, 0);
  if (!turned || !of || of.refuses(level) !== null) {
    const packed = env.gpu?.packLevel(level);
    return [0, ...start, ...(packed ?? Array.from(env.text(level, start, 0), (letter) => letter.codePointAt(0)!))];
  }
  const { height, width } = of.size(level);
  const { cells, rest } = of.cells(level, start, 0);
  return [1, env.maxSteps(level), height, width, ...rest, ...canonicalGrid(cells, height, width).canonical];
}

/** The same as a name of 64 bits. */
export function levelName<L>(env: Environment<L>, level: L, turned: boolean): string {
  const words = Uint32Array.from(levelWords(env, level, turned));
  const name = new Uint32Array(2);
  hashInto(TAG, env.family, words, 0, words.length, name, 0);
  return `${name[0]} ${name[1]}`;
}
