import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * `npm test`: a current production build, which the tests of pages and journeys need, then Vitest with the arguments
 * passed through. `--fast` runs the tests that need no browser and no other process, `--peers` those with servers of
 * other products.
 */
async function main(): Promise<void> {
  const { ensureBuilt } = await import('./build.ts');
  await ensureBuilt();
  const vitest = fileURLToPath(new URL('./vitest.mjs', import.meta.resolve('vitest/package.json')));
  const given = process.argv.slice(2);
  const args = given.filter((arg) => arg !== '--fast' && arg !== '--peers');
  if (given.includes('--fast')) args.push(...(await import('./fastTests.ts')).fastTests());
  if (given.includes('--peers')) args.push('--config', 'vitest.peers.config.ts');
  const child = spawn(process.execPath, [vitest, 'run', ...args], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches Vitest by itself; waiting for it lets the database be cleaned up, as an interrupt does
  // and SIGTERM doesn't.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGINT'));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

await main();
