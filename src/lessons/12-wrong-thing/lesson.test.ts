import { testLesson } from '../lessonTest.ts';
import { testSolution } from '../solutionTest.ts';

testLesson('wrong-thing', (trained) => testSolution(trained, 'mend', { 'reward.gra.delta': 0.55 }));
