import { getTableColumns } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';
import { consentRecords } from '#server/db/schema/index.ts';
import { sealAll, storeEvidence as store, tamper, verifyEvidence as verify } from '#test/support/evidence.ts';
import { meets } from '#test/support/meets.ts';
import { testDb } from '#test/support/testDb.ts';
import { sha256 } from './evidenceFields.ts';
import { storeSnapshot } from './formSnapshots.ts';

describe('consent chain', () => {
  test('every stored row verifies and is sealed once, and the queue is empty', async () => {
    meets('D.leads.43');
    await using database = await testDb();
    await store(database, 12);
    await store(database, 1, { userAgent: null });
    expect((await verify(database)).summary).toMatchObject({
      records: 13,
      seals: 0,
      waiting: 13,
      faults: 0,
      head: null,
    });
    expect(await sealAll(database)).toBe(13);
    expect(await sealAll(database)).toBe(0);
    const { summary } = await verify(database);
    expect(summary).toMatchObject({ records: 13, seals: 13, waiting: 0, faults: 0, head: { seq: 13 } });
  });

  test('concurrent sealers make one chain without gaps', async () => {
    meets('D.leads.43');
    await using database = await testDb();
    // More than two batches.
    await store(database, 230);
    const counts = await Promise.all(Array.from({ length: 5 }, () => sealAll(database)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(230);
    expect((await verify(database)).summary).toMatchObject({ seals: 230, waiting: 0, faults: 0 });
  });

  test('leads are stored while a sealer holds the chain', async () => {
    meets('D.leads.45');
    await using database = await testDb();
    await store(database, 2);
    await database.sql.begin(async (sealer) => {
      await sealer`select pg_advisory_xact_lock(${advisoryLocks.sealConsent})`;
      await sealer`lock table consent_seals in exclusive mode`;
      await sealer`select * from consent_seal_queue for update`;
      expect(await store(database, 2)).toHaveLength(4);
    });
    expect(await sealAll(database)).toBe(4);
  });

  test('the database refuses to update, delete or truncate evidence', async () => {
    meets('D.leads.34');
    await using database = await testDb();
    await store(database, 1);
    await sealAll(database);
    const { sql } = database;
    await expect(sql`update consent_records set host = 'other'`).rejects.toThrow('append-only');
    await expect(sql`delete from consent_records`).rejects.toThrow('append-only');
    await expect(sql`truncate consent_records`).rejects.toThrow('append-only');
    await expect(sql`update consent_seals set seal_hash = seal_hash`).rejects.toThrow('append-only');
    await expect(sql`delete from consent_seals`).rejects.toThrow('append-only');
  });

  test('a row with one changed value is reported by its id, seal and lead', async () => {
    meets('D.leads.42');
    await using database = await testDb();
    const changes = [
      `text_shown = text_shown || '.'`,
      `first_name = first_name || 'x'`,
      `email = replace(email, '@', '+1@')`,
      `ip = '203.0.113.1'`,
      `accepted_at = accepted_at + interval '1 millisecond'`,
      `gpc = not gpc`,
      `channels = array['call']`,
      `user_agent = null`,
      `lead_id = lead_id + 1000`,
      `seller_name = 'Other'`,
      `retain_until = now()`,
      `form_version = form_version + 1`,
      `purpose = 'Other'`,
      `client_clock = client_clock + interval '1 millisecond'`,
      `prechecked = true`,
    ];
    const ids = await store(database, changes.length + 1);
    await sealAll(database);
    for (const [at, change] of changes.entries()) {
      await tamper(database, `update consent_records set ${change} where id = ${ids[at]}`);
    }
    const { lines } = await verify(database);
    for (const [at, change] of changes.entries()) {
      const named = new RegExp(
        `^consent record ${ids[at]} \\(lead \\d+, seal ${at + 1}\\): its content does not match its hash$`,
      );
      expect({ change, named: lines.filter((line) => named.test(line)).length }).toEqual({
        change,
        named: 1,
      });
    }
    expect(lines.some((line) => line.startsWith(`consent record ${ids.at(-1)} `))).toBe(false);
  });

  test('a changed row with a recomputed hash is reported by its seal', async () => {
    meets('D.leads.42');
    await using database = await testDb();
    const ids = await store(database, 3);
    await sealAll(database);
    await tamper(database, `update consent_records set row_hash = repeat('a', 64) where id = ${ids[0]}`);
    const { lines } = await verify(database);
    expect(lines.join('\n')).toContain(`consent record ${ids[0]} `);
    expect(lines.join('\n')).toContain('its seal was not made from its content');
  });

  test('a deleted row is reported with its lead', async () => {
    await using database = await testDb();
    const ids = await store(database, 3);
    await sealAll(database);
    await tamper(database, `delete from consent_records where id = ${ids[1]}`);
    const { lines } = await verify(database);
    expect(lines).toContain(`consent record ${ids[1]} (seal 2): the record is gone, its seal is left`);
    expect(lines.some((line) => /^lead \d+: the lead agreed, its consent record is gone$/.test(line))).toBe(
      true,
    );
  });

  test('a row deleted with its seal and queue entry is reported as a gap', async () => {
    meets('D.leads.47');
    await using database = await testDb();
    const ids = await store(database, 3);
    await sealAll(database);
    await tamper(database, `delete from consent_seals where seq = 2`);
    await tamper(database, `delete from consent_records where id = ${ids[1]}`);
    const { lines } = await verify(database);
    expect(lines.join('\n')).toContain('the chain has a gap: seal 2 is missing');
  });

  test('two swapped rows are both reported', async () => {
    await using database = await testDb();
    const ids = await store(database, 4);
    await sealAll(database);
    const [, a, b] = ids;
    // The id is always generated, so the rows swap all other columns.
    const swapped = Object.values(getTableColumns(consentRecords)).flatMap(({ name }) =>
      name === 'id' ? [] : [name],
    );
    await tamper(
      database,
      `update consent_records r set (${swapped.join(', ')}) = (select ${swapped.map((name) => `o.${name}`).join(', ')}
         from consent_records o where o.id = ${a} + ${b} - r.id) where r.id in (${a}, ${b})`,
    );
    const named = new Set((await verify(database)).faults.map(({ recordId }) => recordId));
    expect(named).toEqual(new Set([a, b]));
  });

  test('a changed seal is reported', async () => {
    await using database = await testDb();
    const ids = await store(database, 3);
    await sealAll(database);
    await tamper(database, `update consent_seals set seal_hash = repeat('b', 64) where seq = 2`);
    const { lines } = await verify(database);
    expect(
      lines.some(
        (line) =>
          line.startsWith(`consent record ${ids[1]} `) &&
          line.endsWith('its seal was not made from its content'),
      ),
    ).toBe(true);
    expect(
      lines.some(
        (line) =>
          line.startsWith(`consent record ${ids[2]} `) &&
          line.endsWith('its seal does not follow the one before it'),
      ),
    ).toBe(true);
  });

  test('a row missing from the queue and a deleted row in the queue are reported', async () => {
    await using database = await testDb();
    const ids = await store(database, 2);
    await tamper(database, `delete from consent_seal_queue where record_id = ${ids[0]}`);
    await tamper(database, `delete from consent_records where id = ${ids[1]}`);
    const { lines } = await verify(database);
    expect(lines.join('\n')).toMatch(
      new RegExp(`consent record ${ids[0]} \\(lead \\d+\\): it has no seal and is not waiting for one`),
    );
    expect(lines).toContain(`consent record ${ids[1]}: the record is gone, it was waiting for its seal`);
  });

  test('a changed form snapshot is reported with the first record that refers to it', async () => {
    await using database = await testDb();
    const html = '<form>“Reply STOP to opt out.” 🏥</form>';
    const form = { html, sha256: sha256(html) };
    await storeSnapshot(database.db, form);
    await storeSnapshot(database.db, { html: '<p>', sha256: sha256('<p>') });
    const [first = 0] = await store(database, 2, { formSha256: form.sha256 });
    expect((await verify(database)).lines).toEqual([]);
    await tamper(database, `update consent_form_snapshots set html = html || ' '`);
    const changed = (named: string, records: number): string =>
      `the form shown (snapshot ${named}, in ${records} records) does not match its hash`;
    expect((await verify(database)).lines.toSorted()).toEqual(
      [`consent record ${first}: ${changed(form.sha256, 2)}`, changed(sha256('<p>'), 0)].toSorted(),
    );
  });

  test('a deleted form snapshot is reported with the first record that refers to it', async () => {
    await using database = await testDb();
    const form = { html: '<form></form>', sha256: sha256('<form></form>') };
    await storeSnapshot(database.db, form);
    const [first = 0] = await store(database, 2, { formSha256: form.sha256 });
    await tamper(database, `delete from consent_form_snapshots`);
    expect((await verify(database)).lines).toEqual([
      `consent record ${first}: the form shown (snapshot ${form.sha256}, in 2 records) is gone`,
    ]);
  });

  test('a changed seal time and a seal inserted before the first are reported', async () => {
    await using database = await testDb();
    const [first, second] = await store(database, 2);
    await sealAll(database);
    await tamper(
      database,
      `update consent_seals set sealed_at = sealed_at - interval '1 ms' where record_id = ${second};
       insert into consent_seals (seq, record_id, prev_hash, seal_hash) values (0, 999, '', repeat('0', 64))`,
    );
    const named = (await verify(database)).faults.map(({ recordId, seq }) => [recordId, seq]);
    expect(named).toContainEqual([999, 0]);
    expect(named).toContainEqual([second, 2]);
    expect((await verify(database)).lines).not.toContainEqual(
      expect.stringMatching(`^consent record ${first} .*its seal was not made`),
    );
  });

  test('rows queued again manually, or deleted while queued, do not stop the sealer', async () => {
    await using database = await testDb();
    // More than a batch.
    await store(database, 110);
    await sealAll(database);
    await database.sql`insert into consent_seal_queue (record_id) select id from consent_records`;
    const gone = (await store(database, 1)).at(-1) ?? 0;
    await tamper(database, `delete from consent_records where id = ${gone}`);
    await store(database, 1);
    expect(await sealAll(database)).toBe(1);
    expect(await sealAll(database)).toBe(0);
    const text = (await verify(database)).lines.join('\n');
    expect(text).toContain('it is sealed and yet waiting for a seal');
    expect(text).toContain(`consent record ${gone}: the record is gone, it was waiting for its seal`);
  });
});
