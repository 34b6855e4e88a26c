import { enableCompiledCode } from '#server/startup/compileCache.ts';
import { beforeStart, say } from './beforeStart.ts';
import { ensureBuilt } from './build.ts';

const startedAtMs = Date.now();
enableCompiledCode();
await beforeStart();
say('Building what changed');
await ensureBuilt();
// Loaded only now, so that a fault in a module shows after what the build says.
const { serve } = await import('#server/serve.ts');
const { startEmbedded } = await import('./embeddedPostgres/start.ts');
const { seed } = await import('./dbSeed.ts');
await serve('web', {
  startDatabase: ({ dataDir }, log) => startEmbedded({ dataDir, log }),
  seed,
  startedAtMs,
  say,
});
