import { mail } from '#shared/brand/mail.ts';
import type { MailProps } from '#shared/mail/mail.ts';
import { mailDate } from './mailDate.ts';
import { MailFrame, Muted } from './MailFrame.tsx';
import { Fact, MailHeading, MailText } from './mailParts.tsx';

const copy = mail.withdrawn;
const { facts, emailNotPrinted } = mail.providerLead;

/** To the clinic: this person withdrew. */
export function LeadWithdrawn({ site, person, withdrawnAt }: MailProps['leadWithdrawn']) {
  return (
    <MailFrame site={site} subject={copy.subject} preview={copy.preview} why={mail.footer.toProvider}>
      <MailHeading>{copy.heading}</MailHeading>
      <MailText>{copy.text}</MailText>
      {/* No links: one tap must not call them. */}
      <Fact name={facts.number}>{mail.providerLead.number(person.leadId)}</Fact>
      <Fact name={facts.name}>{person.name}</Fact>
      <Fact name={facts.phone}>{person.phone}</Fact>
      <Fact name={facts.email}>{person.email ?? emailNotPrinted}</Fact>
      <Muted>{copy.at(mailDate(withdrawnAt))}</Muted>
    </MailFrame>
  );
}
