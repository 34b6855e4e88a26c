import { parseConfig } from '#server/config/config.ts';
import { createLead } from '#server/features/leads/intake/intake.ts';
import { createLog } from '#server/log.ts';
import { mailRenderer } from '#server/render/bundle.ts';
import { createServices } from '#server/createServices.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import { builtBundle } from './builtBundle.ts';
import { testCaller } from './caller.ts';
import { testDb, type TestDb } from './testDb.ts';
import { testSecret } from './testKeys.ts';

/** The intake on its own database, with a clock that tests control. */
export interface IntakeSetup extends AsyncDisposable {
  database: TestDb;
  services: Services;
  clock: { ms: number };
  /**
   * Sends a submission as a caller and returns the answer. One with a token comes from a page of its site, unless the
   * caller's headers say otherwise.
   */
  send: (
    input: LeadCreateInput,
    caller?: Partial<Caller>,
    requestedId?: number | null,
  ) => ReturnType<typeof createLead>;
  /** The same, sent by the landing page's form, with a token that is just old enough. */
  sendForm: (input: LeadCreateInput, caller?: Partial<Caller>) => ReturnType<typeof createLead>;
  /** A valid token of a form that was rendered five seconds ago. */
  token: (form: FormKey) => string;
  lead: (id: number) => Promise<Record<string, unknown>>;
  consent: (leadId: number) => Promise<Record<string, unknown>>;
}

export async function setUpIntake(env: Record<string, string> = {}): Promise<IntakeSetup> {
  const database = await testDb();
  const clock = { ms: Date.parse('2026-06-01T12:00:00Z') };
  const config = parseConfig({
    SECRET_KEYS: testSecret,
    RATE_LIMIT_LEADS: 'off',
    MAIN_DOMAINS: 'main.example',
    ...env,
  });
  const connection = { ...database, close: () => Promise.resolve() };
  const base = createServices({
    config,
    connection,
    log: createLog('silent'),
    renderMail: mailRenderer(await builtBundle()),
    now: () => new Date(clock.ms),
  });
  await base.tenants.start();
  const services: Services = {
    ...base,
    submissions: {
      ...base.submissions,
      formSnapshots: {
        of: (form) => (form === 'landing' ? { sha256: 'f'.repeat(64), html: '<form></form>' } : null),
      },
    },
  };
  const one = async (rows: PromiseLike<Record<string, unknown>[]>): Promise<Record<string, unknown>> => {
    const [row] = await rows;
    if (row === undefined) throw new Error('no such row');
    return row;
  };
  const send: IntakeSetup['send'] = (input, caller = {}, requestedId = null) => {
    const isScript = input.token === undefined || 'origin' in caller || 'fetchSite' in caller;
    const sender = testCaller(caller);
    const { host } = sender.site;
    const page = isScript ? {} : { origin: `https://${host}`, referrerHost: host };
    return createLead(services, { ...sender, ...page }, leadCreateInput.parse(input), requestedId);
  };
  return {
    database,
    services,
    clock,
    send,
    sendForm(input, caller) {
      const token = services.submissions.formTokens.issue('landing');
      clock.ms += services.submissions.formTokens.minAgeMs;
      return send({ ...input, form: 'landing', token }, caller);
    },
    token: (form) => {
      clock.ms -= 5_000;
      const token = base.submissions.formTokens.issue(form);
      clock.ms += 5_000;
      return token;
    },
    lead: (id) => one(database.sql`select * from leads where id = ${id}`),
    consent: (leadId) => one(database.sql`select * from consent_records where lead_id = ${leadId}`),
    async [Symbol.asyncDispose]() {
      await base.tenants.stop();
      base.mail.mailer.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The number of leads. */
export async function countLeads({ sql }: TestDb): Promise<number> {
  const [row] = await sql<{ n: string }[]>`select count(*) as n from leads`;
  return Number(row?.n);
}
