import { eq } from 'drizzle-orm';
import { mail as copy } from '#shared/brand/mail.ts';
import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import { type RenderedMail, renderPlainMail } from '#shared/mail/mail.ts';
import { confirmAddressPath } from '#shared/pages/paths.ts';
import { publicConfig } from '#server/config/config.ts';
import type { Queryable } from '#server/db/connect.ts';
import { applicationMessages, providerApplications, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { leaseDue, sendPlain } from '../mail/plainMessages.ts';
import { signAddress } from '../providers/confirmAddress.ts';
import { findObstacle } from './applicationMail.ts';
import { endMessages, endOldMessages, recordResult } from './applicationMessages.ts';
import { isAnswerWaiting } from './decideApplication.ts';

type AnswerServices = Pick<Services, 'config' | 'db' | 'dataKeys' | 'mail' | 'now'>;

/** An answer with its application and, after an approval, the present address of its provider. */
async function findAnswer(db: Queryable, id: string) {
  const [row] = await db
    .select({
      kind: applicationMessages.kind,
      application: providerApplications,
      provider: { id: providers.id, email: providers.email },
    })
    .from(applicationMessages)
    .innerJoin(providerApplications, eq(providerApplications.id, applicationMessages.applicationId))
    .leftJoin(providers, eq(providers.id, providerApplications.providerId))
    .where(eq(applicationMessages.id, id));
  return row ?? null;
}

type Answer = NonNullable<Awaited<ReturnType<typeof findAnswer>>>;

/**
 * Mails staff's due answers to applicants: the link that confirms a new provider's address, and that an application was
 * declined. Those that aren't accepted are due again in an hour, for two days, unless the recipient is refused for good.
 * No limit of strangers' messages counts them. Any number of processes may call it. Returns how many were sent.
 */
export async function mailAnswers(services: AnswerServices): Promise<number> {
  const { db, mail } = services;
  await endOldMessages(db);
  if (mail.mailer.heldReason() !== null) return 0;
  let sent = 0;
  for (const id of await leaseDue(db, applicationMessages, isAnswerWaiting)) {
    const answer = await findAnswer(db, id);
    if (answer !== null && (await mailAnswer(services, id, answer))) sent += 1;
  }
  return sent;
}

/** Makes one attempt. Returns whether the message was accepted. */
async function mailAnswer(services: AnswerServices, id: string, answer: Answer): Promise<boolean> {
  const { db } = services;
  const isThis = eq(applicationMessages.id, id);
  const { application, provider } = answer;
  const email = provider?.email ?? application.email;
  const obstacle = await findObstacle(services, { ...application, email });
  if (obstacle !== null) {
    await endMessages(db, isThis, { state: 'withheld', reason: obstacle });
    return false;
  }
  const rendered = renderAnswer(services, answer);
  const result = await sendPlain(services, {
    id,
    address: deliverableEmail(email),
    rendered,
    hasNoContact: false,
  });
  await recordResult(db, isThis, result);
  return result.outcome === 'delivered';
}

function renderAnswer({ config, now }: AnswerServices, { application, provider }: Answer): RenderedMail {
  const { id, zipCode } = application;
  const { contacts, secretKeys } = config;
  if (provider === null) {
    const text = copy.applicationDeclined;
    return renderPlainMail(text.subject, [
      text.thanks(id, zipCode),
      text.text,
      text.again,
      text.questions(contacts.email),
      text.sender(contacts.postalAddress),
    ]);
  }
  const text = copy.applicationApproved;
  const path = confirmAddressPath(signAddress(secretKeys, provider, now()));
  return renderPlainMail(text.subject, [
    text.accepted(id, zipCode),
    text.confirm,
    { href: `${publicConfig(config).mainOrigin}${path}` },
    text.button,
    text.next,
    text.questions(contacts.email),
    text.notYou(contacts.email),
    text.sender(contacts.postalAddress),
  ]);
}
