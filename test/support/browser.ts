import type { BrowserContext, ConsoleMessage, Page, Request, WebError } from 'playwright';
import { expect } from 'vitest';
import { violationsOn } from './accessibility.ts';
import { borrowPage, type PageOptions, returnPage } from './pagePool.ts';
import { testApp, type TestApp, type TestAppOptions } from './testApp.ts';
import { patienceMs } from './waitFor.ts';

/** Chromium's own messages about a map without a graphics card. */
const readsBack = /^\[\.WebGL-\w+\]GL Driver Message .*GPU stall due to ReadPixels/;

/** Timeout of a page on a machine that is busy with other tests. */
export const patience = { timeout: patienceMs };

/** The application for a browser. It accepts forms that are submitted faster than by people. */
export function browserApp(options: TestAppOptions = {}): Promise<TestApp> {
  return testApp({ formMinAgeMs: 100, ...options });
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
  /** A cookie of the host, `name=value`. */
  cookie?: string;
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
    cookie,
  }: VisitOptions = {},
): Promise<Visit> {
  const origin = `http://${host}:${app.port}`;
  const options: PageOptions = {
    javaScriptEnabled: javaScript,
    viewport: { width, height: width < 600 ? 740 : 900 },
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    hasTouch: touch,
    isMobile: touch,
    baseURL: origin,
    locale: 'en-US',
    ...(optOut === 'header' ? { extraHTTPHeaders: { 'Sec-GPC': '1' } } : {}),
    optOutByScript: optOut === 'script',
  };
  const pooled = await borrowPage(options);
  const { page, context } = pooled;
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: origin }]);
  }
  const faults: string[] = [];
  const onConsole = (message: ConsoleMessage): void => {
    const text = message.text();
    const isMismatch = text.startsWith('A part of the page was replaced');
    if (!isMismatch && !['error', 'warning'].includes(message.type())) return;
    if (expectedConsole?.test(text) !== true && !readsBack.test(text))
      faults.push(`console on ${message.page()?.url()}: ${text}`);
  };
  const onError = (thrown: WebError): void => {
    const error = thrown.error();
    faults.push(
      `thrown on ${thrown.page()?.url()}: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
  const onRequest = (request: Request): void => {
    const { protocol, host: requested } = new URL(request.url());
    if (
      protocol.startsWith('http') &&
      requested !== new URL(origin).host &&
      !expectedHosts.includes(requested)
    ) {
      faults.push(`foreign request on ${page.url()}: ${requested}`);
    }
  };
  context.on('console', onConsole).on('weberror', onError).on('request', onRequest);
  return {
    page,
    get context() {
      pooled.isReusable = false;
      return context;
    },
    origin,
    settled: (settling = page) => pooled.settle(settling),
    expectAccessible: async () => {
      expect(await violationsOn(page)).toEqual([]);
    },
    async [Symbol.asyncDispose]() {
      // What the page has logged arrives before its answer.
      if (!page.isClosed()) await page.evaluate(() => undefined).catch(() => undefined);
      context.off('console', onConsole).off('weberror', onError).off('request', onRequest);
      await returnPage(options, pooled);
      expect(faults).toEqual([]);
    },
  };
}
