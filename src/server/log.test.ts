import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { testDb } from '#test/support/testDb.ts';
import { safeError, continueTrace, traceFields, traceHeaders, withTrace } from './log.ts';
import * as fc from 'fast-check';

const email = 'kit@example.com';

async function thrownBy(work: PromiseLike<unknown>): Promise<Error> {
  const error = await Promise.resolve(work).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('nothing was thrown');
  return error;
}

test('what the database says of a refused row is not logged, only where it happened', async () => {
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

test('an error without a message, or with a changed one, is logged with what is safe', () => {
  const changed = new Error(email);
  changed.message = 'failed';
  expect(JSON.stringify(safeError(changed))).not.toContain(email);
  expect(safeError(new Error())).toMatchObject({ type: 'Error', message: '' });
});

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const header = `00-${id}-00f067aa0ba902b7-01`;

test.each([
  ['sampled', header, '01'],
  ['not sampled', `00-${id}-00f067aa0ba902b7-00`, '00'],
  ['with flags that are not known', `00-${id}-00f067aa0ba902b7-fe`, '00'],
  ['of a later version with another field', `01-${id}-00f067aa0ba902b7-01-more`, '01'],
])('a trace %s is continued, with a new parent', (_name, given, flags) => {
  const [fields, headers] = continueTrace(given, () => [traceFields(), traceHeaders()]);
  expect(fields).toEqual({ traceId: id });
  expect(headers).toEqual({
    traceparent: expect.stringMatching(new RegExp(`^00-${id}-[0-9a-f]{16}-${flags}$`)),
  });
  expect(JSON.stringify(headers)).not.toContain('00f067aa0ba902b7');
});

test.each([
  undefined,
  '',
  [header, header],
  `${header}, ${header}`,
  `${header}-more`,
  header.toUpperCase(),
  ` ${header}`,
  `ff${header.slice(2)}`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${id}-${'0'.repeat(16)}-01`,
  `00-${id}-00f067aa0ba902b7-0`,
  `00-${id}-00f067aa0ba902b7-01\n`,
])('the header %j names no trace', (given) => {
  continueTrace(given, () => {
    expect([traceFields(), traceHeaders()]).toEqual([{}, {}]);
  });
});

test('no header makes it throw, and only hexadecimal digits are passed on', () => {
  fc.assert(
    fc.property(fc.string(), (given) => {
      const passed = continueTrace(given, traceHeaders)['traceparent'] ?? '00-none';
      expect(passed).toMatch(/^00-(?:none$|[0-9a-f]{32}-[0-9a-f]{16}-0[01]$)/);
    }),
  );
});

test('work without a trace gets a new one, which lasts through its promises', async () => {
  const [one, other] = await Promise.all([
    withTrace(async () => {
      const before = traceFields();
      await Promise.resolve();
      return [before, traceFields()];
    }),
    withTrace(() => Promise.resolve([traceFields()])),
  ]);
  expect(one[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(one[1]).toEqual(one[0]);
  expect(other[0]).not.toEqual(one[0]);
  expect(traceFields()).toEqual({});
  continueTrace(header, () => {
    expect(withTrace(traceFields)).toEqual({ traceId: id });
  });
});
