import { Presentation, Printer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AboutLesson } from '../../lessons/format/lesson.ts';
import { lessons } from '../../lessons/list.ts';
import { routes, type Route } from '../../lessons/routes.ts';
import { OpenFile } from './OpenFile.tsx';
import { progressOf, type LessonProgress } from './progress.ts';
import './list.css';

const minutesOf = (numbers: readonly number[]): number =>
  lessons.reduce((sum, { number, minutes }) => sum + (numbers.includes(number ?? -1) ? minutes : 0), 0);

/** Everything there is to learn here: routes for an occasion, and the lessons of the one that is chosen. */
export function LessonsPage() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [route, choose] = useState<Route>(routes[0]!);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main className="runspage lessonspage">
      <div className="runstop">
        <h2 ref={heading} tabIndex={-1}>
          Lessons
        </h2>
        <a href="#/lab">Back to the lab</a>
      </div>
      <p className="lessonsintro">
        A lesson shows one idea in about ten minutes. You say what will happen, an agent trains here in this tab, and
        the numbers say who was right. Every claim is checked again on your own run.
      </p>
      <fieldset className="routes">
        <legend>Choose a way through them</legend>
        {routes.map((r) => (
          <label key={r.id} data-chosen={r === route}>
            <input type="radio" name="route" checked={r === route} onChange={() => choose(r)} /> {r.title}
          </label>
        ))}
      </fieldset>
      <p className="quiet" role="status">
        {route.about}
      </p>
      {route.parts.map((numbers, k) => (
        <RoutePart key={k} numbers={numbers} name={route.parts.length > 1 ? `Day ${k + 1}` : null} />
      ))}
      <OpenFile />
    </main>
  );
}

/** One sitting: its lessons in order, and how long they take together. */
function RoutePart({ numbers, name }: { numbers: readonly number[]; name: string | null }) {
  const found = numbers.flatMap((n) => lessons.filter(({ number }) => number === n));
  const minutes = minutesOf(numbers);
  return (
    <section aria-label={name ?? 'Lessons'}>
      <h3>
        {name !== null && `${name}: `}
        {minutes} minutes
      </h3>
      <ol className="lessonlist">
        {found.map((lesson) => (
          <Card key={lesson.id} lesson={lesson} />
        ))}
      </ol>
    </section>
  );
}

function progressWords({ predictions, passed }: LessonProgress, { checks }: AboutLesson): string {
  if (predictions === 0 && passed === 0) return 'not begun';
  return passed >= checks ? 'finished: every check passed' : `${passed} of ${checks} checks passed`;
}

function Card({ lesson }: { lesson: AboutLesson }) {
  const { id, number, title, minutes, objective, needs } = lesson;
  const [progress, find] = useState<LessonProgress | null>(null);
  useEffect(() => {
    let isGone = false;
    void progressOf(id).then((found) => !isGone && find(found));
    return () => {
      isGone = true;
    };
  }, [id]);
  const before = lessons.filter((l) => needs.includes(l.id));
  return (
    <li>
      <span className="lessonnumber" aria-hidden>
        {number}
      </span>
      <div className="lessonwords">
        <h4>
          <a href={`#/lesson/${id}`}>{title}</a>
        </h4>
        <p>{objective}</p>
        <p className="lessonfacts">
          {minutes} minutes
          {before.length > 0 && ` · after ${before.map((l) => l.number).join(' and ')}`}
          {progress && ` · ${progressWords(progress, lesson)}`}
        </p>
      </div>
      <div className="lessonlinks">
        <a href={`#/lesson/${id}?projector`}>
          <Presentation aria-hidden size={16} /> Projector
        </a>
        <a href={`#/sheet/${id}`}>
          <Printer aria-hidden size={16} /> Sheet
        </a>
      </div>
    </li>
  );
}
