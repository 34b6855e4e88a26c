import { Button } from '@react-email/components';
import { mail } from '#shared/brand/mail.ts';
import { leadOutcomes } from '#shared/leadOutcomes.ts';
import type { MailProps } from '#shared/mail.ts';
import { MailFrame } from './MailFrame.tsx';
import { ConsentPart, MailButton, MailHeading, MailText, MailTitle, PersonPart } from './mailParts.tsx';
import { mailClass, mailStyle } from './mailStyle.ts';

const words = mail.clinicLead;

/** To the clinic: the call first, then who it is, what they agreed to, and how it went. */
export function ClinicLead({ site, person, consent, cameFrom, outcomeHrefs }: MailProps['clinicLead']) {
  return (
    <MailFrame
      site={site}
      subject={words.subject(person.zipCode)}
      preview={words.preview}
      why={mail.footer.toClinic}
    >
      <MailHeading>{words.heading(person.name)}</MailHeading>
      <MailText>
        <MailButton href={person.phoneHref}>{words.call(person.phone)}</MailButton>
      </MailText>
      <PersonPart person={person} cameFrom={cameFrom} />
      <ConsentPart title={mail.consent.titleForClinic} consent={consent} />
      <MailTitle>{words.outcomeTitle}</MailTitle>
      <MailText>{words.outcomeText}</MailText>
      {leadOutcomes.map((outcome) => (
        <Button
          key={outcome}
          href={outcomeHrefs[outcome]}
          className={mailClass.quiet}
          style={mailStyle.quietButton}
        >
          {words.outcomes[outcome]}
        </Button>
      ))}
    </MailFrame>
  );
}
