import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { leads } from '#server/db/schema/index.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';

const rounds = 3;
const senders = 8;
const answersBeforeKill = 80;

interface Sent {
  key: string;
  body: string;
  email: string;
}

/** Sends until the process is gone; every 201 is written down, what got no answer is kept to be sent again. */
async function sendUntilKilled(
  server: ServerProcess,
  answered: Map<string, { id: number; email: string }>,
  unanswered: Sent[],
): Promise<void> {
  let count = 0;
  const kills: Promise<void>[] = [];
  const sender = async (): Promise<void> => {
    while (kills.length === 0) {
      const input = leadInput({ zip_code: '80202' });
      const sent: Sent = { key: crypto.randomUUID(), body: JSON.stringify(input), email: input.email };
      try {
        const id = await post(server, sent);
        answered.set(sent.key, { id, email: sent.email });
        count += 1;
        if (count === answersBeforeKill) kills.push(server.kill());
      } catch {
        unanswered.push(sent);
      }
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  await Promise.all(kills);
}

async function post(server: ServerProcess, { key, body }: Sent): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body,
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

test('a confirmed lead survives kill -9, and a retry creates no second lead', async () => {
  meets('D.people.20 D.leads.06');
  await using database = await testDb();
  await insertProvider(database.db, { zipCode: '80202' });
  const answered = new Map<string, { id: number; email: string }>();
  const unanswered: Sent[] = [];
  for (let round = 0; round < rounds; round++) {
    await using server = await startServer({ DATABASE_URL: database.url });
    await sendUntilKilled(server, answered, unanswered);
  }
  {
    await using server = await startServer({ DATABASE_URL: database.url });
    for (const sent of unanswered)
      answered.set(sent.key, { id: await post(server, sent), email: sent.email });
  }
  expect(answered.size).toBeGreaterThanOrEqual(rounds * answersBeforeKill);
  const stored = new Map(
    (await database.db.select({ id: leads.id, email: leads.email }).from(leads)).map((row) => [
      row.id,
      row.email,
    ]),
  );
  for (const { id, email } of answered.values()) expect(stored.get(id)).toBe(email);
  expect(stored.size).toBe(answered.size);
  const [evidence] = await database.db.execute<{ count: number }>(
    sql`select count(distinct lead_id)::int as count from consent_records`,
  );
  expect(evidence?.count).toBe(stored.size);
});
