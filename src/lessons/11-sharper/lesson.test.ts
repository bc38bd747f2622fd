import { testLesson } from '../lessonTest.ts';
import { testRecorded, testSolution, threeErrors } from '../solutionTest.ts';

const of = (expression: string, mean: number, half: number) => threeErrors(expression, mean, half, 6);

testLesson('sharper', (trained) => {
  testSolution(trained, 'keep', { 'objective.klCoef': 0.15 });
  testRecorded(trained, [
    ['min(passAt(plain, 1))', 0.53, 0.55],
    ['max(passAt(plain, 16))', 0.55, 0.67],
    of('mean(passCrossing(plain))', 2.898, 0.006),
    of('mean(passAt(kl, 1))', 0.527, 0.001),
    of('mean(passAt(kl, 16))', 0.693, 0.004),
    of('mean(passCrossing(kl))', 3.028, 0.011),
    of('mean(passAt(resets, 1))', 0.535, 0.0005),
    of('mean(passAt(resets, 16))', 0.644, 0.003),
    of('mean(passCrossing(resets))', 2.922, 0.006),
  ]);
});
