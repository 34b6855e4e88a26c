import { expect, test, vi } from 'vitest';
import {
  createFormSession,
  type FormApi,
  type FormSessionOptions,
  type SubmitOutcome,
  fetchTimeoutMs,
} from './formSession.ts';
import { waitFor } from '#test/support/waitFor.ts';
import { meets } from '#test/support/meets.ts';

interface Values {
  email: string;
}
interface Input extends Values {
  token: string;
}
type Outcome = SubmitOutcome<number>;
type Options = FormSessionOptions<Values, Input, number>;

const values: Values = { email: 'ada@example.com' };
const created: Outcome = { kind: 'created', created: 7 };
const offline: Outcome = { kind: 'offline' };
const refused: Outcome = { kind: 'refused', message: 'No.', errorMessage: null, fields: {} };

/** A server that records each request and returns the given outcomes in turn. */
function recordingServer(outcomes: (Outcome | Promise<Outcome>)[]) {
  const sent: { body: string; key: string; token: string }[] = [];
  let tokens = 0;
  const api: FormApi<Input, number> = {
    fetchFormToken: () => Promise.resolve({ token: `token-${(tokens += 1)}`, minAgeMs: 3000 }),
    create: (input, key) => {
      sent.push({ body: JSON.stringify(input), key, token: input.token });
      return Promise.resolve(outcomes.shift() ?? created);
    },
  };
  return { sent, api };
}

/** A clock that jumps to the end of each wait, except for the fetch timeout, which never comes. */
function fastClock() {
  let nowMs = 1_000_000;
  return {
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
    wait: (ms: number) => {
      if (ms === fetchTimeoutMs) return new Promise<void>(() => {});
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

function session(api: FormApi<Input, number>, options: Partial<Options> = {}) {
  return createFormSession<Values, Input, number>({
    pageToken: 'page-token',
    loadApi: () => Promise.resolve(api),
    toInput: (entered, token) => ({ ...entered, token }),
    computeFingerprint: ({ email }) => email,
    isOnline: () => true,
    clock: fastClock(),
    ...options,
  });
}

test('a retry after a lost response sends the same key and the same body', async () => {
  meets('D.leads.66');
  const { api, sent } = recordingServer([offline, created]);
  const view = session(api);
  await view.submit(values);
  await view.submit({ ...values });
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('an unchanged retry after a refusal keeps its key', async () => {
  const { api, sent } = recordingServer([refused, created]);
  const view = session(api);
  await view.submit(values);
  await view.submit(values);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test.each([
  ['a refusal', refused],
  ['a lost response', offline],
])('an edit after %s is sent with a new key', async (_name, outcome) => {
  const { api, sent } = recordingServer([outcome, created]);
  const view = session(api);
  await view.submit(values);
  await view.submit({ email: 'ada.vale@example.com' });
  expect(sent).toHaveLength(2);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('the next submission after a stored one has a new key', async () => {
  const { api, sent } = recordingServer([created, created]);
  const view = session(api);
  await view.submit(values);
  await view.submit(values);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('an attempt older than the server keeps its key is sent with a new key and token', async () => {
  const { api, sent } = recordingServer([offline, created]);
  const clock = fastClock();
  const view = session(api, { clock });
  await view.submit(values);
  clock.advance(21 * 60 * 60 * 1000);
  await view.submit(values);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
  expect(sent.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
});

test('a second submit while the first is pending sends nothing', async () => {
  const response = Promise.withResolvers<Outcome>();
  const { api, sent } = recordingServer([response.promise]);
  const view = session(api);
  const first = view.submit(values);
  expect(view.submit(values)).toBeNull();
  response.resolve(created);
  expect(await first).toEqual(created);
  expect(sent).toHaveLength(1);
  expect(view.submit(values)).not.toBeNull();
});

test('a submit waits until the form token is old enough', async () => {
  const { api, sent } = recordingServer([created]);
  const clock = fastClock();
  const startMs = clock.now();
  const view = session(api, { clock });
  view.touch();
  await view.submit(values);
  expect(sent).toHaveLength(1);
  expect(clock.now() - startMs).toBe(3000);
});

test('a visitor who took longer than that does not wait', async () => {
  meets('D.leads.87');
  const { api } = recordingServer([created]);
  const clock = fastClock();
  const fetched = vi.spyOn(api, 'fetchFormToken');
  const view = session(api, { clock });
  view.touch();
  await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  await Promise.resolve();
  clock.advance(60_000);
  const beforeMs = clock.now();
  await view.submit(values);
  expect(clock.now()).toBe(beforeMs);
});

test('repeated touches fetch one token, and a new one a day later', async () => {
  meets('D.leads.87');
  const { api, sent } = recordingServer([created]);
  const clock = fastClock();
  const view = session(api, { clock });
  view.touch();
  view.touch();
  clock.advance(21 * 60 * 60 * 1000);
  view.touch();
  await view.submit(values);
  expect(sent[0]?.token).toBe('token-2');
});

test('the page’s token is sent if the session cannot fetch its own', async () => {
  const { api, sent } = recordingServer([created]);
  const view = session({ ...api, fetchFormToken: () => Promise.reject(new Error('away')) });
  await view.submit(values);
  expect(sent[0]?.token).toBe('page-token');
});

test('code that fails to load leaves the submit to the browser, or reports offline', async () => {
  const { api } = recordingServer([]);
  const loadApi = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  expect(await session(api, { loadApi }).submit(values)).toEqual({ kind: 'scriptMissing' });
  expect(await session(api, { loadApi, isOnline: () => false }).submit(values)).toEqual({ kind: 'offline' });
});

test('code that failed to load is requested again by the next submit', async () => {
  const { api, sent } = recordingServer([created]);
  const loads = [() => Promise.reject(new TypeError('offline')), () => Promise.resolve(api)];
  const view = session(api, {
    loadApi: () => loads.shift()?.() ?? Promise.resolve(api),
    isOnline: () => false,
  });
  await view.submit(values);
  expect(await view.submit(values)).toEqual(created);
  expect(sent).toHaveLength(1);
});

const errorPage: Outcome = { kind: 'refused', message: null, errorMessage: '403: Blocked', fields: {} };

test.each([
  ['lost responses', offline, offline],
  ['another server’s answers', errorPage, errorPage],
  ['both', offline, errorPage],
])('after two %s the plain form has the same submission and key', async (_name, first, second) => {
  const { api, sent } = recordingServer([first, second]);
  const view = session(api, { isReachable: () => Promise.resolve(true) });
  expect(await view.submit(values)).toEqual(first);
  const fields = { email: 'ada@example.com', token: 'token-1', idempotency_key: sent[0]?.key };
  expect(await view.submit(values)).toEqual({ kind: 'blocked', fields });
  expect(sent).toHaveLength(2);
});

test.each([
  [
    'the server itself refused in between',
    [offline, refused, offline],
    { isReachable: true, isOnline: true },
  ],
  ['the site doesn’t respond either', [offline, offline], { isReachable: false, isOnline: true }],
  ['the browser is offline', [offline, offline], { isReachable: true, isOnline: false }],
] as const)('the page isn’t left if %s', async (_name, outcomes, { isReachable, isOnline }) => {
  const { api } = recordingServer([...outcomes]);
  const view = session(api, { isReachable: () => Promise.resolve(isReachable), isOnline: () => isOnline });
  const kinds: unknown[] = [];
  for (const { kind } of outcomes) kinds.push([kind, (await view.submit(values))?.kind]);
  expect(kinds).toEqual(outcomes.map(({ kind }) => [kind, kind]));
});
