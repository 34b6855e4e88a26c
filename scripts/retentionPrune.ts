import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Config } from '#server/config/config.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { connect, type Database } from '#server/db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { pruneAuditLog } from '#server/features/audit/pruneAuditLog.ts';
import { pruneEvidence, type PruneReport } from '#server/features/consent/pruneEvidence.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { naming, withDatabase } from './withDatabase.ts';

const usage = [
  'npm run retention:prune -- evidence [--yes]',
  'npm run retention:prune -- audit-log [--yes]',
  'Without --yes, nothing is removed.',
].join('\n');

const dryRun = 'Nothing was removed. Add --yes to remove it.';

interface Run {
  db: Database;
  config: Config;
  removes: boolean;
  signal: AbortSignal;
}

/** Throws a sentence unless the connected role owns the tables. */
async function expectOwner(db: Database): Promise<void> {
  const { role, owns } = await readRow(db, z.object({ role: z.string(), owns: z.boolean() }))`
    select current_user as role, bool_and(pg_has_role(current_user, relowner, 'usage')) as owns
    from pg_class where oid in ('consent_records'::regclass, 'audit_log'::regclass)`;
  if (owns) return;
  throw new Error(
    `The role "${role}" doesn't own the tables, so it can't remove evidence or audit entries. Set DATABASE_OWNER_URL to the role that does. Nothing was removed.`,
  );
}

function evidenceLines(
  { seals, records, withdrawals, forms, lastSeq, kept }: PruneReport,
  isDry: boolean,
): string[] {
  const until =
    kept === null
      ? []
      : [
          `Consent record ${kept.recordId} (seal ${kept.seq}) must be kept until ${kept.until.toISOString()}.`,
        ];
  const belonging = `withdrawals: ${withdrawals}; form snapshots: ${forms}`;
  if (lastSeq === null)
    return [
      'No consent record may be removed yet.',
      ...until,
      ...(withdrawals + forms > 0 ? [`Removed: ${belonging}.`] : []),
    ];
  const found = `${seals} seals with ${records} consent records, up to seal ${lastSeq}`;
  return isDry
    ? [`Can be removed: ${found}.`, ...until, dryRun]
    : [
        `Removed: ${found}; ${belonging}.`,
        ...until,
        `The chain now begins after checkpoint ${lastSeq}. Check it with npm run consent:verify.`,
      ];
}

async function runEvidence({ db, config, removes, signal }: Run): Promise<string[]> {
  const { secretKeys } = await withLocalSecrets(config);
  const key = await createDataKeys({ db, secretKeys }).current('consent-seal');
  const report = await pruneEvidence(db, { secretKeys, key, removes, signal });
  return evidenceLines(report, !removes);
}

async function runAuditLog({ db, config, removes, signal }: Run): Promise<string[]> {
  const days = config.retention['audit-log'];
  if (days === null)
    return ['The audit log is kept forever. Set audit-log in RETENTION to remove old entries.'];
  const { before, entries } = await pruneAuditLog(db, { days, removes, signal });
  const found = `${entries} audit entries before ${before.toISOString()}`;
  return removes ? [`Removed: ${found}.`] : [`Can be removed: ${found}.`, ...(entries > 0 ? [dryRun] : [])];
}

/**
 * `npm run retention:prune`: removes evidence of consent whose time is over, or old entries of the audit log, as the
 * role that owns the tables. Ctrl-C ends it after the current batch; it can be continued at any time.
 */
await withDatabase(async ({ url, config }) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false } },
  });
  const [what] = positionals;
  if (positionals.length !== 1 || (what !== 'evidence' && what !== 'audit-log')) throw new Error(usage);
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const owner = { url: config.databaseOwnerUrl ?? url, variable: 'DATABASE_OWNER_URL' };
  const { db, close } = connect(owner.url, { applicationName: 'clinic-leads-retention-prune', max: 1 });
  try {
    await (config.databaseOwnerUrl === null ? expectOwner(db) : naming(owner, () => expectOwner(db)));
    const run = { db, config, removes: values.yes, signal: stopping.signal };
    for (const line of await (what === 'evidence' ? runEvidence(run) : runAuditLog(run))) console.log(line);
    if (stopping.signal.aborted) console.log('Interrupted. Run it again to continue.');
  } finally {
    await close();
  }
});
