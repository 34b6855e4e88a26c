import { keepCompiled } from '#server/keepCompiled.ts';
import { beforeStart, say } from './beforeStart.ts';

keepCompiled();
await beforeStart();
const { serve } = await import('#server/serve.ts');
const { startOwnDatabase } = await import('./embeddedPostgres/ownDatabase.ts');
const { seed } = await import('./dbSeed.ts');

await serve('dev', { startDatabase: startOwnDatabase, seed, say });
