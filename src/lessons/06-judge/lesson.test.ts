import { testLesson } from '../lessonTest.ts';
import { testSolution } from '../solutionTest.ts';

testLesson('judge', (trained) => {
  testSolution(trained, 'enough', { 'rollout.groupSize': 24 });
});
