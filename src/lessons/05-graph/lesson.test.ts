import { testLesson } from '../lessonTest.ts';
import { testSolution } from '../solutionTest.ts';

testLesson('graph', (trained) => {
  testSolution(trained, 'tree', { 'advantage.salt.history': 4 });
});
