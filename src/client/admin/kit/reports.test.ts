import { expect, test } from 'vitest';
import { ApiError, noDataMessage } from '#client/api/apiError.ts';
import { meets } from '#test/support/meets.ts';
import { failureText } from './reports.ts';

const fallback = 'Failed to load leads';

test.each([
  ['the server’s sentence', new ApiError(409, '{"error":"Lead not found"}'), 'Lead not found'],
  ['the status and body of another response', new ApiError(502, 'Bad Gateway'), '502: Bad Gateway'],
  ['the message of an empty response', new ApiError(null, noDataMessage), noDataMessage],
  ['the default without a response', new ApiError(null, 'Failed to fetch'), fallback],
  ['the default for another error', new TypeError('x is undefined'), fallback],
])('a failure shows %s', (_, error, text) => {
  meets('P8.error.32');
  expect(failureText(error, fallback)).toBe(text);
});
