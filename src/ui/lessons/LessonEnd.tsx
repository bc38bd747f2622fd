import { useState } from 'react';
import { toClipboard } from '../share/toClipboard.ts';
import { startOver } from './lessonActions.ts';
import { useLesson } from './lessonStore.ts';
import { Markdown } from './Markdown.tsx';
import { resultCode } from './resultCode.ts';

/** What the small model cannot show, the papers, and what the reader has come to. */
export function LessonEnd() {
  const lesson = useLesson((l) => l.lesson)!;
  return (
    <>
      <section className="limits" aria-label="What this small model cannot show">
        <h3>What this small model cannot show</h3>
        <Markdown text={lesson.limits} />
      </section>
      {lesson.papers.length > 0 && (
        <section aria-label="Papers">
          <h3>Papers</h3>
          <ul>
            {lesson.papers.map(({ title, arxiv }) => (
              <li key={title}>
                {title}
                {arxiv && <span className="quiet"> · arXiv {arxiv}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Result />
    </>
  );
}

/** The result as a line that can be handed in. */
function Result() {
  const lesson = useLesson((l) => l.lesson)!;
  const answers = useLesson((l) => l.answers);
  const judged = useLesson((l) => l.judged);
  const [told, tell] = useState('');
  const code = resultCode(lesson, { answers, judged });
  const copy = (): void => {
    void toClipboard(Promise.resolve(code)).then(
      () => tell('Copied.'),
      () => tell('The browser did not allow it: select the line and copy it.'),
    );
  };
  return (
    <section className="lessonresult" aria-label="Your result">
      <h3>Your result</h3>
      <p>
        <code>{code}</code>
      </p>
      <p>
        <button type="button" onClick={copy}>
          Copy my result
        </button>{' '}
        <button type="button" onClick={startOver}>
          Start this lesson over
        </button>{' '}
        <span role="status" className="quiet">
          {told}
        </span>
      </p>
      <p className="quiet">
        It holds predictions (p), checks (c) and exercises (e) in their order: 1 yes, 0 no, - open. Nothing is sent
        anywhere.
      </p>
    </section>
  );
}
