import {
  Body,
  Container,
  Head,
  Html,
  Img,
  Link,
  Preview,
  Section,
  Text,
  Button,
  Heading,
} from '@react-email/components';
import { createContext, Fragment, type ReactNode, useContext } from 'react';
import { tokenValues } from '#client/theme/tokens.ts';
import { brand } from '#shared/brand/brand.ts';
import { mail } from '#shared/brand/mail.ts';
import { longTime } from '#shared/formats/localTime.ts';
import type { MailClinic, MailSite, MailConsent, MailPerson, MailProps } from '#shared/mail/mail.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';
import { darkRules, mailClass, mailLogoHeight, mailStyle } from './mailStyle.ts';

interface MailFrameProps {
  site: MailSite;
  subject: string;
  /** The line that a list of messages shows beside the subject. */
  preview: string;
  /** The first line: who writes, and why. */
  why: string;
  children: ReactNode;
}

/** The color of what can be pressed: the brand's, or of a provider's hue. */
const ActionColor = createContext<string>(tokenValues.primary);

function getActionColor(clinic: MailClinic | null): string {
  const hue = clinic?.hue ?? null;
  return hue === null ? tokenValues.primary : hexColor(hueShades.primary, hue);
}

/** Every message's name, first line, reason for the message, and sender with the postal address (CAN-SPAM). */
export function MailFrame({ site, subject, preview, why, children }: MailFrameProps) {
  const { clinic, contactEmail, postalAddress } = site;
  const color = getActionColor(clinic);
  return (
    <Html lang="en" dir="ltr">
      <Head>
        <title>{subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkRules}</style>
      </Head>
      <Body className={mailClass.ground} style={mailStyle.ground}>
        <Preview>{preview}</Preview>
        <ActionColor value={color}>
          <Container style={mailStyle.container}>
            <Section className={mailClass.line} style={mailStyle.head}>
              <MailName clinic={clinic} />
            </Section>
            <MailText>{why}</MailText>
            {children}
            <Section className={mailClass.line} style={mailStyle.foot}>
              {clinic === null ? null : <Muted>{mail.footer.sentFor(clinic.name)}</Muted>}
              <Muted>
                {mail.footer.questions} <MailLink href={`mailto:${contactEmail}`}>{contactEmail}</MailLink>
              </Muted>
              <Muted>{postalAddress}</Muted>
            </Section>
          </Container>
        </ActionColor>
      </Body>
    </Html>
  );
}

/** The sender at the top: a provider's logo, or the name. */
function MailName({ clinic }: { clinic: MailClinic | null }) {
  const name = clinic?.name ?? brand.name;
  const logoUrl = clinic?.logoUrl ?? null;
  return logoUrl === null ? (
    <Text className={mailClass.text} style={mailStyle.name}>
      {name}
    </Text>
  ) : (
    // Low priority, or React adds a preload tag to the head, which mail programs remove.
    <Img fetchPriority="low" src={logoUrl} alt={name} height={mailLogoHeight} style={mailStyle.logo} />
  );
}

export function Muted({ children }: { children: ReactNode }) {
  return (
    <Text className={mailClass.muted} style={mailStyle.muted}>
      {children}
    </Text>
  );
}

/** `a, b, and c` */
const wayList = new Intl.ListFormat('en-US');

interface Copy {
  children: ReactNode;
}

export function MailHeading({ children }: Copy) {
  return (
    <Heading as="h1" className={mailClass.text} style={mailStyle.heading}>
      {children}
    </Heading>
  );
}

export function MailTitle({ children }: Copy) {
  return (
    <Heading as="h2" className={mailClass.text} style={mailStyle.title}>
      {children}
    </Heading>
  );
}

export function MailText({ children }: Copy) {
  return (
    <Text className={mailClass.text} style={mailStyle.text}>
      {children}
    </Text>
  );
}

export function MailLink({ href, children }: Copy & { href: string }) {
  const color = useContext(ActionColor);
  return (
    <Link href={href} className={mailClass.link} style={{ ...mailStyle.link, color }}>
      {children}
    </Link>
  );
}

/** One of several links below each other. */
export function MailRow({ href, children }: Copy & { href: string }) {
  const color = useContext(ActionColor);
  return (
    // A block, so that the text part has each link on its own line.
    <div>
      <Link href={href} className={mailClass.link} style={{ ...mailStyle.link, ...mailStyle.row, color }}>
        {children}
      </Link>
    </div>
  );
}

/** The one button of a message. */
export function MailButton({ href, children }: Copy & { href: string }) {
  const backgroundColor = useContext(ActionColor);
  return (
    <Button href={href} style={{ ...mailStyle.button, backgroundColor }}>
      {children}
    </Button>
  );
}

const stages = ['received', 'sent', 'reached', 'booked'] as const;

type Times = Pick<MailProps['leadWelcome'], 'track' | 'zones'>;

/**
 * A lead's four stages with their times, as far as they are known. A request on its way to its provider isn't unsent.
 */
export function TrackPart({ track, zones, isOnItsWay = false }: Times & { isOnItsWay?: boolean }) {
  const shown = stages.filter((stage) => !isOnItsWay || stage !== 'sent' || track.sent !== null);
  return (
    <Text className={`${mailClass.text} ${mailClass.line}`} style={mailStyle.track}>
      {shown.map((stage, index) => {
        const at = track[stage];
        return (
          <Fragment key={stage}>
            <span style={mailStyle.besideOthers}>
              <strong>{mail.track[stage]}</strong> {at === null ? mail.track.unknown : longTime(at, zones)}
              {index < shown.length - 1 ? ' ·' : null}
            </span>{' '}
          </Fragment>
        );
      })}
    </Text>
  );
}

/** From the person to the provider, drawn in characters. */
export function SpanPart({ distance, name }: { distance: string; name: string }) {
  return (
    <MailText>
      {mail.welcome.you} <span aria-hidden="true">├──</span> {distance} <span aria-hidden="true">──┤</span>{' '}
      {name}
    </MailText>
  );
}

/** The registered text agreed to, exactly as it was shown, when, and what it covers. */
export function ConsentPart({
  title,
  consent,
  zones,
}: {
  title: string;
  consent: MailConsent;
  zones: readonly string[];
}) {
  const { text, at, channels } = consent;
  const ways = channels.map((channel) => mail.consent.ways[channel]);
  return (
    <>
      <MailTitle>{title}</MailTitle>
      <Text className={`${mailClass.text} ${mailClass.line}`} style={mailStyle.quote}>
        {text ?? mail.consent.notShown}
      </Text>
      <Muted>
        {[
          mail.consent.at(longTime(at, zones)),
          ...(ways.length === 0 ? [] : [mail.consent.covers(wayList.format(ways))]),
        ].join(' ')}
      </Muted>
    </>
  );
}

/** How a lead withdraws: by link and, if we receive mail, by reply. */
export function WithdrawPart({ href, acceptsStop }: { href: string; acceptsStop: boolean }) {
  const { title, text, link, stop } = mail.withdraw;
  return (
    <>
      <MailTitle>{title}</MailTitle>
      <MailText>{text}</MailText>
      <MailText>
        <MailLink href={href}>{link}</MailLink>
      </MailText>
      {acceptsStop ? <MailText>{stop}</MailText> : null}
    </>
  );
}

/** The contact details: the only place for what the person typed. Without `cameFrom`, the site isn’t named. */
export function PersonPart({ person, cameFrom }: { person: MailPerson; cameFrom?: string | null }) {
  const { facts, number, otherHost, emailNotPrinted } = mail.providerLead;
  return (
    <>
      <Fact name={facts.name}>{person.name}</Fact>
      <Fact name={facts.phone}>
        <MailLink href={person.phoneHref}>{person.phone}</MailLink>
      </Fact>
      {person.phoneTyped === null ? null : <Fact name={facts.phoneTyped}>{person.phoneTyped}</Fact>}
      <Fact name={facts.email}>
        {person.email === null ? (
          emailNotPrinted
        ) : (
          <MailLink href={`mailto:${encodeURIComponent(person.email).replace('%40', '@')}`}>
            {person.email}
          </MailLink>
        )}
      </Fact>
      {person.zipCode === null ? null : <Fact name={facts.zipCode}>{person.zipCode}</Fact>}
      {person.further.map(({ label, text }) => (
        <Fact key={label} name={label}>
          {text}
        </Fact>
      ))}
      {cameFrom === undefined ? null : <Fact name={facts.cameFrom}>{cameFrom ?? otherHost}</Fact>}
      <Fact name={facts.number}>{number(person.leadId)}</Fact>
    </>
  );
}

export function Fact({ name, children }: Copy & { name: string }) {
  return (
    <Text className={mailClass.text} style={mailStyle.fact}>
      <strong>{name}:</strong> {children}
    </Text>
  );
}
