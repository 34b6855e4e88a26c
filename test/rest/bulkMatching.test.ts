import { expect, test } from 'vitest';
import { bulkLeadsMax, matchingLeadsMax } from '#shared/admin/leadActions.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { signedIn } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

/** What a manager in the dashboard gets from the procedures: the data, or the sentence of the refusal. */
async function setUp(app: TestApp) {
  const headers = await signedIn(app, 'manager');
  return async (name: string, input: object): Promise<unknown> => {
    const answer = await app.post(`/trpc/admin.leads.${name}`, input, headers);
    const { result, error } = Object(answer.json());
    return answer.status === 200 ? result.data : [answer.status, error.data.error];
  };
}

const countDeleted = async ({ sql }: TestApp): Promise<unknown> =>
  (await sql`select count(*)::int as count from leads where deleted_at is not null`)[0]?.count;

test('all leads of a filter are changed in one request, and an Undo restores them', async () => {
  await using app = await testApp();
  const call = await setUp(app);
  const count = bulkLeadsMax + 1;
  const matching = await insertLeads(
    app.db,
    Array.from({ length: count }, () => ({ zipCode: '80205' })),
  );
  await insertLeads(app.db, [{ zipCode: '80206', crmSyncStatus: 'success' }]);
  const filter = { search: '80205', upTo: matching.at(-1)?.id };
  const ids = matching.map(({ id }) => id);
  expect(await call('bulkRemove', { filter, expected: count })).toEqual({ changed: ids });
  expect(await countDeleted(app)).toBe(count);
  expect(await call('bulkRestore', { filter: { ...filter, deleted: true }, expected: count })).toEqual({
    changed: ids,
  });
  expect(await countDeleted(app)).toBe(0);
  const audited =
    await app.sql`select action, count(*)::int from audit_log where action in ('lead.delete', 'lead.undo') group by action order by action`;
  expect(audited).toEqual([
    { action: 'lead.delete', count },
    { action: 'lead.undo', count },
  ]);
});

test('nothing is changed if a filter matches other leads than staff saw, or too many', async () => {
  await using app = await testApp();
  const call = await setUp(app);
  const [first] = await insertLeads(app.db, [{}, {}]);
  expect(await call('bulkRemove', { filter: {}, expected: 3 })).toEqual([
    409,
    'The list has changed: 2 leads now, not 3. Nothing was changed. Select the leads again.',
  ]);
  // One that arrived after the list was loaded isn't part of it.
  expect(await call('bulkRemove', { filter: { upTo: first?.id }, expected: 1 })).toEqual({
    changed: [first?.id],
  });
  await app.sql`insert into leads (first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason)
    select first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason
    from leads, generate_series(1, ${matchingLeadsMax}) where deleted_at is null`;
  expect(await call('bulkRemove', { filter: {}, expected: matchingLeadsMax + 1 })).toEqual([
    422,
    'At most 10,000 leads can be changed at a time. Add a filter.',
  ]);
  expect(await countDeleted(app)).toBe(1);
});

test('matching leads are assigned together, and nothing leaves before their Undo ends', async () => {
  await using app = await testApp();
  const call = await setUp(app);
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  const count = bulkLeadsMax + 1;
  const ids = (
    await insertLeads(
      app.db,
      Array.from({ length: count }, () => ({ zipCode: '80205' })),
    )
  ).map(({ id }) => id);
  const chosen = { filter: { match: 'unmatched' }, expected: count, providerId: null };
  expect(await call('previewAssign', chosen)).toMatchObject({ leads: count, providers: 1, outside: 0 });
  expect(await call('bulkAssign', chosen)).toEqual({ changed: ids, needConfirmation: [] });
  const [undo] =
    await app.sql`select count(*)::int, count(distinct undo_until)::int as ends from assignment_undos`;
  expect(undo).toEqual({ count, ends: 1 });
  for (const batch of [ids.slice(0, bulkLeadsMax), ids.slice(bulkLeadsMax)])
    expect(await call('undoAssign', { ids: batch })).toEqual({ changed: batch, refused: [] });
  expect(await app.sql`select from leads where provider_id = ${provider.id}`).toHaveLength(0);
});

test('matching leads are queued for the CRM and for their providers', async () => {
  await using app = await testApp();
  const call = await setUp(app);
  const [lead] = await insertLeads(app.db, [{ crmSyncStatus: 'failed' }, {}]);
  const chosen = { filter: { status: 'failed' }, expected: 1 };
  expect(await call('bulkRetrySync', chosen)).toMatchObject({ success: false });
  expect(await app.sql`select subject_id from audit_log where action like 'lead.retry%'`).toEqual([
    { subject_id: String(lead?.id) },
  ]);
  expect(await call('bulkRelease', { filter: { quarantined: true }, expected: 1 })).toMatchObject([
    409,
    expect.any(String),
  ]);
});
