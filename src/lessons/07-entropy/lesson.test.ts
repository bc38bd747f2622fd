import { testLesson } from '../lessonTest.ts';
import { testRecorded, testSolution } from '../solutionTest.ts';

testLesson('entropy', (trained) => {
  testSolution(trained, 'save', { 'objective.entropyCoef': 0.1 });
  // on 8 seeds: a 1.20 … 1.34, b 4.89 … 5.47, R² 0.915 … 0.933, entropy in the end 1.17 … 1.20
  testRecorded(trained, [
    ['min(law(grpo, fit))', 0.88, 1],
    ['min(law(grpo, a))', 1, 1.5],
    ['max(law(grpo, a))', 1, 1.5],
    ['min(law(grpo, b))', 4.4, 5.9],
    ['max(law(grpo, b))', 4.4, 5.9],
    ['min(law(grpo, ceiling))', 3, 5],
    ['mean(last(grpo, entropy))', 1, 1.3],
  ]);
});
