// Lessons are YAML for whoever writes them, and plain data for whoever loads them: turned into a module at build time.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const LESSON = /[\\/]lesson\.yaml$/;
/** What a list of lessons shows; the rest of a lesson loads when it is opened. */
const ABOUT = ['id', 'number', 'title', 'minutes', 'objective', 'needs'];

function aboutOf(lesson) {
  const told = Object.fromEntries(ABOUT.flatMap((name) => (name in lesson ? [[name, lesson[name]]] : [])));
  return { needs: [], ...told, checks: lesson.blocks.filter((block) => 'check' in block).length };
}

/** The text of a lesson as the text of a module: all of it, or with `?about` only what a list shows. */
export function lessonModule(text, isAbout) {
  const lesson = parse(text, { schema: 'core', maxAliasCount: 0 });
  const data = isAbout ? aboutOf(lesson) : lesson;
  return `export const ${isAbout ? 'about' : 'lesson'} = ${JSON.stringify(data)};`;
}

/** Reads `lesson.yaml` and `lesson.yaml?about` (vite, vitest, and the bundles of the command line). */
export const lessonYaml = {
  name: 'lesson-yaml',
  enforce: 'pre',
  load(id) {
    const [path, query] = id.split('?');
    if (!LESSON.test(path)) return undefined;
    this.addWatchFile?.(path);
    return { code: lessonModule(readFileSync(path, 'utf8'), query === 'about'), map: null, moduleType: 'js' };
  },
};
