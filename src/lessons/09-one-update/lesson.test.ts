import { testLesson } from '../lessonTest.ts';
import { testRecorded, testSolution, threeErrors } from '../solutionTest.ts';

const of = (expression: string, mean: number, half: number) => threeErrors(expression, mean, half, 4);

testLesson('one-update', (trained) => {
  testSolution(trained, 'smaller', { 'control.klStop.limit': 0.005 });
  // the worst of 100 updates, but for the usual KL
  testRecorded(trained, [
    of('mean(over(none, approxKL))', 0.0316, 0.0052),
    of('mean(over(clip, approxKL))', 0.0047, 0.0005),
    of('mean(over(stop, approxKL))', 0.0039, 0.0004),
    of('mean(highest(stop, approxKL))', 0.056, 0.01),
    of('mean(mostOutside(stop, 0.2))', 0.53, 0.028),
    of('mean(lowest(none, essStep))', 0.21, 0.053),
    of('mean(lowest(clip, essStep))', 0.871, 0.04),
    of('mean(lowest(stop, essStep))', 0.906, 0.012),
    of('mean(worstDrop(none))', 0.032, 0.039),
    of('mean(worstDrop(clip))', 0.019, 0.01),
    of('mean(worstDrop(stop))', 0.012, 0.008),
  ]);
});
