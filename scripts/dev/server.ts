import { enableCompiledCode } from '#server/startup/compileCache.ts';
import { say } from '../beforeStart.ts';
import { readServerStart } from './serverStart.ts';

/** The process that scripts/dev.ts starts again when a file of the server changes. */
enableCompiledCode();
const { startedAtMs, ...development } = readServerStart();
const { serve } = await import('#server/serve.ts');
const { seed } = await import('../dbSeed.ts');
await serve('dev', { seed, startedAtMs, development, ...(development.isRestart ? {} : { say }) });
