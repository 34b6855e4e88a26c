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
import type { ReactNode } from 'react';
import { mail } from '#shared/brand/mail.ts';
import type { MailSite, MailConsent, MailPerson } from '#shared/mail/mail.ts';
import { mailLogoPath, mailLogoSize } from '#shared/shareImages/shareImage.ts';
import { darkRules, mailClass, mailStyle } from './mailStyle.ts';
import { longTime } from '#shared/formats/writing.ts';

interface MailFrameProps {
  site: MailSite;
  subject: string;
  /** The line that a list of messages shows beside the subject. */
  preview: string;
  /** Why one gets it. */
  why: string;
  children: ReactNode;
}

/** Every message's logo, reason for the message, and sender with the postal address (CAN-SPAM). */
export function MailFrame({ site, subject, preview, why, children }: MailFrameProps) {
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
        <Container style={mailStyle.container}>
          <Section style={mailStyle.band}>
            {/* Low priority, or React adds a preload tag to the head, which mail programs remove. */}
            <Img
              fetchPriority="low"
              src={`${site.origin}${mailLogoPath}`}
              alt={mail.logoAlt}
              width={mailLogoSize.width}
              height={mailLogoSize.height}
              style={mailStyle.logo}
            />
          </Section>
          <Section className={mailClass.card} style={mailStyle.card}>
            {children}
          </Section>
          <Section style={{ padding: '20px 24px 0' }}>
            <Muted>{why}</Muted>
            <Muted>
              {mail.footer.questions}{' '}
              <Link href={`mailto:${site.contactEmail}`} className={mailClass.link} style={mailStyle.link}>
                {site.contactEmail}
              </Link>
            </Muted>
            <Muted>{site.postalAddress}</Muted>
          </Section>
        </Container>
      </Body>
    </Html>
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
  return (
    <Link href={href} className={mailClass.link} style={mailStyle.link}>
      {children}
    </Link>
  );
}

export function MailButton({ href, children }: Copy & { href: string }) {
  return (
    <Button href={href} style={mailStyle.button}>
      {children}
    </Button>
  );
}

/** The registered text agreed to, exactly as it was shown, when, and what it covers. */
export function ConsentPart({ title, consent }: { title: string; consent: MailConsent }) {
  const { text, at, channels } = consent;
  const ways = channels.map((channel) => mail.consent.ways[channel]);
  return (
    <>
      <MailTitle>{title}</MailTitle>
      <Text className={mailClass.text} style={mailStyle.quote}>
        {text ?? mail.consent.notShown}
      </Text>
      <Muted>
        {[
          mail.consent.at(longTime(at)),
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
    <Text className={mailClass.text} style={{ ...mailStyle.text, margin: '0 0 4px' }}>
      <strong>{name}:</strong> {children}
    </Text>
  );
}
