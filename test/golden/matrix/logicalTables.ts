/**
 * What the record reads, under logical names: the one place that knows the tables and columns of today. A redesign of
 * the database edits these queries and nothing else of the matrix.
 *
 * Each query returns `row`, which identifies and names rows, and the fields that are recorded. A text `kind:id`
 * refers to a row and is recorded as `kind-1`, `kind-2` in the order in which the rows were created. Of a text `hash:…`
 * the record keeps only that it changed. Parameter $1 is the application's time.
 */
export interface LogicalTable {
  name: string;
  query: string;
}

/** Whether a time that something waits for has come. */
const getDue = (column: string): string =>
  `case when ${column} is null then null when ${column} <= $1::timestamptz then 'now' else 'later' end`;
const getProvider = (column: string): string => `'provider:' || ${column}`;
const getLead = (column: string): string => `'lead:' || ${column}`;

export const logicalTables: readonly LogicalTable[] = [
  {
    name: 'providers',
    query: `
      select ${getProvider('id')} as row, wordpress_id::int as "wordpressId", name, practice_name as "practiceName", email, zip_code as zip,
        status = 't' as active, domain, paused, match_radius_miles as "matchRadiusMiles", theme_hue as "themeHue",
        mpxapi is not null as "hasApiKey", location_source as "placedBy", round(latitude, 3)::text as latitude
      from providers order by id`,
  },
  {
    name: 'leads',
    query: `
      select ${getLead('id')} as row, ${getProvider('provider_id')} as provider, ${getProvider('site_provider_id')} as tenant,
        first_name as "firstName", last_name as "lastName", email, phone, zip_code as zip, match_method as "matchMethod",
        match_reason as "matchReason", round(match_distance_miles::numeric, 1)::text as "matchDistanceMiles",
        ${getLead('duplicate_of')} as "repeatOf", quarantine_reason as "quarantineReason", quarantined_at is not null as quarantined,
        crm_sync_status as "crmSyncStatus", outcome as "latestOutcome", delivery_failed as "deliveryFailed",
        deleted_at is not null as deleted, erased_at is not null as erased, acceptance_ip is not null as "hasAddress"
      from leads order by id`,
  },
  {
    name: 'attributions',
    query: `
      select 'attribution:' || lead_id || touch as row, ${getLead('lead_id')} as lead, touch, gclid is not null as "hasClickId"
      from lead_attribution order by lead_id, touch`,
  },
  {
    name: 'consentRecords',
    query: `
      select 'consent:' || c.id as row, ${getLead('lead_id')} as lead, form_key as form, email <> '' as "hasContact",
        e.record_id is not null as erased
      from consent_records c left join consent_erasures e on e.record_id = c.id order by c.id`,
  },
  {
    name: 'submissions',
    query: `
      select 'submission:' || key as row, coalesce(${getLead('lead_id')}, 'none') as lead, status
      from idempotency_keys order by lead_id nulls last, body::text, key`,
  },
  {
    name: 'deliveries',
    query: `
      select 'delivery:' || id as row, ${getLead('lead_id')} as lead, channel, template,
        ${getProvider('provider_id')} as provider, state, ${getDue('case when leased_until = next_attempt_at then created_at else next_attempt_at end')} as due, attempts,
        attempts - attempts_before_round as "attemptsOfRound", leased_until is not null as leased, reason, requested_by as "requestedBy",
        ${getLead('corrects_lead_id')} as "correctsLead", remote_id is not null as "hasRemoteId", finished_at is not null as finished
      from deliveries where channel <> 'webhook' order by created_at, lead_id, channel, template, provider_id, id`,
  },
  {
    name: 'deliveryAttempts',
    query: `
      select 'attempt:' || t.id as row, ${getLead('t.lead_id')} as lead, 'delivery:' || delivery_id as delivery,
        channel, outcome, status, answer
      from delivery_attempts t where channel <> 'webhook' order by t.id`,
  },
  {
    name: 'events',
    query: `
      select 'event:' || e.id as row, e.type, ${getLead('e.lead_id')} as lead, ${getProvider('e.provider_id')} as provider, e.data,
        coalesce((
          select jsonb_object_agg(coalesce(n.description, 'removed'), m.state || case when m.attempts > m.attempts_before_round then ', attempts: ' || m.attempts - m.attempts_before_round else '' end)
          from deliveries m left join webhook_endpoints n on n.id = m.endpoint_id where m.event_id = e.id), '{}') as messages
      from webhook_events e order by e.at, e.type, e.lead_id, e.provider_id, e.data::text, e.id`,
  },
  {
    name: 'webhookAttempts',
    query: `
      select 'webhook-attempt:' || t.id as row, e.type, n.description as endpoint, t.outcome, t.status, t.reason, t.answer
      from delivery_attempts t join deliveries m on m.id = t.delivery_id and m.channel = 'webhook' join webhook_events e on e.id = m.event_id
        left join webhook_endpoints n on n.id = m.endpoint_id order by t.id`,
  },
  {
    name: 'webhookEndpoints',
    query: `
      select 'endpoint:' || id as row, url, description, types, payload, disabled_at is null as enabled, disabled_reason as "disabledReason",
        failures, previous_secret is not null as "hasPreviousSecret", created_by as "createdBy"
      from webhook_endpoints order by created_at, id`,
  },
  {
    name: 'leadOutcomes',
    query: `
      select 'outcome:' || id as row, ${getLead('lead_id')} as lead, ${getProvider('provider_id')} as provider, outcome, by
      from lead_outcomes order by id`,
  },
  {
    name: 'overLimitLeads',
    query: `
      select 'over-limit:' || lead_id as row, ${getLead('lead_id')} as lead, ${getDue('release_at')} as due
      from over_limit_leads order by lead_id`,
  },
  {
    name: 'recipientEmails',
    query: `
      select 'recipient-email:' || r.delivery_id as row, 'delivery:' || r.delivery_id as delivery
      from recipient_emails r left join deliveries d on d.id = r.delivery_id order by r.sent_at, d.lead_id, r.delivery_id`,
  },
  {
    name: 'suppressions',
    query: `
      select 'suppression:' || kind || value_hmac as row, kind, reason, ${getLead('lead_id')} as lead, by
      from suppressions order by at, lead_id, kind, value_hmac`,
  },
  {
    name: 'withdrawals',
    query: `
      select 'withdrawal:' || id as row, ${getLead('lead_id')} as lead, how, by, host(ip) as address
      from consent_withdrawals order by id`,
  },
  {
    name: 'staffTasks',
    query: `
      select 'task:' || id as row, kind, ${getLead('lead_id')} as lead, done_at is not null as done, done_by as "doneBy"
      from staff_tasks order by id`,
  },
  {
    name: 'applications',
    query: `
      select 'application:' || id as row, practice_name as "practiceName", status, quarantine_reason as "quarantineReason"
      from provider_applications order by id`,
  },
  {
    name: 'applicationMessages',
    query: `
      select 'application-message:' || application_id || kind as row, 'application:' || application_id as application, kind, state, reason,
        ${getDue("case when state = 'waiting' then next_attempt_at end")} as due
      from application_messages order by application_id, kind`,
  },
  {
    name: 'syncRuns',
    query: `
      select 'run:' || id as row, source, kind, started_by as "startedBy", dry_run as "dryRun", forced, outcome, message, read, created,
        updated, unchanged, deactivated, skipped, finished_at is not null as finished, modified_until is not null as "knowsModified"
      from sync_runs order by id`,
  },
  {
    name: 'syncRunRows',
    query: `
      select 'run-row:' || id as row, 'run:' || run_id as run, change, wordpress_id::int as "wordpressId", detail
      from sync_run_rows order by id`,
  },
  {
    name: 'accounts',
    query: `
      select 'account:' || id as row, name, email, role, 'hash:' || md5(password_hash) as password from staff_accounts order by id`,
  },
  {
    name: 'sessions',
    query: `
      select 'session:' || id as row, coalesce('account:' || account_id, 'shared password') as account
      from staff_sessions order by created_at, account_id, id`,
  },
  {
    name: 'apiTokens',
    query: `
      select 'token:' || id as row, name, scopes, created_by as "createdBy", revoked_at is not null as revoked from api_tokens order by id`,
  },
  {
    name: 'auditLog',
    query: `
      select 'line:' || id as row, action, actor_kind as "actorKind", actor_name as actor, replace(subject_kind, 'sync', 'run') || ':' || subject_id as subject,
        host(ip) as address, detail
      from audit_log order by id`,
  },
];

/** How many requests wait to match leads without a provider again. */
export const rematchRequestCount = 'select count(*)::int as count from rematch_requests';

/** Forgets them: providers that a test stores by hand are part of no write. */
export const dropRematchRequests = 'delete from rematch_requests';

/** Makes every write of the matrix fail that changes a lead without its `updated_at`. */
export const refuseUndatedChange = `
  create function refuse_undated_change() returns trigger language plpgsql as $$
  begin
    if (new.provider_id, new.match_reason, new.outcome, new.crm_sync_status, new.delivery_failed, new.quarantined_at, new.deleted_at, new.erased_at, new.duplicate_of)
      is distinct from
      (old.provider_id, old.match_reason, old.outcome, old.crm_sync_status, old.delivery_failed, old.quarantined_at, old.deleted_at, old.erased_at, old.duplicate_of)
      and new.updated_at is distinct from now()::timestamptz(3) then
      raise 'a change of lead % leaves updated_at as it was', old.id;
    end if;
    return new;
  end $$;
  create trigger refuse_undated_change before update on leads for each row execute function refuse_undated_change()`;

/** Ends the rate limit windows of every network. */
export const endRateLimits = `update rate_limits set expire = now() - interval '1 second'`;

/** What links name a lead by. */
export const publicIdOfLead = 'select public_id as "publicId" from leads where id = $1';

/**
 * Deliveries of a lead by a channel, oldest first, the provider's email before the others; any channel if $2 is empty.
 */
export const deliveriesOfLead = `
  select id from deliveries where lead_id = $1 and ($2 = '' or channel = $2) order by created_at, channel <> 'provider-email', channel`;

/** Has no endpoint want events about leads. */
export const loseLeadEvents = `update webhook_endpoints set types = '{sync.completed}'`;
