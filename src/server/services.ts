import type { ProviderListing } from '#shared/providers/providerList.ts';
import type { Caller } from './caller.ts';
import type { Config } from './config/config.ts';
import type { LoopWatch } from './background/every.ts';
import type { DataKeys } from './security/dataKeys.ts';
import type { Database } from './db/connect.ts';
import type { DatabaseHealth } from './db/poolWatchdog.ts';
import type { ReplicaReads } from './db/replicaReads.ts';
import type { AreaPeople } from './features/applications/areaPeople.ts';
import type { Channels } from './features/outbox/types.ts';
import type { WakeSignal } from './features/outbox/wakeSignal.ts';
import type { DomainChecks } from './features/domains/domainChecks.ts';
import type { InsightReads } from './features/insights/insightReads.ts';
import type { FormSnapshots } from './features/consent/formSnapshots.ts';
import type { FloodLimits } from './features/leads/intake/floodLimits.ts';
import type { LeadBatches } from './features/leads/intake/leadBatches.ts';
import type { NewLeads } from './features/leads/list/newLeads.ts';
import type { LeadLimits } from './features/submissions/submissionLimits.ts';
import type { Replays } from './features/submissions/replays.ts';
import type { FormStepCounter } from './features/formSteps/formStepCounter.ts';
import type { FormTokens } from './features/submissions/formToken.ts';
import type { TokenUses } from './features/submissions/tokenUses.ts';
import type { Mail } from './features/mail/mailer.ts';
import type { RecipientLimits } from './features/mail/recipientLimits.ts';
import type { ZipTable } from './features/matching/zipTable.ts';
import type { ActiveList } from './features/providers/activeList.ts';
import type { AuditCounts } from './features/audit/auditCounts.ts';
import type { SignInLimits } from './features/auth/signInLimits.ts';
import type { StaffLimits } from './features/auth/staffLimits.ts';
import type { MapViews } from './features/providers/mapViews.ts';
import type { PageLimits } from './features/providers/listPages.ts';
import type { Directory } from './features/providers/directory.ts';
import type { CachedUntilChange } from './cache/caches.ts';
import type { Log } from './log.ts';
import type { DatabaseGate } from './db/withTimeout.ts';
import type { TenantDirectory } from './tenant/site.ts';

/** Lists of providers for the public, kept in memory. */
interface ProviderServices {
  activeList: ActiveList;
  mapViews: MapViews;
  /** Public pages of providers by network. */
  pageLimits: PageLimits;
  /** The first providers by name, for the map's page. */
  firstProviders: CachedUntilChange<ProviderListing>;
  directory: Directory;
  /** Of active providers whose microsite is on the main site. */
  sitemapParts: CachedUntilChange<number[]>;
  listSitemapPart: (part: number) => Promise<number[]>;
  domainChecks: DomainChecks;
}

/** How much of something may happen. */
interface LimitServices {
  leads: LeadLimits;
  floods: FloodLimits;
  signIns: SignInLimits;
  staff: StaffLimits;
  /** Of emails to leads and applicants. */
  recipients: RecipientLimits;
  insightReads: InsightReads;
  /** Exports at the same time in this process. */
  exports: number;
}

/** What the intake of leads and applications needs. */
export interface SubmissionServices {
  leadBatches: LeadBatches;
  /** Replays of leads and applications. */
  replays: Replays;
  formTokens: FormTokens;
  tokenUses: TokenUses;
  formSteps: FormStepCounter;
  formSnapshots: FormSnapshots;
}

/** What lives as long as the process. Built by createServices.ts, passed as an argument, never imported. */
export interface Services {
  config: Config;
  db: Database;
  health: DatabaseHealth;
  /** For reads that may be some seconds old. */
  replica: ReplicaReads;
  /** Database for public reads: a result, or SERVICE_UNAVAILABLE within two seconds. */
  publicReads: DatabaseGate;
  log: Log;
  zipTable: ZipTable;
  tenants: TenantDirectory;
  dataKeys: DataKeys;
  providers: ProviderServices;
  limits: LimitServices;
  submissions: SubmissionServices;
  /** Streams to open dashboards. */
  newLeads: NewLeads;
  areaPeople: AreaPeople;
  auditCounts: AuditCounts;
  mail: Mail;
  wakeSignal: WakeSignal;
  /** The background work of this process. */
  loops: LoopWatch;
  channels: Channels;
  /** Injected so that tests can move time. */
  now: () => Date;
}

/** What a procedure gets. */
export interface InnerContext {
  services: Services;
  caller: Caller;
}
