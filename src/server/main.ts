import { enableCompiledCode } from './startup/compileCache.ts';

enableCompiledCode();
const { serve } = await import('./serve.ts');

const [mode = 'web'] = process.argv.slice(2);
if (mode !== 'web' && mode !== 'worker') {
  process.stderr.write(`Unknown mode "${mode}": say web or worker.\n`);
  process.exit(1);
}
await serve(mode);
