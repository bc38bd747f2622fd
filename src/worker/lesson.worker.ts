import * as Comlink from 'comlink';
import { LessonHost } from './lessonHost.ts';

/** Entry of the worker that trains the arms of a lesson, on the CPU path and apart from the run of the page. */
Comlink.expose(new LessonHost());
