import { mail } from '#shared/brand/mail.ts';
import type { MailProps } from '#shared/mail/mail.ts';
import { mailDate } from './mailDate.ts';
import { MailFrame, Muted } from './MailFrame.tsx';
import { MailHeading, MailText } from './mailParts.tsx';

const copy = mail.erased;

/** To the clinic: this person was erased here, and must be there. */
export function LeadErased({ site, leadId, erasedAt }: MailProps['leadErased']) {
  return (
    <MailFrame site={site} subject={copy.subject(leadId)} preview={copy.preview} why={mail.footer.toProvider}>
      <MailHeading>{copy.heading(leadId)}</MailHeading>
      <MailText>{copy.text}</MailText>
      <MailText>{copy.todo}</MailText>
      <MailText>{copy.find}</MailText>
      <Muted>{copy.at(mailDate(erasedAt))}</Muted>
    </MailFrame>
  );
}
