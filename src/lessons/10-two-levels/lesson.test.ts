import { testLesson } from '../lessonTest.ts';
import { testSolution } from '../solutionTest.ts';

testLesson('two-levels', (trained) => testSolution(trained, 'length', { 'task.options.length': 8 }));
