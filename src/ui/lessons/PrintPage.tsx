import { Printer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Lesson } from '../../lessons/format/lesson.ts';
import { loadLesson } from '../../lessons/list.ts';
import { expectedWords, SOURCE_WORDS } from '../../lessons/format/words.ts';
import { useHash } from '../useHash.ts';
import { Markdown } from './Markdown.tsx';
import './print.css';

/** Lines to write an answer on. */
const LINES = 4;

/** “#/sheet/same-state” and “#/notes/same-state” */
const addressed = (hash: string): string => /^#\/((?:sheet|notes)\/[\w-]{1,60})/.exec(hash)?.[1] ?? 'sheet/';

/** What is printed of a lesson: the sheet for students, or the notes for teachers. */
export function PrintPage() {
  const [kind, id] = useHash(addressed).split('/') as [string, string];
  const [found, find] = useState<{ readonly id: string; readonly lesson: Lesson | null } | null>(null);
  useEffect(() => {
    let isGone = false;
    void loadLesson(id)
      .catch(() => null)
      .then((lesson) => !isGone && find({ id, lesson }));
    return () => {
      isGone = true;
    };
  }, [id]);
  if (found?.id !== id) return <main className="runspage quiet">The sheet is loading.</main>;
  if (!found.lesson)
    return (
      <main className="runspage">
        <p className="notice serious" role="alert">
          There is no sheet of a lesson “{id}” in this version of the lab, or it could not be loaded without a
          connection. All lessons are under <a href="#/lessons">Lessons</a>.
        </p>
      </main>
    );
  return <Sheet lesson={found.lesson} isTeacher={kind === 'notes'} />;
}

/** Questions with lines to write on; teachers have the answers, and their notes before them. */
function Sheet({ lesson, isTeacher }: { lesson: Lesson; isTeacher: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [isTeacher]);
  const home = `${location.href.split('#')[0]}#/lesson/${lesson.id}`;
  const other = isTeacher ? 'sheet' : 'notes';
  return (
    <main className="runspage printpage">
      <div className="runstop printless">
        <a href={`#/lesson/${lesson.id}`}>Back to the lesson</a>
        <a href={`#/${other}/${lesson.id}`}>{isTeacher ? 'Sheet for students' : 'Notes for teachers'}</a>
        <button type="button" onClick={() => print()}>
          <Printer aria-hidden size={16} /> Print
        </button>
      </div>
      <article className="sheet">
        <h2 ref={heading} tabIndex={-1}>
          {lesson.number !== undefined && `${lesson.number}. `}
          {lesson.title}
        </h2>
        <p className="sheetfacts">
          {isTeacher ? 'Notes for teachers' : 'Exercise sheet'} · {lesson.minutes} minutes · {home}
        </p>
        <p>
          <strong>Aim:</strong> {lesson.objective}
        </p>
        {isTeacher && lesson.notes && <Markdown text={lesson.notes} />}
        {!isTeacher && <p className="sheetname">Name:</p>}
        <Questions lesson={lesson} isTeacher={isTeacher} />
        <Checks lesson={lesson} isTeacher={isTeacher} />
        <h3>What this small model cannot show</h3>
        <Markdown text={lesson.limits} />
      </article>
    </main>
  );
}

type Part = { readonly lesson: Lesson; readonly isTeacher: boolean };

function Questions({ lesson, isTeacher }: Part) {
  if (lesson.sheet.length === 0) return null;
  return (
    <>
      <h3>Questions</h3>
      <ol className="sheetquestions">
        {lesson.sheet.map(({ question, answer }) => (
          <li key={question}>
            <Markdown text={question} />
            {isTeacher ? (
              <div className="sheetanswer">
                <Markdown text={answer} />
              </div>
            ) : (
              <div className="sheetlines" aria-hidden>
                {Array.from({ length: LINES }, (_, k) => (
                  <span key={k} />
                ))}
              </div>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** What the lesson claims: students write down the values of their own run beside it. */
function Checks({ lesson, isTeacher }: Part) {
  if (lesson.checks.length === 0) return null;
  return (
    <table className="sheetchecks">
      <caption>What the lesson claims, and what your run says</caption>
      <thead>
        <tr>
          <th scope="col">Claim</th>
          <th scope="col">Expected</th>
          <th scope="col">{isTeacher ? 'Where it comes from' : 'Your run'}</th>
        </tr>
      </thead>
      <tbody>
        {lesson.checks.map((check) => (
          <tr key={check.id}>
            <td>{check.says}</td>
            <td>{expectedWords(check)}</td>
            <td>{isTeacher ? SOURCE_WORDS[check.source] : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
