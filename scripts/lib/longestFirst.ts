import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest: begun last, each would keep one core busy while the others have nothing left to do. */
const LONG = [
  'src/engine/worldLearning.test.ts',
  'src/lessons/04-horizon/lesson.test.ts',
  'src/lessons/02-same-state/lesson.test.ts',
  'scripts/queue.test.ts',
  'scripts/sweep.test.ts',
  'src/lessons/03-silent-groups/lesson.test.ts',
  'src/lessons/12-wrong-thing/lesson.test.ts',
  'src/config/strangers.test.ts',
  'src/monitor/presets.test.ts',
  'src/cli/studies/documents.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((path) => moduleId.endsWith(`/${path}`));
  return at < 0 ? LONG.length : at;
};

/** The order of Vitest, but the longest files begin first, also where no earlier run has left how long each took. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
