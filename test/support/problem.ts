import { expect } from 'vitest';
import type { Answer } from './testApp.ts';

interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  error: string;
  errors?: Record<string, string>;
  requestId: string;
}

/** The problem+json of an answer, whose parts agree with each other and with the headers. */
export function toProblem(answer: Answer): Problem {
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  const body = answer.json() as Problem;
  expect(body).toMatchObject({
    status: answer.status,
    error: body.detail,
    requestId: answer.headers['x-request-id'],
  });
  return body;
}
