import { testLesson } from '../lessonTest.ts';
import { testSolution } from '../solutionTest.ts';

testLesson('silent-groups', (trained) => {
  testSolution(trained, 'speak', { 'task.grid.maxSteps': 100 });
});
