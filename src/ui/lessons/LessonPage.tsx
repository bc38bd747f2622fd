import { useEffect, useRef } from 'react';
import { firstOf } from '../../lessons/format/read.ts';
import { discardShared, useDraft } from '../stores/draft.ts';
import { useHash } from '../useHash.ts';
import { useIsNarrow } from '../useTheme.ts';
import { letGo } from './drive.ts';
import { begin } from './begin.ts';
import { closeLesson } from './lessonActions.ts';
import { LessonLab } from './LessonLab.tsx';
import { LessonText } from './LessonText.tsx';
import { useLesson } from './lessonStore.ts';
import { OpenFile } from './OpenFile.tsx';
import './lessons.css';

/** “#/lesson/same-state”; `file` is the lesson of the reader that was opened last. */
const idIn = (hash: string): string => /^#\/lesson\/([\w-]{1,60})/.exec(hash)?.[1] ?? 'file';

/** A lesson: its text, and the lab beside it. */
export function LessonPage() {
  const id = useHash(idIn);
  const state = useLesson((l) => l.state);
  const title = useLesson((l) => l.lesson?.title);
  const isNarrow = useIsNarrow();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    void begin(id);
    return () => {
      letGo();
      closeLesson();
    };
  }, [id]);
  return (
    <main className="lessonpage" data-state={state}>
      <div className="lessontop">
        <h2 ref={heading} tabIndex={-1}>
          {title ?? 'Lesson'}
        </h2>
        <WaysBack id={id} />
      </div>
      {state === 'loading' && <p className="quiet">The lesson is loading.</p>}
      {state === 'missing' && (
        <p className="notice serious" role="alert">
          There is no lesson “{id}” in this version of the lab. Its link may come from another version.
        </p>
      )}
      {state === 'refused' && <Refused />}
      {(state === 'none' || state === 'refused') && <OpenFile />}
      {state === 'open' && (
        <div className="lessoncolumns">
          <LessonText />
          {!isNarrow && <LessonLab />}
        </div>
      )}
    </main>
  );
}

/** The experiment on the stage is the lesson's; the person's own waits. Each way keeps its place from the start: whoever aims at one hits it. */
function WaysBack({ id }: { readonly id: string }) {
  const isShared = useDraft((d) => d.own !== null);
  const isOfLab = useLesson((l) => id !== 'file' && l.state !== 'missing');
  const back = (): void => {
    discardShared();
    location.assign('#/lab');
  };
  return (
    <p className="lessonways">
      <a href="#/lessons">All lessons</a>
      {isOfLab && (
        <>
          <a href={`#/lesson/${id}?projector`}>Projector</a>
          <a href={`#/sheet/${id}`}>Sheet</a>
        </>
      )}
      <a href="#/lab">Open in the lab</a>
      <button type="button" className={isShared ? 'inword' : 'inword waits'} onClick={back}>
        Back to my own experiment
      </button>
    </p>
  );
}

/** Why a file is no lesson. */
function Refused() {
  const issues = useLesson((l) => l.issues);
  return (
    <section aria-label="The lesson was not opened">
      <p className="notice serious" role="alert">
        The lesson was not opened. {firstOf(issues)}
      </p>
      {issues.length > 1 && (
        <details className="more">
          <summary>The first {Math.min(20, issues.length)} of what is wrong</summary>
          <ul>
            {issues.slice(0, 20).map((issue, k) => (
              <li key={k}>{issue}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
