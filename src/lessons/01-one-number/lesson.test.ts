import { testLesson } from '../lessonTest.ts';
import { testSolution } from '../solutionTest.ts';

testLesson('one-number', (trained) => {
  testSolution(trained, 'better', { 'advantage.method': 'graphGpo' });
});
