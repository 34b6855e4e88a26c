import type { ProviderListing } from '#shared/providerListing.ts';
import type { Config } from '../config.ts';
import type { DataKeys } from '../dataKeys.ts';
import type { Database } from '../db/connect.ts';
import type { DatabaseHealth } from '../db/databaseHealth.ts';
import type { Channels } from '../features/deliveries/channel.ts';
import type { DomainChecks } from '../features/domains/domainChecks.ts';
import type { InsightReads } from '../features/insights/insightReads.ts';
import type { FormSnapshots } from '../features/leads/formSnapshots.ts';
import type { LeadLimits } from '../features/leads/leadLimits.ts';
import type { Replays } from '../features/leads/replays.ts';
import type { RenderTokens } from '../features/leads/renderToken.ts';
import type { Mail } from '../features/mail/mailer.ts';
import type { ZipTable } from '../features/matching/zipTable.ts';
import type { ActiveList } from '../features/providers/activeList.ts';
import type { SignInLimits } from '../features/staff/signInLimits.ts';
import type { Held } from '../features/providers/heldUntilChange.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { DatabaseGate } from '../tenant/databaseGate.ts';
import type { Site, TenantDirectory } from '../tenant/site.ts';

/** What lives as long as the process; made in main.ts (and by tests), handed down, never imported. */
export interface Services {
  config: Config;
  db: Database;
  health: DatabaseHealth;
  /** For what the public reads from the database: an answer, or SERVICE_UNAVAILABLE within two seconds. */
  reads: DatabaseGate;
  log: Log;
  zipTable: ZipTable;
  tenants: TenantDirectory;
  activeList: ActiveList;
  /** The first clinics by name, for the map's page. */
  firstListing: Held<ProviderListing>;
  /** Ids of active clinics whose page is on the main site. */
  clinicsWithoutDomain: Held<number[]>;
  leadLimits: LeadLimits;
  /** Of leads and applications. */
  replays: Replays;
  signInLimits: SignInLimits;
  renderTokens: RenderTokens;
  dataKeys: DataKeys;
  domainChecks: DomainChecks;
  insightReads: InsightReads;
  mail: Mail;
  jobs: Jobs;
  channels: Channels;
  formSnapshots: FormSnapshots;
  /** Injected so that tests can move time. */
  now: () => Date;
}

/** What a request shows to prove who sent it. Nobody has looked at it yet: features/staff/findActor.ts does when a procedure asks. */
export interface Credentials {
  /** Value of the session cookie. */
  session: string | null;
  /** Value of the device cookie, unverified: features/staff/signInDevices.ts reads it at a sign-in. */
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
  /** From the socket, or from X-Forwarded-For behind the configured number of proxies. */
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
