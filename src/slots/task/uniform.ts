import { evenLevel, wholeTask } from '../../contract/taskContext.ts';
import { defineTaskSource } from './types.ts';

/**
 * Every task is drawn by itself, whatever happened before: one of the different levels of the task, each as likely, or a
 * new level every time where there are no bounds. Where the task grows, it is drawn at the stage of the update.
 */
export const uniform = defineTaskSource({
  id: 'uniform',
  title: 'Drawn evenly',
  rev: 1,
  look: 'Each level is as likely as any other, however well it goes.',
  params: {},
  next(_state, context) {
    return Array.from({ length: context.P }, (_, p) => wholeTask(evenLevel(context, p), context.G));
  },
});
