import { useView } from '../stores/view.ts';
import { LessonPage } from './LessonPage.tsx';
import { LessonsPage } from './LessonsPage.tsx';
import { PrintPage } from './PrintPage.tsx';

/** The lessons, one of them with the lab beside it, or what is printed of one. */
export function LessonPages() {
  const page = useView((v) => v.page);
  return page === 'lessons' ? <LessonsPage /> : page === 'print' ? <PrintPage /> : <LessonPage />;
}
