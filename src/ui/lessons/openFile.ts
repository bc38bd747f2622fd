import { CAPS } from '../../lessons/format/lesson.ts';
import { handIn, openLesson } from './lessonActions.ts';

const PAGE = '#/lesson/file';

/** Opens a file as a lesson, on its page. Its size is looked at before it is read. */
export async function openFile(file: File): Promise<void> {
  const kB = Math.ceil(file.size / 1000);
  const isLarge = file.size > CAPS.bytes;
  handIn(isLarge ? { why: `The file has ${kB} kB; a lesson has at most ${CAPS.bytes / 1000} kB.` } : await file.text());
  // the page opens it when it comes
  if (location.hash === PAGE) await openLesson('file');
  else location.assign(PAGE);
}
