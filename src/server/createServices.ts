import type { RenderMail } from '#shared/mail/mail.ts';
import { type Config, publicConfig } from './config/config.ts';
import { createLoopWatch } from './background/every.ts';
import { createDataKeys } from './security/dataKeys.ts';
import type { Connection } from './db/connect.ts';
import { planHeavyReads } from './startup/openConnections.ts';
import { createReplicaReads } from './db/replicaReads.ts';
import { createAreaPeople } from './features/applications/areaPeople.ts';
import { createWebhookChannel } from './features/outbox/channels/webhook.ts';
import { createChannels, createMailChannels } from './features/outbox/channels/deliveryChannels.ts';
import { createWakeSignal } from './features/outbox/wakeSignal.ts';
import { createDomainChecks } from './features/domains/domainChecks.ts';
import { createInsightReads } from './features/insights/insightReads.ts';
import { createNameLookup, type NameLookup } from './features/domains/nameLookup.ts';
import { createFloodLimits } from './features/leads/intake/floodLimits.ts';
import { createLeadBatches } from './features/leads/intake/leadBatches.ts';
import { createNewLeads } from './features/leads/list/newLeads.ts';
import { storeLeadBatch } from './features/leads/intake/storeLeads.ts';
import { createLeadLimits } from './features/submissions/submissionLimits.ts';
import { createFormStepCounter } from './features/formSteps/formStepCounter.ts';
import { createTokenUses } from './features/submissions/tokenUses.ts';
import { createFormTokens, tokenMinAgeMs } from './features/submissions/formToken.ts';
import { createReplays } from './features/submissions/replays.ts';
import { createMail } from './features/mail/mailer.ts';
import { findUnreachable } from './features/mail/unreachableAddresses.ts';
import { createRecipientLimits } from './features/mail/recipientLimits.ts';
import { loadZipTable } from './features/matching/zipTable.ts';
import { createActiveList } from './features/providers/activeList.ts';
import { listActivePage } from './features/providers/listQueries.ts';
import { createDirectory } from './features/providers/directory.ts';
import { createMapViews } from './features/providers/mapViews.ts';
import { createPageLimits } from './features/providers/listPages.ts';
import { listPart, listSitemapParts, listFirstProviders } from './features/providers/providersQueries.ts';
import { cacheUntilChange } from './cache/caches.ts';
import { createAuditCounts } from './features/audit/auditCounts.ts';
import { createSignInLimits } from './features/auth/signInLimits.ts';
import { createStaffLimits } from './features/auth/staffLimits.ts';
import type { Log } from './log.ts';
import { createDatabaseGate } from './db/withTimeout.ts';
import { withLocalSites } from './tenant/localSites.ts';
import { createTenantDirectory } from './tenant/tenantDirectory.ts';
import type { Services, SubmissionServices } from './services.ts';

/** The services of a process, except the form snapshots, which need the renderer (app.ts adds them). */
export interface BaseServices extends Omit<Services, 'submissions'> {
  submissions: Omit<SubmissionServices, 'formSnapshots'>;
}

interface Options {
  config: Config;
  connection: Connection;
  /** Null: the primary serves every read. */
  replica?: Connection | null;
  log: Log;
  /** Renders with the built client, or with Vite's in development (render/bundle.ts). */
  renderMail: RenderMail;
  /** The database's time (db/databaseClock.ts), unless a test moves it. */
  now?: () => Date;
  /** Aborted when the process must stop: changes then have a shorter deadline. */
  stopping?: AbortSignal;
  /** Tests use their own name server. */
  names?: NameLookup;
  /** Minimum age of a form token; the default is how fast people can be. */
  formMinAgeMs?: number;
  /** Of one session or token. By default the product's limit. */
  staffRequestsPerMinute?: number;
}

/** Connects the services to one database. Starts nothing: the caller runs `tenants.start()`. */
export function createServices({
  config,
  connection,
  replica = null,
  log,
  renderMail,
  now = () => new Date(),
  stopping,
  names = createNameLookup(),
  formMinAgeMs = tokenMinAgeMs,
  staffRequestsPerMinute,
}: Options): BaseServices {
  const { db, sql } = connection;
  const health = stopping === undefined ? connection.health : { ...connection.health, stopping };
  const directory = createTenantDirectory({ sql, db, log, health });
  const tenants = config.production ? directory : withLocalSites(directory, sql);
  const mail = createMail(config, now);
  const dataKeys = createDataKeys({ db, secretKeys: config.secretKeys });
  const recipientLimits = createRecipientLimits({ db, dataKeys, log, perHour: config.leadEmailsPerHour });
  const publicReads = createDatabaseGate({ nowMs: () => performance.now(), health });
  const heavyReads = planHeavyReads(sql.options.max);
  const zipTable = loadZipTable();
  const replicaReads = createReplicaReads({ primary: db, replica, log });
  const insightReads = createInsightReads(replicaReads, heavyReads.insights);
  const places = createDirectory({ sql, db, tenants, zipTable, config, reads: publicReads });
  const formTokens = createFormTokens({ keys: config.secretKeys, now, minAgeMs: formMinAgeMs });
  return {
    ...{ config, db, health, publicReads, log, now, tenants, dataKeys, mail },
    replica: replicaReads,
    zipTable,
    providers: {
      activeList: createActiveList({
        list: async (limit) => (await listActivePage(db, { limit })).rows,
        revision: tenants.revision,
        total: () => tenants.stats().providers,
      }),
      mapViews: createMapViews({ sql, reads: publicReads, tenants }),
      pageLimits: createPageLimits(),
      firstProviders: cacheUntilChange({
        load: async () => {
          const { mainOrigin } = publicConfig(config);
          const states = await places.listStates();
          return listFirstProviders(db, { mainOrigin, states, radiusMiles: config.matchRadiusMiles });
        },
        revision: tenants.revision,
        servesStale: true,
      }),
      directory: places,
      sitemapParts: cacheUntilChange({
        load: () => listSitemapParts(db),
        revision: tenants.revision,
        servesStale: true,
      }),
      listSitemapPart: (part) => publicReads.ask(() => listPart(db, part)),
      domainChecks: createDomainChecks({ config, names, formTokens }),
    },
    limits: {
      leads: createLeadLimits({ db, windows: config.rateLimitLeads, secretKeys: config.secretKeys, log }),
      floods: createFloodLimits({
        ...{ db, log, now, secretKeys: config.secretKeys },
        isOn: config.rateLimitLeads.length > 0,
      }),
      signIns: createSignInLimits({ db, secretKeys: config.secretKeys, log }),
      staff: createStaffLimits(staffRequestsPerMinute),
      recipients: recipientLimits,
      insightReads,
      exports: heavyReads.exports,
    },
    submissions: {
      leadBatches: createLeadBatches((newLeads) => storeLeadBatch({ db, dataKeys, now }, newLeads)),
      replays: createReplays({ db, now }),
      formTokens,
      tokenUses: createTokenUses({ formTokens, db, log, secretKeys: config.secretKeys }),
      formSteps: createFormStepCounter({ db, now }),
    },
    newLeads: createNewLeads({ config, db, health, log, now }),
    areaPeople: createAreaPeople({ db, zipTable, now, insightReads, log }),
    auditCounts: createAuditCounts({ db, now }),
    wakeSignal: createWakeSignal(),
    loops: createLoopWatch(),
    channels: createChannels(config, {
      mail: createMailChannels({
        config,
        db,
        dataKeys,
        mailer: mail.mailer,
        renderMail,
        limits: recipientLimits,
        findUnreachable: (address) => findUnreachable({ db, dataKeys }, address),
      }),
      webhook: createWebhookChannel({ config, db, dataKeys }),
    }),
  };
}
