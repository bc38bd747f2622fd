import { CAPS } from '../../lessons/format/lesson.ts';
import { refuseFile, openText } from './lessonActions.ts';

/** Opens a file as a lesson, on the page of lessons. Its size is looked at before it is read. */
export async function openFile(file: File): Promise<void> {
  if (!location.hash.startsWith('#/lesson/file')) location.assign('#/lesson/file');
  if (file.size > CAPS.bytes)
    return refuseFile(`The file has ${Math.ceil(file.size / 1000)} kB; a lesson has at most ${CAPS.bytes / 1000} kB.`);
  await openText(await file.text());
}
