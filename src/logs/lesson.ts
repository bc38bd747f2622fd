/** Credit of one step of the example by one estimator, to three digits after the point. */
export type LessonNumber = {
  readonly episode: string;
  readonly t: number;
  readonly told: 'grpo' | 'gigpo' | 'salt';
  readonly credit: number;
};

/** A part of the lesson: what is said, the numbers in it (of which the first can be shown), all of them checked by a test. */
export type LessonStep = { readonly words: string; readonly numbers: readonly LessonNumber[] };

const at = (episode: string, t: number, told: LessonNumber['told'], credit: number): LessonNumber => ({
  ...{ episode, t, told, credit },
});

/** “Where did your agent’s reward come from?”: public/examples/house.jsonl, read step by step. */
export const LESSON: readonly LessonStep[] = [
  {
    words:
      'An agent was to put a mug on a desk, six times. Two episodes did it and were paid 1, in their last step alone; the other four ran out of steps. Which of all the steps before earned that reward? The log does not say. That is what an estimator has to guess.',
    numbers: [],
  },
  {
    words:
      'GRPO compares whole episodes: every step of a success gets +1.291 and every step of a failure −0.645. So in the failed episode mug-2 it blames “take the mug” (−0.645), which was right.',
    numbers: [at('mug-2', 4, 'grpo', -0.645), at('mug-1', 0, 'grpo', 1.291)],
  },
  {
    words:
      'GiGPO also compares steps that began in the same state. Four times an agent stood in the hall with the mug in its hand and walked on: to the study (+2.052, mug-1 and mug-3), to the bedroom (−1.740, mug-4) and back to the kitchen (−1.740, mug-6). Here the reward was won or lost.',
    numbers: [
      at('mug-4', 6, 'gigpo', -1.74),
      at('mug-1', 3, 'gigpo', 2.052),
      at('mug-3', 4, 'gigpo', 2.052),
      at('mug-6', 3, 'gigpo', -1.74),
    ],
  },
  {
    words:
      'But GiGPO judges a step by what followed it, also by later mistakes: “take the mug” in the same kitchen gets +2.631 in mug-1 and −1.291 in mug-2. All six episodes took the mug there, so it cannot be why some failed. SALT averages over all who made the same step, and says so: +0.000.',
    numbers: [at('mug-2', 4, 'salt', 0), at('mug-1', 1, 'gigpo', 2.631), at('mug-2', 4, 'gigpo', -1.291)],
  },
  {
    words:
      'So SALT leaves the reward where the paths part: +1.291 for “go to the study” with the mug, −0.645 for going to the bedroom or back to the kitchen, and −0.092 for leaving the kitchen, which the failures did a little more often.',
    numbers: [at('mug-1', 3, 'salt', 1.291), at('mug-4', 6, 'salt', -0.645), at('mug-2', 6, 'salt', -0.092)],
  },
  {
    words:
      'In the third task, a lamp was to be hung in a cellar that has no door. All six episodes failed, so there is nothing to compare: the task is silent, and all three estimators say +0.000. For them, such tasks cost as much as the others and teach nothing.',
    numbers: [at('lamp-1', 0, 'gigpo', 0), at('lamp-4', 3, 'grpo', 0), at('lamp-6', 2, 'salt', 0)],
  },
  {
    words:
      'What a log cannot show: these are estimates from six episodes, and nobody knows here what a step was really worth. In the lab the same estimators can be held against exact values.',
    numbers: [],
  },
];

/** A credit as the lesson writes it. */
export const lessonNumber = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(3)}`;
