import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright';
import { chromiumArgs, findTestBrowser } from './chromium.ts';
import { followRequests } from './settle.ts';
import { slowness } from './slowness.ts';
import { patienceMs } from './waitFor.ts';
import { waitForHydration } from './waitForHydration.ts';

/** What a page is opened with. Pages that differ in it are not exchanged. */
export interface PageOptions extends BrowserContextOptions {
  /** Global Privacy Control as Chromium's extensions show it to pages. */
  optOutByScript?: boolean;
}

/** A page in a browser profile of its own. */
export interface PooledPage {
  page: Page;
  context: BrowserContext;
  settle: (page: Page) => Promise<void>;
  /** False once a test may have changed what a pool can't undo. */
  isReusable: boolean;
}

/**
 * A test's page lives for seconds: the optimizing compiler would take more time than it saves. What is compiled stays
 * for the next test.
 */
const codeFlags = '--js-flags=--no-turbofan --no-flush-bytecode';

/** Pages kept between tests. Each is a process with the memory of a site. */
const waitingMax = 4;

let browser: Promise<Browser> | null = null;
/** Pages between two tests, the oldest first. */
let waiting: { key: string; pooled: PooledPage }[] = [];

/** One browser for each test worker, closed with it. A crash fails only the tests that use it. */
function sharedBrowser(): Promise<Browser> {
  browser ??= chromium
    .launch({ executablePath: findTestBrowser(), args: [...chromiumArgs, codeFlags] })
    .then((launched) =>
      launched.on('disconnected', () => {
        browser = null;
        waiting = [];
      }),
    );
  return browser;
}

/** Runs in a page. Short timers stay: they are what it does, not what a person has time for. */
function slowClocks(factor: number): void {
  const setTimer = window.setTimeout.bind(window);
  const longMs = 1_000;
  const slowed = (work: TimerHandler, ms = 0, ...args: unknown[]): number =>
    setTimer(work, ms >= longMs ? ms * factor : ms, ...args);
  Object.defineProperty(window, 'setTimeout', { value: slowed, configurable: true, writable: true });
}

async function openPage({ optOutByScript = false, ...options }: PageOptions): Promise<PooledPage> {
  const context = await (await sharedBrowser()).newContext(options);
  context.setDefaultTimeout(patienceMs);
  if (optOutByScript)
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
    );
  // A page's own clocks run as much slower as the machine: a toast stays as long as a test needs to reach it.
  if (slowness > 1) await context.addInitScript(slowClocks, slowness);
  if (options.javaScriptEnabled !== false) context.on('page', waitForHydration);
  const settle = followRequests(context);
  const pooled = { page: await context.newPage(), context, settle, isReusable: true };
  noticeChanges(pooled);
  return pooled;
}

/** What a test does to a page that stays with it. */
const lasting = [
  'clock',
  'on',
  'once',
  'addInitScript',
  'exposeFunction',
  'emulateMedia',
  'setExtraHTTPHeaders',
] as const;

/** Closes the page after a test that did one of these, instead of keeping it. */
function noticeChanges(pooled: PooledPage): void {
  const { page } = pooled;
  for (const name of lasting) {
    const original: unknown = Reflect.get(page, name);
    Object.defineProperty(page, name, {
      get: () => {
        pooled.isReusable = false;
        return original;
      },
    });
  }
}

/**
 * A page without anything of an earlier test. It may be one that another test has returned: its process has compiled
 * the site's code and keeps its files, so a visit takes a third less than in a new profile.
 */
export async function borrowPage(options: PageOptions): Promise<PooledPage> {
  const key = JSON.stringify(options);
  const index = waiting.findIndex((candidate) => candidate.key === key);
  const [found] = index === -1 ? [] : waiting.splice(index, 1);
  return found?.pooled ?? openPage(options);
}

/** Clears the page for another test with these options, or closes it. */
export async function returnPage(options: PageOptions, pooled: PooledPage): Promise<void> {
  if (!pooled.isReusable || !(await clear(pooled, options))) return pooled.context.close();
  waiting.push({ key: JSON.stringify(options), pooled });
  if (waiting.length > waitingMax) await waiting.shift()?.pooled.context.close();
}

/** Leaves the page on a text of the site, so that its process stays. False if the site no longer answers. */
async function clear(
  { page, context }: PooledPage,
  { baseURL = '', viewport }: PageOptions,
): Promise<boolean> {
  if (page.isClosed() || context.pages().length !== 1 || new URL(page.url()).origin !== baseURL) return false;
  try {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(`${baseURL}/robots.txt`, { waitUntil: 'commit' });
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.mouse.move(-1, -1);
    if (viewport) await page.setViewportSize(viewport);
    await context.clearCookies();
    return true;
  } catch {
    return false;
  }
}
