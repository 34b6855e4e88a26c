import { Button } from '@react-email/components';
import { mail } from '#shared/brand/mail.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import type { MailProps } from '#shared/mail/mail.ts';
import { MailFrame } from './MailFrame.tsx';
import { ConsentPart, MailButton, MailHeading, MailText, MailTitle, PersonPart } from './mailParts.tsx';
import { mailClass, mailStyle } from './mailStyle.ts';

const copy = mail.providerLead;

/** Subjects hold nothing that anybody typed but a ZIP code. */
export function providerLeadSubject({
  person,
  correctsLeadId,
}: Pick<MailProps['providerLead'], 'person' | 'correctsLeadId'>): string {
  return correctsLeadId === null ? copy.subject(person.zipCode) : copy.correction.subject(correctsLeadId);
}

/** To the clinic: the call first, then who it is, what they agreed to, and how it went. */
export function ProviderLead(props: MailProps['providerLead']) {
  const { site, person, consent, cameFrom, correctsLeadId, outcomeHrefs } = props;
  const isNew = correctsLeadId === null;
  return (
    <MailFrame
      site={site}
      subject={providerLeadSubject(props)}
      preview={isNew ? copy.preview : copy.correction.preview}
      why={mail.footer.toProvider}
    >
      <MailHeading>{isNew ? copy.heading : copy.correction.heading(correctsLeadId)}</MailHeading>
      {isNew ? null : <MailText>{copy.correction.text(correctsLeadId)}</MailText>}
      <MailText>
        <MailButton href={person.phoneHref}>{copy.call}</MailButton>
      </MailText>
      <PersonPart person={person} cameFrom={cameFrom} />
      <ConsentPart title={mail.consent.titleForProvider} consent={consent} />
      <MailTitle>{copy.outcomeTitle}</MailTitle>
      <MailText>{copy.outcomeText}</MailText>
      {leadOutcomes.map((outcome) => (
        // A block each, so that the text part has each link on a line of its own.
        <div key={outcome} style={mailStyle.besideOthers}>
          <Button href={outcomeHrefs[outcome]} className={mailClass.quiet} style={mailStyle.quietButton}>
            {copy.outcomes[outcome]}
          </Button>
        </div>
      ))}
    </MailFrame>
  );
}
