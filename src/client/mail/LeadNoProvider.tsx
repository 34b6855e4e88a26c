import { mail } from '#shared/brand/mail.ts';
import type { MailProps } from '#shared/mail/mail.ts';
import { MailFrame } from './MailFrame.tsx';
import { ConsentPart, MailHeading, MailText, MailTitle, WithdrawPart } from './mailParts.tsx';

const copy = mail.noProvider;

/** To the lead, when no clinic was found. */
export function LeadNoProvider({
  site,
  firstName,
  zipCode,
  consent,
  withdrawHref,
}: MailProps['leadNoProvider']) {
  return (
    <MailFrame site={site} subject={copy.subject} preview={copy.preview} why={mail.footer.toLead}>
      <MailHeading>{copy.heading(firstName)}</MailHeading>
      <MailText>{copy.lead(zipCode)}</MailText>
      <MailTitle>{copy.nextTitle}</MailTitle>
      {copy.next.map((sentence) => (
        <MailText key={sentence}>{sentence}</MailText>
      ))}
      <ConsentPart title={mail.consent.title} consent={consent} />
      <WithdrawPart href={withdrawHref} />
    </MailFrame>
  );
}
