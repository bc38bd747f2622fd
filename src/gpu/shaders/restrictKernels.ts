import type { Kernel } from '../kernel.ts';
import restrict from './decision/restrict/restrict.wgsl?raw';
import restrictRows from './decision/restrict/rows.wgsl?raw';
import restrictSteps from './decision/restrict/steps.wgsl?raw';
import actionTree from './decision/units/actions.wgsl?raw';
import atStep from './decision/units/atStep.wgsl?raw';
import chunkRows from './decision/units/chunkRows.wgsl?raw';
import command from './decision/units/command.wgsl?raw';
import softmax from './decision/units/softmax.wgsl?raw';

/** What narrows the legal actions by a rule of a module, and takes that back; `.words`: where a step may have several units. */
export const restrictWith = (rule: string, entry: 'main' | 'restore'): Kernel => ({
  id: `restrict.${entry}`,
  wgsl: restrict,
  link: [actionTree, restrictSteps, atStep, softmax, rule],
  entry,
});
export const restrictWordsWith = (rule: string, entry: 'main' | 'restore'): Kernel => ({
  id: `restrict.words.${entry}`,
  wgsl: restrict,
  link: [command, restrictRows, chunkRows, softmax, rule],
  entry,
});
