import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { testDb } from '#test/support/testDb.ts';
import { safeError } from './log.ts';

const email = 'kit@example.com';

async function thrownBy(work: PromiseLike<unknown>): Promise<Error> {
  const error = await Promise.resolve(work).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('nothing was thrown');
  return error;
}

test('what the database says of a row or value it refused is not logged, where it happened is', async () => {
  await using database = await testDb();
  const { db, sql: client } = database;
  const row = JSON.stringify({ first_name: email, status: email });
  // A newline and "at", as in the frames of a stack.
  const sly = `x\n    at ${email}`;
  const errors = await Promise.all([
    thrownBy(client`select ${email}::text::inet`),
    thrownBy(client`select ${sly}::text::int`),
    thrownBy(client`insert into providers (name, zip_code, email) values (' ', '80202', ${email})`),
    thrownBy(client`select (jsonb_populate_record(null::leads, ${`{"id": ${row}}`}::text::jsonb)).id`),
    thrownBy(db.execute(sql`select ${sly}::text::int`)),
    thrownBy(db.execute(sql`select nothing from leads where email = ${sly}`)),
  ]);
  for (const error of errors) {
    expect(inspect(error)).toContain(email);
    const logged = JSON.stringify(safeError(error));
    expect(logged).not.toContain(email);
    expect(logged).toMatch(/"stack":"\w*Error: .*\\n    at .*\.[jt]s:\d+/);
  }
});

test('an error without a message, or whose message was changed, is logged with what is safe of it', () => {
  const changed = new Error(email);
  changed.message = 'failed';
  expect(JSON.stringify(safeError(changed))).not.toContain(email);
  expect(safeError(new Error())).toMatchObject({ type: 'Error', message: '' });
});
