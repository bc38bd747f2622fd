import { isAtif } from './atif.ts';
import { isGeneration, isOfLab, messagesName } from './episodes.ts';
import { isSpeaker } from './rowsReader.ts';
import { mappingOf } from './roles.ts';
import type { LayoutId, Mapping } from './types.ts';
import { isFields, own, shown } from './values.ts';

/** The layout of a record; null where it is none that is known. */
export function layoutOf(value: unknown): LayoutId | null {
  if (!isFields(value)) return null;
  if (isAtif(value)) return 'atif';
  if (isOfLab(value)) return 'lab';
  if (isGeneration(value)) return 'verl';
  if (messagesName(value) !== null) return 'messages';
  return layoutOfRow((column) => own(value, column), mappingOf(Object.keys(value).slice(0, 2000)));
}

/** Whether rows are steps or messages of a conversation. */
export const layoutOfRow = (cells: (column: string) => unknown, mapping: Mapping): 'rows' | 'turns' =>
  mapping.source !== undefined && mapping.text !== undefined && isSpeaker(cells(mapping.source)) ? 'turns' : 'rows';

const quoted = (name: string): string => `“${shown(name, 40)}”`;

/** What was recognized, in a sentence. */
export function layoutSentence(layout: LayoutId, mapping: Mapping, episodes: number, steps: number): string {
  const n = (count: number, one: string): string => `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;
  const size = `${n(episodes, 'episode')}, ${n(steps, 'step')}`;
  switch (layout) {
    case 'rows': {
      const parts = [
        mapping.task && `task ${quoted(mapping.task)}`,
        mapping.episode && `episode ${quoted(mapping.episode)}`,
        (mapping.reward ?? mapping.outcome) && `reward ${quoted((mapping.reward ?? mapping.outcome)!)}`,
        mapping.state && `state ${quoted(mapping.state)}`,
      ];
      return `Each row is a step (${parts.filter(Boolean).join(', ')}): ${size}.`;
    }
    case 'turns':
      return `Each row is one message of a conversation; what the agent says is a step: ${size}.`;
    case 'messages':
      return `Each line is an episode with its messages; what the agent says is a step: ${size}.`;
    case 'verl':
      return `Generations as verl writes them: equal inputs of one training step are a task: ${size}.`;
    case 'atif':
      return `Trajectories in the Agent Trajectory Interchange Format, one file an episode: ${size}.`;
    case 'lab':
      return `Trajectories that Horizon Lab exported: ${size}.`;
  }
}
