import { expect, test } from 'vitest';
import { createServices } from '#server/createServices.ts';
import { connect } from '#server/db/connect.ts';
import { dayReason } from '#server/features/mail/recipientLimits.ts';
import { mailRenderer } from '#server/render/bundle.ts';
import { builtBundle } from '#test/support/builtBundle.ts';
import { setUpMail } from '#test/support/mailSetup.ts';
import { meets } from '#test/support/meets.ts';
import { deliverOne } from '#test/support/outboxSetup.ts';

test('of two processes that write to one address at the same time, one may', async () => {
  meets('D.abuse.08');
  await using given = await setUpMail();
  await using at = new AsyncDisposableStack();
  const { config, log, now } = given.at.services;
  const connection = connect(given.at.database.url, { applicationName: 'second process', max: 2 });
  at.defer(() => connection.close());
  const second = createServices({
    ...{ config, connection, log, now },
    renderMail: mailRenderer(await builtBundle()),
  });
  at.defer(() => second.mail.mailer.close());
  const { sql } = given.at.database;
  const ids: string[] = [];
  for (const tag of ['a', 'b']) {
    const lead = await given.sendForm({ email: `victim+${tag}@target.example` });
    const [row] = await sql<{ id: string }[]>`
      select id from deliveries where lead_id = ${lead.id} and channel = 'lead-email'`;
    ids.push(row?.id ?? '');
  }
  const [first = '', other = ''] = ids;
  await Promise.all([deliverOne(given.at.services, first), deliverOne(second, other)]);
  const ends = await sql`select state, reason from deliveries where id in ${sql(ids)} order by state`;
  expect(ends).toEqual([
    { state: 'cancelled', reason: dayReason },
    { state: 'delivered', reason: null },
  ]);
  expect(given.server.received).toHaveLength(1);
});
