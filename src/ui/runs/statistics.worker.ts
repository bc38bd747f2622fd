import { bootstrapInterval } from '../../core/seeds.ts';
import { groupCurve } from '../../lab/analysis/bands.ts';
import { compareGroups, profilesOf } from '../../lab/analysis/comparison.ts';
import { TAUS } from '../../lab/analysis/comparisonFigures.ts';
import { scoredBy } from '../../lab/analysis/strata.ts';
import type { Answer, Comparing, Compared, Question } from './question.ts';

/** Two thousand resamples of everything take a while: they are drawn away from the page's own thread. */
onmessage = ({ data }: MessageEvent<Question>): void => {
  const answer: Answer = { id: data.id, answer: answerTo(data) };
  postMessage(answer);
};

function answerTo(question: Question): Answer['answer'] {
  switch (question.kind) {
    case 'intervals':
      return question.ask.scores.map((scores) => bootstrapInterval([scores]));
    case 'compare':
      return compared(question.ask);
    case 'curves':
      return question.ask.groups.map((curves) =>
        groupCurve(curves, question.ask.points, [curves.length], question.ask.range),
      );
  }
}

function compared({ groups, threshold, score }: Comparing): Compared {
  const scored = scoredBy(groups, score);
  return { comparison: compareGroups(scored, threshold), profiles: profilesOf(scored, TAUS) };
}
