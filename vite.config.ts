import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

/** Small modules of public pages. Tables, skeletons, menus, lists and sort arrows are the dashboard's. */
const smallParts =
  /src\/client\/(?:(?:ui\/(?!Table|Skeleton|Menu|Combobox|Popover|SearchList|loadedOnPress)|sections\/kit\/)[^/]+\.tsx?|forms\/FormFrame\.tsx|api\/apiError\.ts)|src\/shared\/(?:leads\/(?:zip|leadFields)|applications\/applicationFields)\.ts|lucide-react\/(?!.*\/arrow-(?:up|down)\.)/;

/** What the landing page's first screen shares with other pages, so that it loads nothing else of theirs. */
const firstParts =
  /src\/client\/(?:ui\/(?:Field|Span)\.tsx|sections\/kit\/(?:GainFigure|HeroBand|StudyNote)\.tsx|forms\/lead\/useMatchPreview\.ts)|src\/shared\/(?:leads\/zip|brand\/(?:hero|matchPreview))\.ts|lucide-react\/.*\/(?:arrow-right|badge-check|map-pin)\./;

const client: UserConfig = {
  build: {
    outDir: 'dist/client',
    manifest: true,
    target: 'baseline-widely-available',
    // MapLibre in its one lazy chunk; what a page loads at once has a bar of its own (test/bench/javascript.ts).
    chunkSizeWarningLimit: 1_200,
    rolldownOptions: {
      input: 'src/client/app/entryClient.tsx',
      // One base chunk: the bundler's own split adds 2 kB compressed, also for the small parts that most pages share.
      output: {
        // The first script of every page names some sixty chunks. Short hashes and one name for the shared ones keep it
        // small.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: ({ isDynamicEntry }) => `assets/${isDynamicEntry ? '[name]' : 'part'}-[hash:7].js`,
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'] },
            { name: 'first', test: firstParts, minShareCount: 2 },
            { name: 'page', test: smallParts, minShareCount: 3, maxModuleSize: 4_000 },
          ],
        },
      },
    },
  },
};

/**
 * One file with every dependency in it, and with NODE_ENV fixed: the server draws with React's production build
 * whatever the process's own NODE_ENV says, so what is measured and tested is what runs.
 */
const server: UserConfig = {
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    outDir: 'dist/server',
    target: 'node24',
    ssr: 'src/client/app/entryServer.tsx',
    rolldownOptions: { output: { entryFileNames: 'entryServer.js', codeSplitting: false } },
  },
};

/**
 * In development React and the like are loaded by Node itself. styled-components' CommonJS build has no default export
 * as Node sees it, so Vite takes its module build instead.
 */
const development: UserConfig = {
  ssr: { noExternal: ['styled-components'] },
  // There is no index.html to find the dependencies from; found late, they reload the page.
  optimizeDeps: { entries: ['src/client/app/entryClient.tsx'] },
};

/**
 * Gives each styled component an id from its file, so that class names are the same on the server, which loads every
 * screen, and in the browser, which loads one: counted in order of loading they would differ, and a page would not
 * hydrate as it was drawn.
 */
const styledComponents = { displayName: false, fileName: false, ssr: true, minify: true, pure: true };

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [react()],
  appType: 'custom',
  // The favicon and whatever else is asked for by a fixed name is the brand's.
  publicDir: isSsrBuild === true ? false : 'src/shared/brand/public',
  oxc: { plugins: { styledComponents } },
  ...(command === 'serve' ? development : isSsrBuild === true ? server : client),
}));
