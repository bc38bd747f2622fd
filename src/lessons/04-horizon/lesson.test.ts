import { testLesson } from '../lessonTest.ts';
import { testSolution } from '../solutionTest.ts';

testLesson('horizon', (trained) => {
  testSolution(trained, 'quick', { 'task.grid.growEvery': 20, 'run.updates': 120 });
});
