import { useEffect, type MouseEvent } from 'react';
import { Dialogs } from '../Dialogs.tsx';
import { begin } from '../lessons/begin.ts';
import { letGo } from '../lessons/drive.ts';
import { closeLesson } from '../lessons/lessonActions.ts';
import { LessonLab } from '../lessons/LessonLab.tsx';
import { useLesson } from '../lessons/lessonStore.ts';
import { LessonText } from '../lessons/LessonText.tsx';
import '../lessons/lessons.css';
import { useDraft } from '../stores/draft.ts';
import { useIsNarrow } from '../useTheme.ts';
import { setEmbed, useEmbed } from './embedStore.ts';

/** A lesson with the lab beside it. Its own buttons start what trains; nothing of it is kept. */
export function LessonView() {
  const id = useEmbed((e) => e.options.lesson) ?? '';
  const state = useLesson((l) => l.state);
  const title = useLesson((l) => l.lesson?.title);
  const isNarrow = useIsNarrow();
  useEffect(() => {
    void begin(id);
    return () => {
      letGo();
      closeLesson();
    };
  }, [id]);
  useEffect(() => void (title && useDraft.setState({ title })), [title]);
  if (state === 'missing')
    return (
      <p className="notice serious" role="alert">
        There is no lesson “{id.slice(0, 60)}” in this version of the lab; its address names one by lesson=….
      </p>
    );
  if (state !== 'open') return <p className="quiet">The lesson is loading.</p>;
  return (
    // links have their own keys
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className="lessonpage embedlesson" onClickCapture={follow}>
      <h2 className="visually-hidden">{title}</h2>
      <div className="lessoncolumns">
        <LessonText />
        {!isNarrow && <LessonLab />}
      </div>
      <Dialogs />
    </div>
  );
}

/** Another lesson opens in the frame, everything else of the lab in a tab of its own. */
function follow(event: MouseEvent<HTMLElement>): void {
  const link = (event.target as Element).closest('a');
  const to = link?.getAttribute('href') ?? '';
  if (!link || !to.startsWith('#/')) return;
  const lesson = /^#\/lesson\/([\w-]{1,60})$/.exec(to)?.[1];
  if (!lesson) return void (link.target = '_blank');
  event.preventDefault();
  setEmbed({ options: { ...useEmbed.getState().options, lesson } });
}
