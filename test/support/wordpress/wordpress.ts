import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { freePort } from '../serverProcess.ts';
import { startServers } from './servers.ts';
import { makeSite } from './site.ts';

const php = join(import.meta.dirname, 'php');

/**
 * What a test may change; `acf` lies over what the field answers by itself, `meta` is stored unchecked, as an import
 * would.
 */
interface ProviderChange {
  title?: string;
  meta?: Record<string, string | number | boolean>;
  acf?: Record<string, unknown>;
}

/** A real WordPress on loopback, in a zone that isn't UTC, with the post type `provider` and no post of it. */
export interface WordPress extends AsyncDisposable {
  /** Without a slash at the end. */
  url: string;
  type: string;
  user: string;
  appPassword: string;
  /**
   * Runs PHP inside the site, `input` as `$input`; returns what it printed, throws what it wrote to standard error when
   * it fails.
   */
  run: (code: string, input?: unknown) => Promise<string>;
  /**
   * Adds published providers; returns their ids, ascending from 1001. Each was modified a minute after the one before,
   * the first at 2026-01-01T00:01:00Z. Every third features an image of the media library; every fifth has no more than
   * a ZIP and an e-mail address.
   */
  seed: (count: number) => Promise<number[]>;
  /** Changes a provider and publishes it, modified now (whole seconds). */
  setProvider: (id: number, change: ProviderChange) => Promise<void>;
  draft: (id: number) => Promise<void>;
  trash: (id: number) => Promise<void>;
}

/**
 * Brings one up in a temporary folder. Its servers end and the folder goes when it is disposed of, or when this process
 * ends.
 */
export async function startWordPress(): Promise<WordPress> {
  const folder = await makeSite();
  const site = join(folder, 'site');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const servers = await startServers(folder, port);
  try {
    const appPassword = await runPhp(site, ['install.php', url]);
    return { url, type: 'provider', user: 'sync', appPassword, ...staffActions(site), ...servers };
  } catch (error) {
    await servers[Symbol.asyncDispose]();
    throw error;
  }
}

function staffActions(site: string): Pick<WordPress, 'run' | 'seed' | 'setProvider' | 'draft' | 'trash'> {
  const run = (code: string, input?: unknown): Promise<string> => runPhp(site, ['run.php', code], input);
  const change = async (input: object): Promise<void> =>
    void (await run(`require '${join(php, 'change.php')}';`, input));
  return {
    run,
    seed: async (count) =>
      z.array(z.int()).parse(JSON.parse(await run(`require '${join(php, 'seed.php')}';`, count))),
    setProvider: (id, fields) => change({ ...fields, id, status: 'publish' }),
    draft: (id) => change({ id, status: 'draft' }),
    trash: (id) => change({ id, status: 'trash' }),
  };
}

/** Runs one of our scripts with the site as its working folder, `input` as JSON on its standard input. */
async function runPhp(
  site: string,
  [script = '', ...args]: readonly string[],
  input: unknown = null,
): Promise<string> {
  const options = ['-d', 'display_errors=stderr', '-d', 'log_errors=0'];
  const running = promisify(execFile)('php', [...options, join(php, script), ...args], { cwd: site });
  running.child.stdin?.end(JSON.stringify(input));
  return (await running).stdout;
}
