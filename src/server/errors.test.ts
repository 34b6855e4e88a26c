import { expect, test } from 'vitest';
import { AppError, toAppError } from './errors.ts';

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
])('a database that is away (%s) is 503 with a time to come back, however deep the reason lies', (code) => {
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
