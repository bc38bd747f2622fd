import type { Kernel } from './kernel.ts';
import type { Call } from './products.ts';
import apartWords from './shaders/credit/contextMatch/apartWords.wgsl?raw';
import edgeWords from './shaders/credit/contextMatch/edgeWords.wgsl?raw';
import labelWords from './shaders/credit/contextMatch/labelWords.wgsl?raw';
import pastWords from './shaders/credit/contextMatch/pastWords.wgsl?raw';
import timeWords from './shaders/credit/contextMatch/timeWords.wgsl?raw';
import inBlock from './shaders/credit/keyMatch/inBlock.wgsl?raw';
import keyMatch from './shaders/credit/keyMatch/keyMatch.wgsl?raw';
import stateWords from './shaders/credit/keyMatch/stateWords.wgsl?raw';
import linkBlock from './shaders/credit/linkSets/linkBlock.wgsl?raw';
import { kernels } from './shaders/kernels.ts';

/** What steps are compared by: the key of their state, an edge of the graph, numbers of earlier steps, their place, or a number of their own; or their set, but for those that are alone. */
const WORDS = {
  key: stateWords,
  edge: edgeWords,
  past: pastWords,
  time: timeWords,
  label: labelWords,
  apart: apartWords,
} as const;
export type Words = keyof typeof WORDS;

const part = (words: Words, entry: 'clear' | 'insert' | 'settle'): Kernel => ({
  id: `${words}Match.${entry}`,
  wgsl: keyMatch,
  link: [WORDS[words]],
  entry,
});

/** Steps of S replicas of B rows of T steps; the rows of a task lie in one block of this many rows. */
export type Steps = { readonly S: number; readonly B: number; readonly T: number; readonly block: number };

/** Most steps of a block of which one workgroup finds the sets, eight for each invocation. */
const FEW = 512;

/** The dispatches that find sets of equal steps. Bindings length, table, match_ and those of the words. */
export function matchCalls(words: Words, { S, B, T, block }: Steps, more: Call['dims'] = {}): readonly Call[] {
  const dims = { B, T, block, ...more };
  const groups = [Math.ceil((B * T) / 64), 1, S] as const;
  return (['clear', 'insert', 'settle'] as const).map((entry) => ({ kernel: part(words, entry), dims, groups }));
}

/** The dispatch that links the steps of every set. Bindings match_, table, next. `software`: does the CPU run shaders? */
export function linkCall({ S, B, T, block }: Steps, software: boolean): Call {
  const blocks = Math.ceil(B / block);
  const dims = { B, T, block };
  return software
    ? { kernel: kernels.linkInOrder, dims, groups: [Math.ceil(blocks / 64), 1, S] }
    : { kernel: kernels.linkSets, dims, groups: [blocks, 1, S] };
}

/** Both in one dispatch, where a workgroup takes each block. Bindings of both. */
export function blockCall(words: Words, { S, B, T, block }: Steps, more: Call['dims'] = {}): Call {
  const kernel = {
    id: `${words}Match.inBlock`,
    wgsl: inBlock,
    link: [WORDS[words], keyMatch, linkBlock],
    entry: 'inBlock',
  };
  return { kernel, dims: { B, T, block, ...more }, groups: [Math.ceil(B / block), 1, S] };
}

/** The dispatches that find sets of equal steps and link them. Bindings of both. */
export function setCalls(words: Words, steps: Steps, software: boolean, more: Call['dims'] = {}): readonly Call[] {
  if (!software && steps.block * steps.T <= FEW) return [blockCall(words, steps, more)];
  return [...matchCalls(words, steps, more), linkCall(steps, software)];
}

/** The dispatches that find where sets branch. Bindings head, next, length, ending, since, owner, y. */
export function branchCalls({ S, B, T, block }: Steps): readonly Call[] {
  const dims = { B, T, block };
  // with a lane for every step of the last block too
  const ofSets = [Math.ceil((Math.ceil(B / block) * block * T) / 64), 1, S] as const;
  const { branchEarliest, branchOwners, branchBranch, branchSpread } = kernels;
  return [
    ...[branchEarliest, branchOwners, branchBranch].map((kernel) => ({ kernel, dims, groups: ofSets })),
    { kernel: branchSpread, dims, groups: [Math.ceil((B * T) / 64), 1, S] },
  ];
}
