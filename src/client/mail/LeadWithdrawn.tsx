import { mail } from '#shared/brand/mail.ts';
import type { MailProps } from '#shared/mail/mail.ts';
import { mailDate } from './mailDate.ts';
import { MailFrame, Muted } from './MailFrame.tsx';
import { Fact, MailHeading, MailText } from './mailParts.tsx';

const words = mail.withdrawn;
const { facts, emailNotPrinted } = mail.providerLead;

/** To the clinic: this person withdrew. */
export function LeadWithdrawn({ site, person, withdrawnAt }: MailProps['leadWithdrawn']) {
  return (
    <MailFrame site={site} subject={words.subject} preview={words.preview} why={mail.footer.toProvider}>
      <MailHeading>{words.heading}</MailHeading>
      <MailText>{words.text}</MailText>
      {/* No links: one tap must not call them. */}
      <Fact name={facts.number}>{mail.providerLead.number(person.leadId)}</Fact>
      <Fact name={facts.name}>{person.name}</Fact>
      <Fact name={facts.phone}>{person.phone}</Fact>
      <Fact name={facts.email}>{person.email ?? emailNotPrinted}</Fact>
      <Muted>{words.at(mailDate(withdrawnAt))}</Muted>
    </MailFrame>
  );
}
