import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { leadListOutput } from '#shared/admin/adminLeads.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { getToken } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

type Page = z.output<typeof leadListOutput>;

/** Reads `GET /api/leads` with a token. */
async function reader(app: TestApp): Promise<(query: string) => Promise<Page>> {
  const headers = await getToken(app, ['leads:read']);
  return async (query) => leadListOutput.parse((await app.get(`/api/leads?${query}`, headers)).json());
}

/** The ids of every page by cursor. `between` runs after each. */
async function walk(
  read: (query: string) => Promise<Page>,
  query: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number[]> {
  const ids: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Page = await read(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    ids.push(...page.leads.map(({ id }) => id));
    cursor = page.nextCursor;
    await between();
  }
  return ids;
}

const minute = (index: number): Date => new Date(Date.UTC(2026, 5, 1, 0, index));

describe('GET /api/leads by cursor', () => {
  test('returns each lead once while others are stored and deleted', async () => {
    await using app = await testApp();
    // Three at a time have the same time.
    const rows = await insertLeads(
      app.db,
      Array.from({ length: 20 }, (_, index) => ({ createdAt: minute(Math.floor(index / 3)) })),
    );
    const ids = rows.map(({ id }) => id);
    const read = await reader(app);
    expect(await walk(read, 'limit=3&sort=created_at')).toEqual(ids);
    const newer = (): Promise<unknown> => insertLead(app.db, { createdAt: minute(60) });
    expect(await walk(read, 'limit=3', newer)).toEqual(ids.toReversed());
    const [first, second] = [await read('limit=3&sort=created_at'), rows[2]];
    await app.sql`update leads set deleted_at = now() where id = ${second?.id ?? 0}`;
    const next = await read(`limit=3&sort=created_at&cursor=${first.nextCursor}`);
    expect(next.leads.map(({ id }) => id)).toEqual(ids.slice(3, 6));
    expect([typeof first.total, next.total]).toEqual(['number', null]);
  });

  test('is refused with a page, and by name or ZIP, which a URL must not contain', async () => {
    await using app = await testApp();
    await insertLeads(app.db, [{}, {}]);
    const headers = await getToken(app, ['leads:read']);
    const read = await reader(app);
    expect((await read('limit=1&sort=last_name')).nextCursor).toBeNull();
    const { nextCursor } = await read('limit=1');
    for (const [query, field] of [
      [`cursor=${nextCursor}&sort=last_name`, 'cursor'],
      [`cursor=${nextCursor}&page=2`, 'page'],
      // A cursor belongs to one order.
      [`cursor=${nextCursor}&sort=created_at`, 'cursor'],
      [`cursor=${nextCursor}&updated_since=2026-06-01T00:00:00Z`, 'cursor'],
      ['updated_since=2026-06-01T00:00:00Z&sort=last_name', 'sort'],
      ['updated_since=0000-01-01T00:00:00Z', 'updated_since'],
      ['createdFrom=0000-01-01T00:00:00Z', 'createdFrom'],
      ['updated_since=2026-06-01T00:00:00Z&page=2', 'page'],
      ['updated_since=yesterday', 'updated_since'],
      ['cursor=2', 'cursor'],
    ] as const) {
      const answer = await app.get(`/api/leads?${query}`, headers);
      expect([
        query,
        answer.status,
        Object.keys(z.object({ errors: z.record(z.string(), z.string()) }).parse(answer.json()).errors),
      ]).toEqual([query, 422, [field]]);
    }
  });
});

describe('GET /api/leads?updated_since=', () => {
  test('lists what was stored and changed, the earliest change first, with deleted leads', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db);
    const rows = await insertLeads(
      app.db,
      Array.from({ length: 6 }, (_, index) => ({ createdAt: minute(index) })),
    );
    const [first = 0, second = 0, third = 0, ...others] = rows.map(({ id }) => id);
    const headers = { ...(await getToken(app, ['leads:write'])), 'content-type': 'application/json' };
    const read = await reader(app);
    const since = `updated_since=${minute(0).toISOString()}`;
    expect(await walk(read, `${since}&limit=2`)).toEqual([first, second, third, ...others]);
    await app.request('DELETE', `/api/leads/${second}`, { headers });
    await app.request('PATCH', `/api/leads/${first}/provider`, {
      headers,
      body: JSON.stringify({ providerId: provider.id }),
    });
    expect(await walk(read, `${since}&limit=2`)).toEqual([third, ...others, second, first]);
    expect(await walk(read, `${since}&deleted=false`)).toEqual([third, ...others, first]);
    expect(await walk(read, `${since}&deleted=true`)).toEqual([second]);
    const changed = await read(`updated_since=${minute(60).toISOString()}`);
    expect(changed).toMatchObject({ total: null, nextCursor: null });
    expect(changed.leads.map(({ id, deleted_at: at }) => [id, at === null])).toEqual([
      [second, false],
      [first, true],
    ]);
    for (const { created_at: created, updated_at: updated } of changed.leads)
      expect(Date.parse(updated)).toBeGreaterThan(Date.parse(created));
    expect(await walk(read, `updated_since=${minute(4).toISOString()}&match=matched`)).toEqual([first]);
  });
});
