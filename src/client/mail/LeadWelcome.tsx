import { mail } from '#shared/brand/mail.ts';
import type { MailProvider, MailProps } from '#shared/mail/mail.ts';
import { MailFrame } from './MailFrame.tsx';
import {
  ConsentPart,
  MailButton,
  MailHeading,
  MailLink,
  MailText,
  MailTitle,
  WithdrawPart,
} from './mailParts.tsx';

const copy = mail.welcome;

/** To the lead: what happens next, who will call, what was agreed to, how to end it. */
export function LeadWelcome({ site, firstName, provider, consent, withdrawHref }: MailProps['leadWelcome']) {
  return (
    <MailFrame site={site} subject={copy.subject} preview={copy.preview} why={mail.footer.toLead}>
      <MailHeading>{copy.heading(firstName)}</MailHeading>
      <MailText>{copy.lead}</MailText>
      <MailTitle>{copy.nextTitle}</MailTitle>
      {copy.next(provider.name).map((sentence) => (
        <MailText key={sentence}>{sentence}</MailText>
      ))}
      <ProviderPart provider={provider} />
      <ConsentPart title={mail.consent.title} consent={consent} />
      <WithdrawPart href={withdrawHref} />
    </MailFrame>
  );
}

function ProviderPart({ provider }: { provider: MailProvider }) {
  const { name, phone, phoneHref, address, siteHref } = provider;
  return (
    <>
      <MailTitle>{copy.providerTitle}</MailTitle>
      <MailText>
        <strong>{name}</strong>
        {[phone, address].map((line) =>
          line === null ? null : (
            <span key={line}>
              <br />
              {line}
            </span>
          ),
        )}
      </MailText>
      {phoneHref === null ? null : (
        <MailText>
          <MailButton href={phoneHref}>{copy.call}</MailButton>
        </MailText>
      )}
      <MailText>
        <MailLink href={siteHref}>{copy.visit}</MailLink>
      </MailText>
    </>
  );
}
