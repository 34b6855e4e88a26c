import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { expect } from 'vitest';
import { violationsOn } from './accessibility.ts';
import { chromiumArgs, findTestBrowser } from './chromium.ts';
import { followRequests } from './settle.ts';
import { slowness } from './slowness.ts';
import { testApp, type TestApp, type TestAppOptions } from './testApp.ts';
import { patienceMs } from './waitFor.ts';
import { waitForHydration } from './waitForHydration.ts';

/** Chromium's own messages about a map without a graphics card. */
const readsBack = /^\[\.WebGL-\w+\]GL Driver Message .*GPU stall due to ReadPixels/;

/** A test's page lives for seconds: the optimizing compiler would take more time than it saves. */
const unoptimized = '--js-flags=--no-turbofan';

let browser: Promise<Browser> | null = null;

/** One browser for each test worker, closed with it. A crash fails only the tests that use it. */
function sharedBrowser(): Promise<Browser> {
  browser ??= chromium
    .launch({ executablePath: findTestBrowser(), args: [...chromiumArgs, unoptimized] })
    .then((launched) => launched.on('disconnected', () => (browser = null)));
  return browser;
}

/** Timeout of a page on a machine that is busy with other tests. */
export const patience = { timeout: patienceMs };

/** The application for a browser. It accepts forms that are submitted faster than by people. */
export function browserApp(options: TestAppOptions = {}): Promise<TestApp> {
  return testApp({ formMinAgeMs: 100, ...options });
}

/** Runs in a page. Short timers stay: they are what it does, not what a person has time for. */
function slowClocks(factor: number): void {
  const setTimer = window.setTimeout.bind(window);
  const longMs = 1_000;
  const slowed = (work: TimerHandler, ms = 0, ...args: unknown[]): number =>
    setTimer(work, ms >= longMs ? ms * factor : ms, ...args);
  Object.defineProperty(window, 'setTimeout', { value: slowed, configurable: true, writable: true });
}

export interface VisitOptions {
  /**
   * The host to open: a provider's domain, by default the main site's. `*.localhost` names resolve by themselves; other
   * names are mapped.
   */
  host?: string;
  javaScript?: boolean;
  width?: number;
  reducedMotion?: boolean;
  /** A touch device. */
  touch?: boolean;
  /** Console messages that the test causes on purpose, e.g. the browser's message about a 422. */
  expectedConsole?: RegExp;
  /** Other hosts that pages may request. The test answers for them (page.route). */
  expectedHosts?: readonly string[];
  /** Global Privacy Control: `header` as some browsers send it, `script` as Chromium's extensions show it to pages. */
  optOut?: 'header' | 'script';
}

export interface Visit extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  origin: string;
  /** Resolves once a page, by default this visit's, has no request in progress and nothing left to do. */
  settled: (page?: Page) => Promise<void>;
  /** Checks the current page with axe: WCAG 2.2 A and AA, and best practices. */
  expectAccessible: () => Promise<void>;
}

/**
 * A new browser profile on the app. When it is disposed, the test fails if a page logged an error or warning (a
 * hydration mismatch, a CSP violation), threw, or sent a request to another host.
 */
export async function visit(
  app: Pick<TestApp, 'port'>,
  {
    host = 'localhost',
    javaScript = true,
    width = 1280,
    reducedMotion = true,
    touch = false,
    expectedConsole,
    expectedHosts = [],
    optOut,
  }: VisitOptions = {},
): Promise<Visit> {
  const origin = `http://${host}:${app.port}`;
  const context = await (
    await sharedBrowser()
  ).newContext({
    javaScriptEnabled: javaScript,
    viewport: { width, height: width < 600 ? 740 : 900 },
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    hasTouch: touch,
    isMobile: touch,
    baseURL: origin,
    locale: 'en-US',
    ...(optOut === 'header' ? { extraHTTPHeaders: { 'Sec-GPC': '1' } } : {}),
  });
  context.setDefaultTimeout(patienceMs);
  if (optOut === 'script')
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
    );
  // A page's own clocks run as much slower as the machine: a toast stays as long as a test needs to reach it.
  if (slowness > 1) await context.addInitScript(slowClocks, slowness);
  const faults: string[] = [];
  context.on('page', (opened) => {
    if (javaScript) waitForHydration(opened);
    opened.on('console', (message) => {
      const isMismatch = message.text().startsWith('A part of the page was replaced');
      if (!isMismatch && !['error', 'warning'].includes(message.type())) return;
      if (expectedConsole?.test(message.text()) !== true && !readsBack.test(message.text()))
        faults.push(`console on ${opened.url()}: ${message.text()}`);
    });
    opened.on('pageerror', (error) => faults.push(`thrown on ${opened.url()}: ${error.message}`));
  });
  const settle = followRequests(context);
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (
      url.protocol.startsWith('http') &&
      url.host !== new URL(origin).host &&
      !expectedHosts.includes(url.host)
    )
      faults.push(`foreign request on ${page.url()}: ${url.host}`);
  });
  const page = await context.newPage();
  return {
    page,
    context,
    origin,
    settled: (settling = page) => settle(settling),
    expectAccessible: async () => {
      expect(await violationsOn(page)).toEqual([]);
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}
