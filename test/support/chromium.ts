import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function given(): string | null {
  const path = process.env['CHROMIUM_PATH'];
  if (path === undefined || path === '') return null;
  if (!existsSync(path)) throw new Error(`CHROMIUM_PATH names ${path}, which does not exist.`);
  return path;
}

function onPath(wanted: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/bin', '/usr/local/bin');
  const files = folders.flatMap((folder) => wanted.map((name) => join(folder, name)));
  return files.find((file) => existsSync(file)) ?? null;
}

function installed(): string | null {
  const own = chromium.executablePath();
  const found = given() ?? (existsSync(own) ? own : onPath(names));
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return found ?? (existsSync(mac) ? mac : null);
}

function tryRun(command: string, args: string[]): boolean {
  process.stdout.write(`No Chromium found; trying: ${command} ${args.join(' ')}\n`);
  return spawnSync(command, args, { stdio: 'inherit', timeout: 10 * 60_000 }).status === 0;
}

/**
 * A full Chromium: CHROMIUM_PATH, Playwright's own, or the system's. Installs one if there is none (Playwright's
 * download, then apt as root). Throws with instructions if nothing works.
 */
export function findChromium(): string {
  const found = installed();
  if (found !== null) return found;
  const playwrightCli = join(
    dirname(createRequire(import.meta.url).resolve('playwright/package.json')),
    'cli.js',
  );
  if (tryRun(process.execPath, [playwrightCli, 'install', 'chromium'])) {
    const downloaded = installed();
    if (downloaded !== null) return downloaded;
  }
  if (
    process.getuid?.() === 0 &&
    tryRun('apt-get', ['update', '-qq']) &&
    tryRun('apt-get', ['install', '-y', '-qq', 'chromium'])
  ) {
    const system = installed();
    if (system !== null) return system;
  }
  throw new Error(
    'The browser tests need Chromium or Chrome. Install one (Debian: apt-get install chromium; or npx playwright install chromium) or set CHROMIUM_PATH.',
  );
}

/**
 * The browser of the tests: Chromium's headless shell if the system has it, because it renders a page in half the time,
 * otherwise `findChromium`.
 */
export function findTestBrowser(): string {
  return given() ?? onPath(['chromium-headless-shell', 'chrome-headless-shell']) ?? findChromium();
}

/** Flags for tests and screenshots: no background traffic, no sandbox as root, WebGL in software. */
export const chromiumArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--enable-unsafe-swiftshader',
  // The hosts of test providers end in .example, which no name server resolves.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
];
