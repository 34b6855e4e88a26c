import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { hourMs } from '#shared/formats/time.ts';
import { providers } from '#server/db/schema/index.ts';
import { clinicAddress, setUpClinicMail } from '#test/support/clinicMail.ts';

test('a bounce from an address corrected since sends the email to the new one, once', async () => {
  await using clinic = await setUpClinicMail();
  const { database, clock } = clinic.mail.at;
  const { db, sql } = database;
  const first = await clinic.lead();
  await clinic.work();
  await db.update(providers).set({ email: 'new@quay.example' }).where(eq(providers.id, clinic.provider.id));
  const reason = '550 5.1.1 no such user';
  await clinic.report(first.id, { type: 'complaint' });
  await clinic.report(first.id, { reason });
  expect(await clinic.state(first.id)).toBe('queued');
  clock.ms = Date.now() + hourMs;
  await clinic.work();
  expect(await clinic.sent()).toEqual([first.id, `${first.id}.1`]);
  expect(clinic.mail.server.received.map(({ to }) => to)).toEqual([[clinicAddress], ['new@quay.example']]);
  // From neither address, such as one that the clinic forwards its mail to.
  await clinic.report(`${first.id}.1`, { reason, recipient: 'phone@quay.example' });
  expect(await clinic.state(first.id)).toBe('delivered');
  expect(await sql`select address from unreachable_providers`).toHaveLength(0);
});

test('refused content isn’t sent again after a long answer with parts removed', async () => {
  await using clinic = await setUpClinicMail();
  const { sql } = clinic.mail.at.database;
  const texts = [`${'The remote server said: '.repeat(20)}554 5.6.0 refused`, '554 5.6.0 12345678 refused'];
  for (const text of texts) {
    const { id } = await clinic.lead();
    await clinic.work();
    await clinic.report(id, { reason: text });
    await clinic.after(1);
    expect(await clinic.state(id)).toBe('failed');
    const [row] = await sql`select reason from deliveries where id = ${id}`;
    expect(row?.['reason']).toContain('The email bounced (5.6.0): ');
  }
  expect(await clinic.sent()).toHaveLength(texts.length);
});

test('a lead whose task ended by an accepted email is a task again once that bounced', async () => {
  await using clinic = await setUpClinicMail();
  const { sql } = clinic.mail.at.database;
  clinic.answers.refusal = [550, '5.1.1 no such user'];
  const { id, lead } = await clinic.lead();
  await clinic.work();
  await clinic.after(25);
  // Its round was used up before.
  await sql`update deliveries set attempts = attempts + 8 where id = ${id}`;
  clinic.answers.refusal = null;
  await clinic.after(6);
  expect(await clinic.state(id)).toBe('delivered');
  await clinic.report(id, { reason: '550 5.1.1 no such user' });
  await clinic.after(42);
  await clinic.after(1);
  expect(await clinic.state(id)).toBe('held unreachable');
  expect(await sql`select kind from staff_tasks where done_at is null and lead_id = ${lead.id}`).toHaveLength(
    1,
  );
});
