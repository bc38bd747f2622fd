import { testLesson } from '../lessonTest.ts';
import { testSolution } from '../solutionTest.ts';

testLesson('same-state', (trained) => {
  testSolution(trained, 'tune', { 'advantage.gigpo.gamma': 0.8 });
});
