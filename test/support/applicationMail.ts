import { expect } from 'vitest';
import { applicationConsent } from '#shared/brand/application.ts';
import type { ApplicationCreateInput } from '#shared/applications/applications.ts';
import { applicationInput } from './applicationInput.ts';
import { formToken } from './formToken.ts';
import { mailServer, type MailServer, type Received } from '#scripts/demo/mailServer.ts';
import { type TestApp, testApp, type TestAppOptions } from './testApp.ts';

export const applicationsPath = '/api/provider-applications';
/** The contact address, which gets the notices. */
export const staffAddress = 'team@main.example';

export interface ApplicationMail extends AsyncDisposable {
  app: TestApp;
  server: MailServer;
  /** Applies by the form. Returns the number. */
  apply: (overrides?: Partial<ApplicationCreateInput>) => Promise<number>;
  /** What became of a message. */
  stateOf: (id: number, kind?: 'receipt' | 'notice') => Promise<[state: string, reason: string | null]>;
  /** Moves what waits, and what was attempted, an hour to the past. */
  hourLater: () => Promise<unknown>;
  receivedBy: (address: string) => Received[];
}

/** The application with a mail server, for what applications send. */
export async function setUpApplications(
  options: Parameters<typeof mailServer>[0] = {},
  { env = {}, ...rest }: TestAppOptions = {},
): Promise<ApplicationMail> {
  const server = await mailServer(options);
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' };
  const app = await testApp({ ...rest, env: { ...smtp, CONTACT_EMAIL: staffAddress, ...env } });
  return {
    app,
    server,
    apply: async (overrides = {}) => {
      const shown = { token: formToken('application'), acceptance_message: applicationConsent.text };
      const answer = await app.post(applicationsPath, applicationInput({ ...shown, ...overrides }));
      expect(answer.status).toBe(201);
      return Number(Reflect.get(Object(answer.json()), 'id'));
    },
    stateOf: async (id, kind = 'receipt') => {
      const [row] = await app.sql<{ state: string; reason: string | null }[]>`
        select state, reason from application_messages where application_id = ${id} and kind = ${kind}`;
      return [row?.state ?? 'none', row?.reason ?? null];
    },
    hourLater: () => app.sql`
      update application_messages set next_attempt_at = next_attempt_at - interval '1 hour',
        attempted_at = attempted_at - interval '1 hour'`,
    receivedBy: (address) => server.received.filter(({ to }) => to.includes(address)),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
