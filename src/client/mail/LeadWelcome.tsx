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

const words = mail.welcome;

/** To the lead: what happens next, who will call, what was agreed to, how to end it. */
export function LeadWelcome({ site, firstName, provider, consent, withdrawHref }: MailProps['leadWelcome']) {
  return (
    <MailFrame site={site} subject={words.subject} preview={words.preview} why={mail.footer.toLead}>
      <MailHeading>{words.heading(firstName)}</MailHeading>
      <MailText>{words.lead}</MailText>
      <MailTitle>{words.nextTitle}</MailTitle>
      {words.next(provider.name).map((sentence) => (
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
      <MailTitle>{words.providerTitle}</MailTitle>
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
          <MailButton href={phoneHref}>{words.call}</MailButton>
        </MailText>
      )}
      <MailText>
        <MailLink href={siteHref}>{words.visit}</MailLink>
      </MailText>
    </>
  );
}
