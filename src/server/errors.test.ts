import { expect, test } from 'vitest';
import { AppError, toAppError } from './errors.ts';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { everyProcedure } from '#test/support/procedures.ts';
import { getToken } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';
import { fromTrpcError } from './procedures.ts';

function failure(code: string): Error {
  return new Error('Failed query', { cause: Object.assign(new Error('the reason'), { code }) });
}

test.each([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  '57P01',
  '08006',
  '25006',
  '53100',
  '40P01',
])('a database that is away (%s) is 503 with Retry-After, however deep the reason', (code) => {
  expect(toAppError(failure(code))).toMatchObject({ status: 503, retryAfterSeconds: 5 });
});

test.each(['23505', '42P01', 'ERR_INVALID_ARG_TYPE'])('a fault of ours (%s) is a masked 500', (code) => {
  const error = toAppError(failure(code));
  expect(error.status).toBe(500);
  expect(error.message).not.toContain('Failed query');
});

test('an error of the domain stays itself, wrapped or not', () => {
  const error = new AppError('CONFLICT', 'Taken.');
  expect([toAppError(error), toAppError(new Error('wrapped', { cause: error }))]).toEqual([error, error]);
});

const wrongValues = [
  ...[undefined, null, true, -1, 1.5, 1e99, '', 'x', 'x'.repeat(40_000)],
  ...[{}, { x: 1 }, [], [null], [1.5], ['x'], Array.from({ length: 2_000 }, () => 1)],
];

const librarySentence =
  /Invalid (?:input|option|string|number|key|value|discriminator|ISO|UUID|URL|email address)|Too (?:small|big)|Unrecognized key|[Ee]xpected|, received |pattern/;

/** What the caller of a procedure is answered. */
function answersTo(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input);
  if (error === undefined) return [];
  const { message, fields } = fromTrpcError(new TRPCError({ code: 'BAD_REQUEST', cause: error }));
  return [message, ...Object.values(fields ?? {})];
}

test('no procedure answers wrong types with a sentence of the library', () => {
  const answers = everyProcedure.flatMap(({ path, input }) => {
    if (input === null) return [];
    const object = input instanceof z.ZodOptional ? input.unwrap() : input;
    const fields = object instanceof z.ZodObject ? Object.keys(object.shape) : [];
    return [...wrongValues, ...fields.flatMap((field) => wrongValues.map((value) => ({ [field]: value })))]
      .flatMap((value) => answersTo(input, value))
      .map((sentence) => `${path}: ${sentence}`);
  });
  expect(answers.length).toBeGreaterThan(1_000);
  expect(answers.filter((answer) => librarySentence.test(answer))).toEqual([]);
});

const ten = Array.from({ length: 10 }, (_, index) => index);

test.each<[z.ZodType, unknown, string]>([
  [z.date(), 'today', 'Enter a date.'],
  [z.record(z.string(), z.string()), 7, 'Send an object.'],
  [z.map(z.string(), z.string()), 7, 'This value is not valid.'],
  [z.literal('t'), 'f', 'The only choice is t.'],
  [z.string().min(3), 'ab', 'Use at least 3 characters.'],
  [z.array(z.int()).min(2), [1], 'Send at least 2 values.'],
  [z.array(z.int()).max(9), ten, 'Send at most 9 values.'],
  [z.number().gt(1_000), 1_000, 'Enter more than 1,000.'],
  [z.number().lt(5), 5, 'Enter less than 5.'],
  [z.number().multipleOf(5), 7, 'Enter a multiple of 5.'],
  [z.uuid(), 'x', 'Enter a UUID.'],
  [z.string().regex(/^a$/), 'b', 'This value has the wrong format.'],
  [z.strictObject({}), { extra: 1 }, 'There is an unknown field.'],
  [z.union([z.literal('on'), z.int()]), 'off', 'This value is not valid.'],
  [z.record(z.uuid(), z.int()), { x: 1 }, 'This value is not valid.'],
  [z.custom<never>(() => false), 'x', 'This value is not valid.'],
])('%#: a wrong value is answered by a sentence that says what to enter', (schema, value, sentence) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(sentence);
});

test('wrong values by REST are answered with sentences for people', async () => {
  await using app = await testApp();
  const headers = {
    ...(await getToken(app, ['leads:read', 'leads:write'])),
    'content-type': 'application/json',
  };
  const assigned = await app.request('PATCH', '/api/leads/1/provider', {
    headers,
    body: JSON.stringify({ providerId: '7' }),
  });
  expect([assigned.status, assigned.json()]).toMatchObject([
    422,
    { error: 'Enter a whole number.', errors: { providerId: 'Enter a whole number.' } },
  ]);
  for (const [query, sentence] of [
    ['limit=101', 'Enter 100 or less.'],
    ['page=x', 'Enter a whole number.'],
    ['page=0', 'Enter 1 or more.'],
    ['status=odd', 'Choose one of: pending, success, failed.'],
  ] as const)
    expect([query, (await app.get(`/api/leads?${query}`, headers)).json()]).toMatchObject([
      query,
      { error: sentence },
    ]);
});
