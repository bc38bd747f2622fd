import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { commitDefined } from './scripts/lib/commit.mjs';
import { CSP } from './scripts/lib/headers.mjs';
import { offline } from './scripts/lib/offline.ts';
import { lessonYaml } from './scripts/lib/lessonYaml.mjs';
import { lightWgsl } from './scripts/lib/lightWgsl.ts';
import { laterParts, partsChunk } from './scripts/lib/laterParts.ts';
import { laterWorlds, laterWrappers } from './scripts/lib/laterWorlds.ts';
import { together } from './scripts/lib/together.ts';
import { notices } from './scripts/lib/notices.ts';
import { cpuWorkers, laterExplainers, pageRecords } from './scripts/lib/pageRecords.ts';
import { pageWords, workerWords } from './scripts/lib/pageWords.ts';
import { compressed } from './scripts/lib/precompress.ts';

/** recharts and everything that only recharts needs: one chunk, loaded after the first paint. */
const CHARTS =
  /node_modules[\\/](recharts|victory-vendor|d3-[a-z]+|internmap|@reduxjs|react-redux|redux|redux-thunk|reselect|immer|es-toolkit|decimal\.js-light|eventemitter3|tiny-invariant|use-sync-external-store)[\\/]/;
/** Shared by the page and by the charts, so it must not live inside the charts chunk. */
const REACT = /node_modules[\\/](react|react-dom|react-is|scheduler|clsx)[\\/]/;

/** Small files that every visit needs and lazy parts share: alone, each would be a chunk that compresses badly. */
const PAGE =
  /src[\\/](ui[\\/](keys|stores[\\/](draft|run|view|looks)|session|compare|owed|frames|format|useTheme|client|held|before|share[\\/](copyLink|toClipboard)|stage[\\/](palette|episodes|shown|directions|words|marks|things|roomMap|tiles|render|shapes))|core[\\/](counting|fidelity)|config[\\/]canonical)\.tsx?$/;

/** The same of the worker that trains: what its main file and the parts that come later share. */
const BASE =
  /src[\\/](slots[\\/](metrics[\\/]metrics|registry|methods|wrapper[\\/]registry|advantage[\\/](contextHeads|oprl[\\/]preference|edgeHeads))|networks[\\/](policy|layout|registry)|engine[\\/](ages|arrays|backend|behavior|creditRevision|exactValues|forksOf|freshPay|groups|levels|measuredPart|minibatch|outcomes|past|plan|plannedRows|playedSteps|processModel|rewards|sideEpisodes|stateTable|stepScores|story|taskFeed|unitCredit|unitSet|versions|wrapping|cpu[\\/](asking|batches|cpuBackend|klPreview|klReward|lockstep|parts|pay|phases|playing|policy|record|recordEntropy|restricted|rollout|runningReward|shaping|signals|ticking|unitLoss|unitPolicy|update|weights))|envs[\\/]stateTable|gpu[\\/](refused|timeOfOne)|config[\\/](exact|fork|events|runModules|runColumns|fresh|canonical)|contract[\\/](creditSubset|sections|signalSteps|outcomes)|core[\\/](aggregate|counting|problem|report|slices|value|math[\\/](budget|creditStats|entropy|running|staleness)))\.ts$/;

/** The same of what records on a device, which every run there needs and the check of a device shares. */
const DEVICE =
  /src[\\/](gpu[\\/](counts|critic|match|norm|scan|segments|signalDims|sums)|engine[\\/]gpu[\\/](report|valueForm))\.ts$/;

/** One file of icons for the first paint, and one for all others: alone, each would be a file of 200 bytes. */
const ICONS = /node_modules[\\/]lucide-react[\\/]/;

/** None: what helps bundlers to leave code out says nothing to a browser, and licenses stand in a file of their own (notices). */
const COMMENTS = false;

/** Of a build nobody is told how long each plugin took: for every worker that was a page of text. */
const QUIET = { bundlerTimings: false };

/** Definitions and kernels as plain text beside the site, so that a number can be followed to the file that made it. */
const sources = {
  name: 'sources',
  apply: 'build' as const,
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): string }): void {
    for (const folder of ['src/slots/advantage', 'src/gpu/shaders']) {
      for (const name of readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })) {
        const path = `${folder}/${name.replaceAll('\\', '/')}`;
        if (!/\.(ts|wgsl)$/.test(path) || path.endsWith('.test.ts')) continue;
        this.emitFile({
          type: 'asset',
          fileName: `source/${path}.txt`,
          source: readFileSync(join(import.meta.dirname, path), 'utf8'),
        });
      }
    }
  },
};

/** The content policy in the page itself, for hosts that send no headers of ours. */
const policyInPage = {
  name: 'policy-in-page',
  apply: 'build' as const,
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: CSP },
      injectTo: 'head-prepend' as const,
    },
  ],
};

/** The page draws and plays; only the worker runs shaders. */
const withoutWgsl = {
  name: 'without-wgsl',
  apply: 'build' as const,
  enforce: 'pre' as const,
  load: (id: string): string | undefined => (id.endsWith('.wgsl?raw') ? "export default '';" : undefined),
};

const { page: pageNotices, worker: workerNotices } = notices(import.meta.dirname);

/**
 * The site is plain files with relative addresses: it works from any folder of any static host.
 * WGSL files are imported with `?raw`; the worker is an ES module of its own.
 */
export default defineConfig({
  base: './',
  define: commitDefined(import.meta.dirname),
  plugins: [
    lessonYaml,
    withoutWgsl,
    laterWorlds,
    laterWrappers,
    pageRecords,
    pageWords(),
    sources,
    policyInPage,
    react(),
    pageNotices,
    offline,
    compressed,
  ],
  worker: {
    format: 'es',
    plugins: () => [
      laterWorlds,
      laterWrappers,
      lightWgsl,
      laterExplainers(),
      laterParts(),
      workerWords,
      cpuWorkers(),
      workerNotices(),
    ],
    rolldownOptions: {
      checks: QUIET,
      output: {
        comments: COMMENTS,
        codeSplitting: {
          groups: [{ name: 'base', test: BASE }, { name: 'device', test: DEVICE }, { name: partsChunk }],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
  build: {
    target: 'es2023',
    sourcemap: true,
    // one file of styles: it comes with the page, so that a part asked for again is never without its own
    cssCodeSplit: false,
    // The entry is there before anything asks for a part that imports it, and Firefox answers a preload of what a script
    // element has loaded with an error.
    modulePreload: {
      resolveDependencies: (_, needed) => needed.filter((name) => !/^assets\/index-[^/]+\.js$/.test(name)),
    },
    // The largest chunk is recharts; scripts/sizes.mjs holds the real budgets, measured after gzip.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      checks: QUIET,
      output: {
        comments: COMMENTS,
        codeSplitting: {
          groups: [
            { name: 'react', test: REACT, priority: 20 },
            { name: 'charts', test: CHARTS, priority: 10 },
            { name: 'page', test: PAGE, priority: 5 },
            { name: 'icons', test: ICONS, tags: ['$initial' as const], priority: 4 },
            { name: 'moreIcons', test: ICONS, priority: 3 },
            { name: together(), priority: 1, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
