import { mail } from '#shared/brand/mail.ts';
import type { MailProps } from '#shared/mail/mail.ts';
import { mailDate } from './mailDate.ts';
import { MailFrame, Muted } from './MailFrame.tsx';
import { MailHeading, MailText } from './mailParts.tsx';

const words = mail.erased;

/** To the clinic: this person was erased here, and must be there. */
export function LeadErased({ site, leadId, erasedAt }: MailProps['leadErased']) {
  return (
    <MailFrame
      site={site}
      subject={words.subject(leadId)}
      preview={words.preview}
      why={mail.footer.toProvider}
    >
      <MailHeading>{words.heading(leadId)}</MailHeading>
      <MailText>{words.text}</MailText>
      <MailText>{words.todo}</MailText>
      <MailText>{words.find}</MailText>
      <Muted>{words.at(mailDate(erasedAt))}</Muted>
    </MailFrame>
  );
}
