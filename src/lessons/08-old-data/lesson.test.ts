import { testLesson } from '../lessonTest.ts';
import { testRecorded, testSolution, threeErrors } from '../solutionTest.ts';

const success = (arm: string, mean: number, half: number) =>
  threeErrors(`mean(over(${arm}, evalSuccess, 20))`, mean, half, 4);

testLesson('old-data', (trained) => {
  testSolution(trained, 'age', { 'rollout.staleness': 8 });
  testRecorded(trained, [
    success('fresh', 0.883, 0.017),
    success('old8', 0.833, 0.023),
    success('old32', 0.656, 0.034),
    success('vcpo', 0.85, 0.021),
  ]);
});
