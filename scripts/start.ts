import { ensureBuilt } from './build.ts';

const startedAtMs = Date.now();
await ensureBuilt();
const { serve } = await import('#server/main.ts');
const { seed } = await import('./dbSeed.ts');
await serve('web', { seed, startedAtMs });
