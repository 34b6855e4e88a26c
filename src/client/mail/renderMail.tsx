import { toPlainText } from '@react-email/render';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { mail } from '#shared/brand/mail.ts';
import { longTime } from '#shared/formats/localTime.ts';
import { leadOutcomeNames, leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import type { RenderedMail, MailName, MailProps, MailProvider, MailSite } from '#shared/mail/mail.ts';
import {
  MailFrame,
  Muted,
  ConsentPart,
  Fact,
  MailButton,
  MailHeading,
  MailLink,
  MailRow,
  MailText,
  MailTitle,
  PersonPart,
  SpanPart,
  TrackPart,
  WithdrawPart,
} from './mailParts.tsx';

const { welcome, noProvider, providerLead, withdrawn, erased } = mail;

type Templates = {
  [Name in MailName]: (props: MailProps[Name]) => { subject: string; element: ReactElement };
};

const templates: Templates = {
  leadWelcome: (props) => ({ subject: mail.welcome.subject, element: <LeadWelcome {...props} /> }),
  leadNoProvider: (props) => ({ subject: mail.noProvider.subject, element: <LeadNoProvider {...props} /> }),
  providerLead: (props) => ({
    subject: providerLeadSubject(props),
    element: <ProviderLead {...props} />,
  }),
  leadWithdrawn: (props) => ({ subject: mail.withdrawn.subject, element: <LeadWithdrawn {...props} /> }),
  leadErased: (props) => ({ subject: mail.erased.subject(props.leadId), element: <LeadErased {...props} /> }),
};

const listFormat = new Intl.ListFormat('en-US');

/** `#12 and #15` */
function leadList(leadIds: readonly number[]): string {
  return listFormat.format(leadIds.map(providerLead.number));
}

/** A message as HTML and as text. What people typed stays text in both. The subject is one line. */
export function renderMail<Name extends MailName>(name: Name, props: MailProps[Name]): RenderedMail {
  const { subject, element } = templates[name](props);
  const html = `<!doctype html>${renderToStaticMarkup(element)}`;
  return { subject, html, text: toPlainText(html) };
}

/** Why a person gets a message: they asked the brand, or the provider on its own site. */
function whyToLead({ clinic }: MailSite): string {
  return clinic === null ? mail.why.lead : mail.why.clinicLead(clinic.name);
}

/** To the lead: what happens next, who will call, what the person agreed to, and how to withdraw. */
function LeadWelcome(props: MailProps['leadWelcome']) {
  const { site, firstName, provider, consent, withdrawHref, acceptsStop } = props;
  return (
    <MailFrame site={site} subject={welcome.subject} preview={welcome.preview} why={whyToLead(site)}>
      <MailHeading>{welcome.heading(firstName)}</MailHeading>
      <MailText>{site.clinic === null ? welcome.lead : welcome.clinicLead}</MailText>
      <TrackPart {...props} isOnItsWay />
      <MailTitle>{welcome.nextTitle}</MailTitle>
      {welcome.next(provider.name).map((sentence) => (
        <MailText key={sentence}>{sentence}</MailText>
      ))}
      <ProviderPart provider={provider} />
      <ConsentPart title={mail.consent.title} consent={consent} zones={props.zones} />
      <WithdrawPart href={withdrawHref} acceptsStop={acceptsStop} />
    </MailFrame>
  );
}

function ProviderPart({ provider }: { provider: MailProvider }) {
  const { name, phone, phoneHref, address, hours, siteHref, distance } = provider;
  return (
    <>
      <MailTitle>{welcome.providerTitle}</MailTitle>
      {distance === null ? null : <SpanPart distance={distance} name={name} />}
      <MailText>
        <strong>{name}</strong>
        {[phone, address, ...hours].map((line) =>
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
          <MailButton href={phoneHref}>{welcome.call}</MailButton>
        </MailText>
      )}
      <MailText>
        <MailLink href={siteHref}>{welcome.visit}</MailLink>
      </MailText>
    </>
  );
}

/** To the lead, if no provider was found. */
function LeadNoProvider(props: MailProps['leadNoProvider']) {
  const { site, firstName, zipCode, consent, withdrawHref, acceptsStop } = props;
  return (
    <MailFrame site={site} subject={noProvider.subject} preview={noProvider.preview} why={whyToLead(site)}>
      <MailHeading>{noProvider.heading(firstName)}</MailHeading>
      <MailText>{noProvider.lead(zipCode)}</MailText>
      <TrackPart {...props} />
      <MailTitle>{noProvider.nextTitle}</MailTitle>
      {noProvider.next.map((sentence) => (
        <MailText key={sentence}>{sentence}</MailText>
      ))}
      <ConsentPart title={mail.consent.title} consent={consent} zones={props.zones} />
      <WithdrawPart href={withdrawHref} acceptsStop={acceptsStop} />
    </MailFrame>
  );
}

/** A subject contains nothing that a person typed except a ZIP code. */
function providerLeadSubject({
  person,
  correctsLeadId,
}: Pick<MailProps['providerLead'], 'person' | 'correctsLeadId'>): string {
  return correctsLeadId === null
    ? providerLead.subject(person.zipCode)
    : providerLead.correction.subject(correctsLeadId);
}

type ProviderLeadProps = MailProps['providerLead'];

/** What the message says first: a new lead, one with other details than an earlier one, or one that staff corrected. */
function providerLeadIntro({ person, correctsLeadId, correctsOtherEmail }: ProviderLeadProps) {
  const { preview, heading, correction } = providerLead;
  if (correctsLeadId === null) return { preview, heading, text: null };
  const { own } = correction;
  if (correctsLeadId === person.leadId)
    return { preview: own.preview, heading: own.heading(correctsLeadId), text: own.text };
  return {
    preview: correction.preview,
    heading: correction.heading(correctsLeadId),
    text: (correctsOtherEmail ? correction.otherEmail : correction.text)(correctsLeadId),
  };
}

/** To the provider: the call first, then the person, their consent, and links to report the outcome. */
function ProviderLead(props: ProviderLeadProps) {
  const { site, person, consent, cameFrom, isOwnSite, otherStops, earlier, outcomeHrefs, track, zones } =
    props;
  const { preview, heading, text } = providerLeadIntro(props);
  const { correction } = providerLead;
  return (
    <MailFrame
      site={site}
      subject={providerLeadSubject(props)}
      preview={preview}
      why={isOwnSite ? mail.why.providerSite : mail.why.providerLead}
    >
      <MailHeading>{heading}</MailHeading>
      <MailText>{providerLead.asked(longTime(track.received, zones))}</MailText>
      {text === null ? null : <MailText>{text}</MailText>}
      {otherStops.length === 0 ? null : <MailText>{providerLead.otherStops(leadList(otherStops))}</MailText>}
      {earlier === null ? (
        <MailText>
          <MailButton href={person.phoneHref}>{providerLead.call}</MailButton>
        </MailText>
      ) : (
        <>
          <MailTitle>{correction.first(earlier.leadId)}</MailTitle>
          <PersonPart person={earlier} />
          <MailTitle>{correction.then(person.leadId)}</MailTitle>
        </>
      )}
      <PersonPart person={person} cameFrom={cameFrom} />
      <ConsentPart title={mail.consent.titleForProvider} consent={consent} zones={zones} />
      <MailTitle>{providerLead.outcomeTitle}</MailTitle>
      <TrackPart {...props} />
      <MailText>{providerLead.outcomeText}</MailText>
      {leadOutcomes.map((outcome) => (
        <MailRow key={outcome} href={outcomeHrefs[outcome]}>
          {leadOutcomeNames[outcome]}
        </MailRow>
      ))}
    </MailFrame>
  );
}

/** To the provider: this lead was withdrawn, or this person must not be contacted. */
function LeadWithdrawn(props: MailProps['leadWithdrawn']) {
  const { site, lead, person, othersWithPhone, isOnlyRequest, withdrawnAt, zones } = props;
  const { facts, number, emailNotPrinted } = providerLead;
  const { ofLead, ofPerson, ofRequest, othersStay } = withdrawn;
  const ofAddress = isOnlyRequest ? ofRequest : ofLead.text;
  const others = othersWithPhone === null || othersWithPhone.length === 0 ? null : leadList(othersWithPhone);
  return (
    <MailFrame
      site={site}
      subject={withdrawn.subject}
      preview={withdrawn.preview}
      why={mail.why.leadWithdrawn}
    >
      <MailHeading>{person === null ? ofLead.heading(lead.leadId) : ofPerson.heading}</MailHeading>
      <MailText>{person === null ? ofAddress(lead.leadId) : ofPerson.text}</MailText>
      {othersWithPhone === null || isOnlyRequest ? null : <MailText>{othersStay(others)}</MailText>}
      {/* No links: a tap must not call the person. */}
      <Fact name={facts.number}>{number(lead.leadId)}</Fact>
      {person === null ? null : (
        <>
          <Fact name={facts.name}>{person.name}</Fact>
          <Fact name={facts.phone}>{person.phone}</Fact>
        </>
      )}
      <Fact name={facts.email}>{lead.email ?? emailNotPrinted}</Fact>
      <Muted>{withdrawn.at(longTime(withdrawnAt, zones))}</Muted>
    </MailFrame>
  );
}

/** To the provider: this person was erased here and must be erased there. */
function LeadErased({ site, leadId, erasedAt }: MailProps['leadErased']) {
  return (
    <MailFrame
      site={site}
      subject={erased.subject(leadId)}
      preview={erased.preview}
      why={mail.why.leadErased}
    >
      <MailHeading>{erased.heading(leadId)}</MailHeading>
      <MailText>{erased.text}</MailText>
      <MailText>{erased.todo}</MailText>
      <MailText>{erased.find}</MailText>
      <Muted>{erased.at(longTime(erasedAt))}</Muted>
    </MailFrame>
  );
}
