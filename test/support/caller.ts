import type { Caller } from '#server/caller.ts';

/** A script on the main site as a caller, with its own response headers. */
export function testCaller(overrides: Partial<Caller> = {}): Caller {
  return {
    site: { kind: 'main', host: 'localhost', tenant: null },
    credentials: {
      session: null,
      device: null,
      step: null,
      bearer: null,
      isOwnPage: false,
      isSecure: false,
      isBackground: false,
      account: null,
    },
    ip: '203.0.113.10',
    userAgent: 'Test/1.0',
    pageUrl: 'http://localhost/',
    referrerHost: 'localhost',
    origin: null,
    fetchSite: null,
    globalPrivacyControl: false,
    idempotencyKey: null,
    transport: 'rest',
    requestId: 'test-request',
    waitedMs: 0,
    responseHeaders: new Map(),
    responseCookies: [],
    ...overrides,
  };
}
