import { ensureBuilt } from './build.ts';

const startedAtMs = Date.now();
await ensureBuilt();
// Loaded only now, so that a fault in a module shows after what the build says.
const { serve } = await import('#server/main.ts');
const { seed } = await import('./dbSeed.ts');
await serve('web', { seed, startedAtMs });
