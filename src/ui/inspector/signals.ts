import { TAGS } from '../../contract/tags.ts';
import type { StepAnswer } from '../../worker/protocol.ts';
import { credit } from '../credit/sentences.ts';
import { percent } from '../format.ts';

type Told = NonNullable<StepAnswer['signals']>;

/** What a step told beside its reward, as a list of words. */
export function toldWords({ isRefused, tag, isNew, isRepeated, isHard, reached }: Told): string {
  const words = [
    ...(tag > 0 ? [`thought: ${TAGS[tag]!}${isRefused ? ', which a refusal takes away' : ''}`] : []),
    ...(isRefused ? ['action refused'] : []),
    ...(isNew ? ['new state'] : []),
    ...(isRepeated ? ['same action in the same state as before'] : []),
    ...(isHard ? ['cannot be undone'] : []),
    ...(reached.length > 0 ? [`milestone ${reached.join(', ')} reached`] : []),
  ];
  return words.length > 0 ? words.join('; ') : 'nothing new, nothing refused';
}

const POTENTIALS = { distance: 'distance to the goal', milestone: 'milestones', value: 'optimal value' } as const;

/** What a potential is, to stand after its name. */
export const potentialWordsOf = (of: Told['potential']['of']): string => POTENTIALS[of];

export const potentialName = ({ potential }: Told): string => `Potential Φ (${POTENTIALS[potential.of]})`;

type Pair = readonly [before: number, after: number];
const pairWords = ([before, after]: Pair, words: (x: number) => string): string =>
  `${words(before)} before, ${words(after)} after`;

export const potentialWords = ({ potential }: Told): string => pairWords(potential.phi, credit);
export const completionWords = ({ completion }: Told): string => pairWords(completion, percent);
