import { expect, test } from 'vitest';
import { readSubjects } from '#server/features/outbox/subject.ts';
import { eventBody } from '#server/features/webhooks/eventBody.ts';
import { leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { erasePerson } from './erasePerson.ts';

test('a lead has one key in webhooks and the CRM, before and after its erasure', async () => {
  await using at = await setUpIntake({
    CRM_WEBHOOK_URL: 'https://crm.example/hook',
    CRM_WEBHOOK_SECRET: `whsec_${'A'.repeat(44)}`,
  });
  const { database, services } = at;
  const { sql, db } = database;
  await sql`
    insert into webhook_endpoints (id, url, types, secret, created_by) values (gen_random_uuid(), 'https://a.example', '{}', 's', 'x')`;
  const { body } = await at.send(leadInput());
  const [before] = await sql<{ public_id: string }[]>`select public_id from leads where id = ${body.id}`;
  await sql`update deliveries set state = 'delivered', finished_at = now(), next_attempt_at = null where channel = 'crm'`;
  await erasePerson(staffActionOn(database), { leadId: body.id, reason: 'asked' });
  const [after] = await sql<{ public_id: string }[]>`select public_id from leads where id = ${body.id}`;
  expect(after?.public_id).not.toBe(before?.public_id);

  const events = await sql<{ type: string }[]>`select type from webhook_events order by at, id`;
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['lead.created', 'lead.erased']));
  for (const { type } of events) {
    const data = { id: body.id, provider_id: null };
    const event = { type, at: new Date(0), leadId: body.id, providerId: null, data };
    for (const payload of ['thin', 'full'] as const)
      expect(JSON.parse(await eventBody(services, event, payload))).toMatchObject({
        data: { ...data, uuid: before?.public_id },
      });
  }

  const rows = await sql<
    { id: string }[]
  >`select id from deliveries where channel = 'crm' order by created_at`;
  const { key } = await services.dataKeys.current('identity');
  const subjects = await readSubjects(
    db,
    rows.map(({ id }) => ({ id, queue: 'crm' as const })),
    { identityKey: key, now: new Date() },
  );
  const keys = subjects.flatMap((subject) =>
    subject.kind === 'lead' ? [[subject.delivery.template, subject.lead.publicId]] : [],
  );
  expect(keys).toEqual(expect.arrayContaining([['erased', before?.public_id]]));
  expect(new Set(keys.map(([, publicId]) => publicId))).toEqual(new Set([before?.public_id]));
});
