import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');
const MAIN = ['ui/main.tsx'];
/** The lab beside its first paint: all of them come at once, in every visit. */
const LAB = [
  'ui/Dialogs.tsx',
  'ui/Dock.tsx',
  'ui/charts/Charts.tsx',
  'ui/charts/Expected.tsx',
  'ui/credit/OfTheRun.tsx',
  'ui/form/Form.tsx',
  'ui/kept/leftRun.ts',
  'ui/monitor/HealthStrip.tsx',
  'ui/notices/Notice.tsx',
  'ui/runbar/Cost.tsx',
  'ui/start/LookFor.tsx',
  'ui/sweeps/Sweeps.tsx',
  'ui/timeline/Timeline.tsx',
];
/** Frames in pages of others: they share much with the lab, and must not load the rest of it. */
const FRAMES = [
  'ui/embed/EmbedPage.tsx',
  'ui/embed/StageView.tsx',
  'ui/embed/CreditView.tsx',
  'ui/embed/CompareView.tsx',
];
const FRAMES_OF_CURVES = ['ui/embed/ChartsView.tsx'];
/** What reads a config and says what is wrong with it, of the lab and of frames. */
const CHECKS = [
  'ui/judge.ts',
  'config/problems.ts',
  'config/caps.ts',
  'config/controlRules.ts',
  'config/digest.ts',
  'config/migrations.ts',
  'config/moment.ts',
  'slots/metrics/metrics.ts',
];
const RECHARTS = /[\\/]node_modules[\\/]recharts[\\/]/;

type Graph = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null };

/** Adds a module and all that it imports, as far as that is not there yet. */
function reach(graph: Graph, id: string, found: Set<string>): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reach(graph, next, found);
  return found;
}

/** The file of each module that comes together with others. Each file imports only what is before it in the list. */
function filesOf(graph: Graph): ReadonlyMap<string, string> {
  const all = (...roots: readonly string[]): string[] => {
    const found = new Set<string>();
    for (const root of roots) {
      const file = join(SRC, root);
      if (graph.getModuleInfo(file) === null)
        throw new Error(`scripts/lib/together.ts names ${root}, which the page has not.`);
      reach(graph, file, found);
    }
    return [...found];
  };
  const lab = all(...LAB);
  const draws = (id: string): boolean => [...reach(graph, id, new Set())].some((at) => RECHARTS.test(at));
  const shared = (roots: readonly string[]): string[] => {
    const others = new Set(all(...roots));
    return lab.filter((id) => others.has(id));
  };
  const ofCurves = shared(FRAMES_OF_CURVES);
  // text and controls do not wait for recharts
  const quiet = (ids: readonly string[]): string[] => ids.filter((id) => !draws(id));
  const files: readonly (readonly [name: string, modules: readonly string[]])[] = [
    ['wordsOf', all('config/words/wordsOf.ts')],
    ['checks', all(...CHECKS)],
    ['presets', all('config/presets.ts')],
    ['pictures', all('ui/gallery/pictures.json')],
    ['dialogs', all('ui/Modal.tsx')],
    ['shared', shared(FRAMES)],
    ['labels', quiet(ofCurves)],
    ['beside', quiet(lab)],
    ['curves', ofCurves],
  ];
  const first = new Set(all(...MAIN));
  const found = new Map<string, string>();
  for (const [name, modules] of files) {
    for (const id of modules) if (!first.has(id) && !found.has(id)) found.set(id, name);
  }
  return found;
}

/**
 * The page loads much right after its first paint, in every visit. Left to the bundler, each module that two parts share is
 * a file, and a browser asks for seventy: a quarter of what it costs to open the page. Here they are a few.
 * @returns the file that a module goes into; null for all others
 */
export function together(): (id: string, graph: Graph) => string | null {
  let files: ReadonlyMap<string, string> | null = null;
  return (id, graph) => (files ??= filesOf(graph)).get(id) ?? null;
}
