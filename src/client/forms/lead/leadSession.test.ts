import { expect, test, vi } from 'vitest';
import {
  createLeadSession,
  type LeadApi,
  type LeadSessionOptions,
  type SubmitOutcome,
} from './leadSession.ts';
import type { ConsentedValues } from './leadValues.ts';

const values: ConsentedValues = {
  first_name: 'Ada',
  last_name: 'Vale',
  email: 'ada@example.com',
  phone: '(303) 555-0142',
  zip_code: '80202',
  acceptance_consent: true,
  acceptance_message: 'I consent.',
  website: '',
  seller_shown: '',
};

const created: SubmitOutcome = { kind: 'created', providerId: 7 };
const offline: SubmitOutcome = { kind: 'offline' };
const refused: SubmitOutcome = { kind: 'refused', message: 'No.', fields: {} };

/** A far side that records what it is sent and gives the prepared answers in turn. */
function farSide(answers: (SubmitOutcome | Promise<SubmitOutcome>)[]) {
  const sent: { body: string; key: string; token: string | undefined; providerId: number | undefined }[] = [];
  let tokens = 0;
  const api: LeadApi = {
    fetchFormToken: () => Promise.resolve({ token: `token-${(tokens += 1)}`, minAgeMs: 3000 }),
    createLead: (input, key) => {
      sent.push({
        body: JSON.stringify(input),
        key,
        token: String(input.token),
        providerId: input.providerId,
      });
      return Promise.resolve(answers.shift() ?? created);
    },
  };
  return { sent, api };
}

/** A clock that jumps to the end of each wait but one for a time-out, which never comes. */
function fastClock() {
  let nowMs = 1_000_000;
  return {
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
    wait: (ms: number) => {
      if (ms === 5000) return new Promise<void>(() => {});
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

function session(api: LeadApi, options: Partial<LeadSessionOptions> = {}) {
  return createLeadSession({
    form: 'landing',
    providerId: null,
    pageToken: 'page-token',
    loadApi: () => Promise.resolve(api),
    attribution: undefined,
    isOnline: () => true,
    clock: fastClock(),
    ...options,
  });
}

test('a try repeated after a lost answer sends the same key and the same body', async () => {
  const { api, sent } = farSide([offline, created]);
  const view = session(api);
  await view.submit(values);
  await view.submit({ ...values });
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('an unchanged try after a refusal keeps its key', async () => {
  const { api, sent } = farSide([refused, created]);
  const view = session(api);
  await view.submit(values);
  await view.submit(values);
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test.each([
  ['a refusal', refused],
  ['a lost answer', offline],
])('an edit after %s is sent under a new key', async (_name, answer) => {
  const { api, sent } = farSide([answer, created]);
  const view = session(api);
  await view.submit(values);
  await view.submit({ ...values, phone: '303 555 0143' });
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('after a stored lead the next one has a new key', async () => {
  const { api, sent } = farSide([created, created]);
  const view = session(api);
  await view.submit(values);
  await view.submit(values);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('a try older than the server keeps its key starts afresh, token included', async () => {
  const { api, sent } = farSide([offline, created]);
  const clock = fastClock();
  const view = session(api, { clock });
  await view.submit(values);
  clock.advance(21 * 60 * 60 * 1000);
  await view.submit(values);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
  expect(sent.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
});

test('a second submit while the first is under way sends nothing', async () => {
  const answer = Promise.withResolvers<SubmitOutcome>();
  const { api, sent } = farSide([answer.promise]);
  const view = session(api);
  const first = view.submit(values);
  expect(view.submit(values)).toBeNull();
  answer.resolve(created);
  expect(await first).toEqual(created);
  expect(sent).toHaveLength(1);
  expect(view.submit(values)).not.toBeNull();
});

test('a submit waits until the render token is old enough', async () => {
  const { api, sent } = farSide([created]);
  const clock = fastClock();
  const startMs = clock.now();
  const view = session(api, { clock });
  view.touch();
  await view.submit(values);
  expect(sent).toHaveLength(1);
  expect(clock.now() - startMs).toBe(3000);
});

test('a visitor who took longer than that is not kept waiting', async () => {
  const { api } = farSide([created]);
  const clock = fastClock();
  const fetched = vi.spyOn(api, 'fetchFormToken');
  const view = session(api, { clock });
  view.touch();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  await Promise.resolve();
  clock.advance(60_000);
  const beforeMs = clock.now();
  await view.submit(values);
  expect(clock.now()).toBe(beforeMs);
});

test('touching the form again and again fetches one token, a day later a new one', async () => {
  const { api, sent } = farSide([created]);
  const clock = fastClock();
  const view = session(api, { clock });
  view.touch();
  view.touch();
  clock.advance(21 * 60 * 60 * 1000);
  view.touch();
  await view.submit(values);
  expect(sent[0]?.token).toBe('token-2');
});

test('the page’s own token is sent when none can be fetched', async () => {
  const { api, sent } = farSide([created]);
  const view = session({ ...api, fetchFormToken: () => Promise.reject(new Error('away')) });
  await view.submit(values);
  expect(sent[0]?.token).toBe('page-token');
});

test('a microsite’s lead names its clinic, any other lead names none', async () => {
  const { api, sent } = farSide([created, created]);
  await session(api, { providerId: 12 }).submit(values);
  await session(api).submit(values);
  expect(sent.map(({ providerId }) => providerId)).toEqual([12, undefined]);
});

test('sending code that does not load leaves the lead to the browser’s own post, unless the network is gone', async () => {
  const { api } = farSide([]);
  const loadApi = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  expect(await session(api, { loadApi }).submit(values)).toEqual({ kind: 'scriptMissing' });
  expect(await session(api, { loadApi, isOnline: () => false }).submit(values)).toEqual({ kind: 'offline' });
});

test('sending code is asked for again after a failed load', async () => {
  const { api, sent } = farSide([created]);
  const loads = [() => Promise.reject(new TypeError('offline')), () => Promise.resolve(api)];
  const view = session(api, {
    loadApi: () => loads.shift()?.() ?? Promise.resolve(api),
    isOnline: () => false,
  });
  await view.submit(values);
  expect(await view.submit(values)).toEqual(created);
  expect(sent).toHaveLength(1);
});
