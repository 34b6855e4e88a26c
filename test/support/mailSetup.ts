import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Email } from 'postal-mime';
import { expect } from 'vitest';
import {
  deliveries,
  type DeliveryInsert,
  type LeadRow,
  leads,
  type ProviderRow,
} from '#server/db/schema/index.ts';
import type { DeliveryInput, DeliveryResult } from '#server/features/outbox/types.ts';
import type { CreatedLead } from '#server/features/leads/intake/intake.ts';
import type { Caller } from '#server/caller.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { noOtherContacts } from './contactHistory.ts';
import { leadInput } from './factories.ts';
import { type IntakeSetup, setUpIntake } from './intakeSetup.ts';
import { mailServer, type MailServer } from '#scripts/demo/mailServer.ts';

export interface MailSetup extends AsyncDisposable {
  at: IntakeSetup;
  server: MailServer;
  /** Inserts a delivery and makes one attempt by its channel. */
  deliver: (
    channel: 'lead-email' | 'provider-email',
    lead: LeadRow,
    provider: ProviderRow | null,
    delivery?: Partial<DeliveryInsert>,
  ) => Promise<DeliveryResult>;
  /** A lead as the intake stores it. */
  send: (overrides?: Partial<LeadCreateInput>, caller?: Partial<Caller>) => Promise<LeadRow>;
  /** The same, sent by the landing page's form with its token. */
  sendForm: (overrides?: Partial<LeadCreateInput>) => Promise<LeadRow>;
  /** The one message that arrived. */
  arrived: () => Promise<Email>;
  /** The newest message. */
  newest: () => Promise<Email>;
}

/** The two email channels with a real mail server and leads from the real intake. */
export async function setUpMail(
  env: Record<string, string> = {},
  serverOptions: Parameters<typeof mailServer>[0] = {},
): Promise<MailSetup> {
  const server = await mailServer(serverOptions);
  const at = await setUpIntake({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'We <us@main.example>',
    ...env,
  });
  const { services } = at;
  const { db, channels } = services;
  async function getLead({ body }: CreatedLead): Promise<LeadRow> {
    const [lead] = await db.select().from(leads).where(eq(leads.id, body.id));
    if (lead === undefined) throw new Error('no lead');
    return lead;
  }
  async function newest(): Promise<Email> {
    const email = await server.received.at(-1)?.email;
    if (email === undefined) throw new Error('nothing arrived');
    return email;
  }
  return {
    at,
    server,
    async deliver(channel, lead, provider, row = {}) {
      const now = services.now();
      const [delivery] = await db
        .insert(deliveries)
        .values({ id: randomUUID(), leadId: lead.id, channel, nextAttemptAt: now, ...row })
        .returning();
      if (delivery === undefined) throw new Error('no delivery');
      const input: DeliveryInput = {
        delivery,
        lead,
        provider,
        now,
        remoteId: null,
        isKnown: false,
        isUnanswered: false,
        leftOut: [],
        contacts: noOtherContacts,
        signal: AbortSignal.timeout(15_000),
      };
      return channels[channel].deliver(input);
    },
    send: async (overrides, caller) => getLead(await at.send(leadInput(overrides), caller)),
    sendForm: async (overrides) => getLead(await at.sendForm(leadInput(overrides))),
    newest,
    arrived() {
      expect(server.received).toHaveLength(1);
      return newest();
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    },
  };
}
