import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest: begun last, each would keep one core busy while the others have nothing left to do. */
const LONG = [
  'src/engine/worldLearning.test.ts',
  'src/config/strangers.test.ts',
  'src/engine/stateLaws.test.ts',
  'scripts/lab.test.ts',
  'scripts/sweep.test.ts',
  'scripts/queue.test.ts',
  'src/lessons/04-horizon/lesson.test.ts',
  'src/lessons/02-same-state/lesson.test.ts',
  'src/monitor/presets.test.ts',
  'src/engine/memoryLearning.test.ts',
  'src/lab/probes/probes.test.ts',
  'src/cli/studies/documents.test.ts',
];

/** Files with a process of their own go before those that share one, which would else end at each of them. */
const rank = ({ moduleId, project }: TestSpecification): number => {
  if (project.name === 'unit-apart') return -1;
  const at = LONG.findIndex((path) => moduleId.endsWith(`/${path}`));
  return at < 0 ? LONG.length : at;
};

/** The order of Vitest, but the longest files begin first, also where no earlier run has left how long each took. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
