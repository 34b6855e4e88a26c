import { expect } from 'vitest';
import { type MailServer, mailServer } from '#scripts/demo/mailServer.ts';
import { testPasswordHash } from './staff.ts';
import { type Answer, type Client, testApp } from './testApp.ts';

const minuteMs = 60_000;

/** An application that sends mail to a server of the test, with a clock that the test moves. */
export async function setUpLinks() {
  const server = await mailServer();
  let ms = Date.now();
  const app = await testApp({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'We <us@main.example>',
      TRUSTED_PROXIES: '1',
      ADMIN_PASSWORD_HASH: testPasswordHash,
    },
    now: () => new Date(ms),
  });
  return {
    app,
    server,
    add: (minutes: number) => void (ms += minutes * minuteMs),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function askForLink(app: Client, email: string, ip = '203.0.113.7'): Promise<Answer> {
  return app.post('/trpc/admin.session.requestLink', { email }, { 'x-forwarded-for': ip });
}

/** The path of the link in the newest of this many messages. */
export async function getLink({ received }: MailServer, count = 1): Promise<string> {
  await expect.poll(() => received.length).toBe(count);
  const text = (await received.at(-1)?.email)?.text ?? '';
  const [, path = ''] = /(\/sign-in\/[\w.-]+)/.exec(text) ?? [];
  expect(path).not.toBe('');
  return path;
}

function getFormToken({ text }: Answer): string {
  return /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** Presses the button of the page as a browser does. */
export async function press(
  app: Client,
  path: string,
  headers: Record<string, string> = {},
  fields: Record<string, string> = {},
): Promise<Answer> {
  const token = getFormToken(await app.get(path));
  return app.post(path, new URLSearchParams({ token, ...fields }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'null',
    'sec-fetch-site': 'same-origin',
    ...headers,
  });
}

export function listCookies({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}
