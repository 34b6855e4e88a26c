import type { Services } from './services.ts';
import type { Site } from './tenant/site.ts';

/** What a request shows to prove who sent it. Nobody has looked at it yet: features/auth/findActor.ts does when a procedure asks. */
export interface Credentials {
  /** Value of the session cookie. */
  session: string | null;
  /** Value of the device cookie, unverified: features/auth/signInDevices.ts reads it at a sign-in. */
  device: string | null;
  /** Of `Authorization: Bearer …`. */
  bearer: string | null;
  /** Whether a page of the same origin sent it, and as JSON: what a cookie may change things by. */
  isOwnPage: boolean;
  /** Whether it came by https, as far as proxies are believed: decides the cookie's name. */
  isSecure: boolean;
  /** Whether a page asks by itself, not at somebody's bidding: it keeps no session open. */
  isBackground: boolean;
}

/** What a call knows of who makes it, read once at the edge. No Koa in it: tests and server rendering make their own. */
export interface Caller {
  credentials: Credentials;
  site: Site;
  /** Normalized by security/clientAddress.ts: from the socket, or from X-Forwarded-For behind the configured number of proxies. */
  ip: string;
  userAgent: string | null;
  /** Page the form stood on, without its query string. */
  pageUrl: string | null;
  referrerHost: string | null;
  /** The Origin and Sec-Fetch-Site headers as sent: whether another site's page made the browser send it. */
  origin: string | null;
  fetchSite: string | null;
  /** Sec-GPC: 1 */
  globalPrivacyControl: boolean;
  idempotencyKey: string | null;
  transport: 'trpc' | 'rest' | 'form' | 'internal';
  requestId: string;
  /** Milliseconds that finding the site took: part of a query's deadline. */
  waitedMs: number;
  /** Headers a procedure wants on its answer (rate limits, replays); each transport copies them. */
  responseHeaders: Map<string, string>;
  /** `Set-Cookie` values of its answer. */
  responseCookies: string[];
}

export interface InnerContext {
  services: Services;
  caller: Caller;
}
