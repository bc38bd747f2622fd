/** A way through the lessons for one occasion. */
export type Route = {
  readonly id: string;
  readonly title: string;
  /** for whom, in one sentence */
  readonly about: string;
  /** most minutes that each part takes, at the lessons' own word */
  readonly minutes: number;
  /** numbers of lessons, in order; each part is one sitting */
  readonly parts: readonly (readonly number[])[];
};

/** Routes of spec product §8.2, and the three of a teacher: a lecture, a seminar, a week on one's own. */
export const routes: readonly Route[] = [
  {
    id: 'all',
    title: 'All twelve',
    about: 'From first to last; each says what it builds on.',
    minutes: 144,
    parts: [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  },
  {
    id: 'half-hour',
    title: 'Half an hour',
    about: 'The idea of the lab: one number for many steps, the same state twice, paid for the wrong thing.',
    minutes: 36,
    parts: [[1, 2, 12]],
  },
  {
    id: 'lecture',
    title: 'A lecture of 45 minutes',
    about: 'For the projector: what credit is, how it is split, and how a reward goes wrong. Let the room predict.',
    minutes: 48,
    parts: [[1, 2, 5, 12]],
  },
  {
    id: 'seminar',
    title: 'A seminar of 90 minutes',
    about: 'Pairs at one screen each: predict, run, do the exercise, and report what happened.',
    minutes: 90,
    parts: [[1, 2, 3, 6, 7, 11, 12]],
  },
  {
    id: 'week',
    title: 'A week on your own',
    about: 'All twelve, two or three a day, with the exercise sheets in the evening.',
    minutes: 36,
    parts: [
      [1, 2, 3],
      [4, 5],
      [6, 7],
      [8, 9],
      [10, 11, 12],
    ],
  },
  {
    id: 'credit',
    title: 'Credit assignment',
    about: 'A week of a course: from outcomes to steps, and what the success cost.',
    minutes: 84,
    parts: [[1, 2, 3, 4, 5, 6, 7]],
  },
  {
    id: 'stability',
    title: 'Stability',
    about: 'Entropy, old data, and how far one update may go.',
    minutes: 36,
    parts: [[7, 8, 9]],
  },
  {
    id: 'agents',
    title: 'Agents',
    about: 'Budgets, horizons, asynchrony, two levels, and what many tries hide.',
    minutes: 60,
    parts: [[3, 4, 8, 10, 11]],
  },
];
