import { useCallback, useMemo, useRef } from 'react';
import type { Block } from '../../lessons/format/blocks.ts';
import type { Lesson } from '../../lessons/format/lesson.ts';
import { lessons } from '../../lessons/list.ts';
import { slidesOf } from '../../lessons/slides.ts';
import { useIsNarrow } from '../useTheme.ts';
import { CheckView } from './CheckView.tsx';
import { show, useDrive } from './drive.ts';
import { ExerciseView } from './ExerciseView.tsx';
import { FormulaView } from './FormulaView.tsx';
import { LessonEnd } from './LessonEnd.tsx';
import { LessonLab } from './LessonLab.tsx';
import { useLesson } from './lessonStore.ts';
import { Markdown, TermButton } from './Markdown.tsx';
import { Predict } from './Predict.tsx';
import { useProjector, useSlide } from './projector.ts';
import { ProjectorBar } from './ProjectorBar.tsx';
import { RevealView } from './RevealView.tsx';
import { RunView } from './RunView.tsx';

/** The text of a lesson from top to bottom, or one slide of it on a projector. */
export function LessonText() {
  const lesson = useLesson((l) => l.lesson)!;
  const slide = useSlide();
  return slide > 0 ? (
    <SlideText lesson={lesson} slide={slide} />
  ) : (
    <article className="lessontext">
      <About lesson={lesson} />
      <Blocks from={0} to={lesson.blocks.length} />
      <LessonEnd />
    </article>
  );
}

/** The first slide says what it is about, and the last what the model cannot show. */
function SlideText({ lesson, slide }: { readonly lesson: Lesson; readonly slide: number }) {
  const slides = useMemo(() => slidesOf(lesson.blocks), [lesson]);
  const last = slides.length + 1;
  const at = Math.min(slide, last);
  const text = useRef<HTMLElement>(null);
  const run = useCallback(() => text.current?.querySelector<HTMLButtonElement>('.runblock button')?.click(), []);
  useProjector(at, last, run);
  return (
    <article className="lessontext" ref={text}>
      {at === 1 && <p className="objective">{lesson.objective}</p>}
      {at < last && <Blocks from={slides[at - 1]![0]!} to={slides[at - 1]!.at(-1)! + 1} />}
      {at === last && <LessonEnd />}
      <ProjectorBar slide={at} last={last} />
    </article>
  );
}

function About({ lesson }: { readonly lesson: Lesson }) {
  const isUnkept = useLesson((l) => l.isUnkept);
  const isOwn = useLesson((l) => l.isOwn);
  return (
    <>
      <p className="objective">{lesson.objective}</p>
      <p className="quiet">
        {lesson.minutes} minutes · {isOwn ? 'a lesson from your file' : `lesson ${lesson.number}`}
        {lesson.needs.length > 0 && (
          <>
            {' · after '}
            {lesson.needs.map((id, k) => (
              <span key={id}>
                {k > 0 && ', '}
                <a href={`#/lesson/${id}`}>{lessons.find((one) => one.id === id)?.title ?? id}</a>
              </span>
            ))}
          </>
        )}
      </p>
      {isUnkept && (
        <p className="quiet" role="status">
          This browser keeps nothing here: your answers last until the page is closed.
        </p>
      )}
    </>
  );
}

/** Some of the blocks in their order: `from` up to, and not with, `to`. */
export function Blocks({ from, to }: { readonly from: number; readonly to: number }) {
  const blocks = useLesson((l) => l.lesson!.blocks);
  return blocks.slice(from, to).map((block, k) => <BlockView key={from + k} block={block} k={from + k} />);
}

function BlockView({ block, k }: { readonly block: Block; readonly k: number }) {
  if ('say' in block) return <Markdown text={block.say} />;
  if ('show' in block) return <ShowButton block={block} k={k} />;
  if ('predict' in block) return <Predict prediction={block.predict} k={k} />;
  if ('run' in block) return <RunView block={block} k={k} />;
  if ('reveal' in block) return <RevealView reveal={block.reveal} k={k} />;
  if ('formula' in block) return <FormulaView formula={block.formula} k={k} />;
  if ('check' in block) return <CheckView id={block.check} />;
  if ('exercise' in block) return <ExerciseView exercise={block.exercise} />;
  return (
    <ul className="lessonterms" aria-label="Terms">
      {block.terms.map((id) => (
        <li key={id}>
          <TermButton id={id} />
        </li>
      ))}
    </ul>
  );
}

/** Points the lab at something; on a phone the lab is then below the button. */
function ShowButton({ block, k }: { readonly block: Extract<Block, { show: unknown }>; readonly k: number }) {
  const isNarrow = useIsNarrow();
  const first = useLesson((l) => l.lesson!.blocks.findIndex((one) => 'show' in one));
  const at = useDrive((d) => d.at);
  const press = (): void => {
    useDrive.setState({ at: k });
    void show(block.show);
  };
  return (
    <>
      <p>
        <button type="button" className="showbutton" onClick={press}>
          {block.words}
        </button>
      </p>
      {isNarrow && (at ?? first) === k && <LessonLab />}
    </>
  );
}
