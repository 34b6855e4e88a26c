import type { Site } from './tenant/site.ts';

/** The request's unverified credentials: features/auth/authorize.ts verifies them when a procedure needs the actor. */
export interface Credentials {
  session: string | null;
  /** Value of the device cookie, not verified: features/auth/signInDevices.ts reads it during a sign-in. */
  device: string | null;
  /** Value of the cookie of a sign-in that still needs a step, not verified (features/auth/totpSteps.ts). */
  step: string | null;
  /** Token of `Authorization: Bearer …`. */
  bearer: string | null;
  /** Whether a page of this origin sent it as JSON, even without a body: only then may a cookie authorize a change. */
  isOwnPage: boolean;
  /** Whether it came by HTTPS, according to trusted proxies; decides the cookie's name. */
  isSecure: boolean;
  /** Whether a page sent it on its own, not because of a user's action: it doesn't extend the session. */
  isBackground: boolean;
  /** The account that the page shows (`accountKey`); null: it doesn't say. */
  account: string | null;
}

/** Who makes a call, read once per request. Contains nothing of Koa: tests and server rendering build their own. */
export interface Caller {
  credentials: Credentials;
  site: Site;
  /** The normalized address: from the socket, or from X-Forwarded-For behind the configured number of proxies. */
  ip: string;
  userAgent: string | null;
  /** URL of the form's page, without its query string. */
  pageUrl: string | null;
  referrerHost: string | null;
  /** The Origin and Sec-Fetch-Site headers as sent: they show whether another site's page caused the request. */
  origin: string | null;
  fetchSite: string | null;
  globalPrivacyControl: boolean;
  idempotencyKey: string | null;
  transport: 'trpc' | 'rest' | 'form' | 'internal';
  requestId: string;
  /** Milliseconds spent on finding the site; counts toward a query's deadline. */
  waitedMs: number;
  /** Headers that a procedure adds to its response (rate limits, replays); each transport copies them. */
  responseHeaders: Map<string, string>;
  responseCookies: string[];
}
