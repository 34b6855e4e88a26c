import { serve } from '#server/main.ts';
import { seed } from './dbSeed.ts';

await serve('dev', { seed });
