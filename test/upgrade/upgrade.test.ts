import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { verifyConsent } from '#server/features/consent/consentVerify.ts';
import { isLeadSuppressed, isSuppressed } from '#server/features/suppression/suppressions.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { leads } from '#server/db/schema/index.ts';
import { releasedColumns, releasedDatabase } from '#test/support/releasedDatabase.ts';
import { fixtureKey } from './fixtureKey.ts';

const listDataKeys = (db: Parameters<typeof createDataKeys>[0]['db']) =>
  createDataKeys({ db, secretKeys: [fixtureKey] });

describe('a database of 1.0.0', () => {
  test('keeps every lead, its evidence and its deliveries in an upgrade', async () => {
    await using before = await releasedDatabase({ isUpgraded: false });
    await using after = await releasedDatabase();
    for (const table of [
      'leads',
      'consent_records',
      'consent_seals',
      'deliveries',
      'delivery_attempts',
      'lead_outcomes',
    ]) {
      const count = async ({ db }: typeof after): Promise<unknown> =>
        [...(await db.execute(sql.raw(`select count(*)::int as rows from ${table}`)))][0];
      expect([table, await count(after)]).toEqual([table, await count(before)]);
    }
    const states = await after.sql<{ state: string }[]>`select distinct state from deliveries order by state`;
    expect(states.map(({ state }) => state)).toEqual(['cancelled', 'delivered', 'failed', 'held', 'queued']);
  });

  test('can be written and read by 1.0.0 on the schema of this version', async () => {
    await using database = await releasedDatabase({ isMigratedFirst: true });
    const columns = await releasedColumns();
    expect(columns.size).toBeGreaterThan(30);
    for (const [table, names] of columns) {
      const selected = sql.join(
        names.map((name) => sql.identifier(name)),
        sql`, `,
      );
      const [row] = await database.db.execute(sql`select ${selected} from ${sql.identifier(table)} limit 1`);
      expect([table, row === undefined ? names : Object.keys(row)]).toEqual([table, names]);
    }
    expect(await database.db.$count(leads)).toBeGreaterThan(1_000);
  });

  test('has evidence that verifies in full after an upgrade', async () => {
    await using database = await releasedDatabase();
    const faults: unknown[] = [];
    const summary = await verifyConsent(database.db, (fault) => faults.push(fault), [fixtureKey]);
    expect(faults).toEqual([]);
    expect(summary).toMatchObject({ records: 2_000, faults: 0, unchecked: [] });
  });

  test('suppresses after an upgrade everyone who was suppressed before', async () => {
    await using database = await releasedDatabase();
    const { db } = database;
    const dataKeys = listDataKeys(db);
    const { key } = await dataKeys.current('identity');
    const listed = await db.select().from(leads).where(isLeadSuppressed(key));
    expect(listed.length).toBeGreaterThan(60);
    const withdrawn = await database.sql<{ lead_id: string }[]>`
      select distinct w.lead_id from consent_withdrawals w join leads on leads.id = w.lead_id where leads.erased_at is null`;
    const ids = new Set(listed.map(({ id }) => id));
    expect(withdrawn.length).toBeGreaterThan(60);
    expect(withdrawn.map(({ lead_id: id }) => Number(id)).filter((id) => !ids.has(id))).toEqual([]);
    for (const lead of listed.slice(0, 20)) expect(await isSuppressed({ db, dataKeys }, lead)).toBe(true);
  });
});
