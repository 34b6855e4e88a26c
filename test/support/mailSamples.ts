import { getConsentText } from '#shared/brand/consentTexts.ts';
import type { MailProps } from '#shared/mail/mail.ts';

const site = {
  origin: 'https://brand.example',
  postalAddress: '100 Example Street, Springfield, IL 62701',
  contactEmail: 'hello@brand.example',
  clinic: null,
};

const times = {
  track: {
    received: '2026-06-01T12:00:00.000Z',
    sent: '2026-06-01T12:01:00.000Z',
    reached: null,
    booked: null,
  },
  zones: ['America/Denver'],
};

const consent = {
  text: getConsentText('landing')?.text ?? null,
  at: '2026-06-01T12:00:00.000Z',
  channels: ['call', 'email', 'sms'],
} as const;

const person = {
  leadId: 12,
  name: 'Kit Elmsworth',
  phone: '(303) 555-0101',
  phoneHref: 'tel:+13035550101',
  phoneTyped: null,
  email: 'kit@example.com',
  zipCode: '80202',
  further: [],
};

const outcome = (said: string): string => `https://brand.example/outcome/12_7_${said}.${'a'.repeat(43)}`;
const withdrawHref = `https://brand.example/withdraw/12.${'b'.repeat(43)}`;

/** Each message once, about fictional people. */
export const mailSamples: MailProps = {
  leadWelcome: {
    ...times,
    site,
    firstName: 'Kit',
    consent,
    withdrawHref,
    acceptsStop: true,
    provider: {
      name: 'Quay Clinic',
      phone: '(303) 555-0100',
      phoneHref: 'tel:+13035550100',
      address: '12 Harbour Street, Denver, CO 80202',
      hours: ['Mon–Fri 9:00 AM – 5:00 PM', 'Sat 9:00 AM – 12:00 PM'],
      siteHref: 'https://quay.example/',
      distance: '7 miles',
    },
  },
  leadNoProvider: {
    ...times,
    site,
    firstName: 'Kit',
    zipCode: '80202',
    consent,
    withdrawHref,
    acceptsStop: false,
  },
  providerLead: {
    ...times,
    site,
    person,
    consent,
    cameFrom: 'quay.example',
    isOwnSite: false,
    correctsLeadId: null,
    correctsOtherEmail: false,
    otherStops: [],
    earlier: null,
    outcomeHrefs: {
      reached: outcome('reached'),
      booked: outcome('booked'),
      'not-reachable': outcome('not-reachable'),
      'wrong-area': outcome('wrong-area'),
      duplicate: outcome('duplicate'),
    },
  },
  leadWithdrawn: {
    site,
    lead: person,
    person: null,
    othersWithPhone: null,
    isOnlyRequest: false,
    withdrawnAt: '2026-06-02T08:30:00.000Z',
    zones: times.zones,
  },
  leadErased: { site, leadId: 12, erasedAt: '2026-06-02T08:30:00.000Z' },
};

const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100);
const longPerson = {
  ...person,
  name: `${long} ${long}`,
  email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`,
  zipCode: null,
  further: [],
};
const longConsent = { ...consent, text: 'I agree. '.repeat(200) + 'x'.repeat(200) };

/** The same with people, providers and texts of maximum length. */
export const longMailSamples: MailProps = {
  leadWelcome: {
    ...mailSamples.leadWelcome,
    site: { ...site, clinic: { name: long + long, logoUrl: null, hue: 140 } },
    zones: ['America/Chicago', 'America/Denver'],
    firstName: long,
    consent: longConsent,
    provider: {
      ...mailSamples.leadWelcome.provider,
      name: long + long,
      address: 'Long Road '.repeat(20) + long,
    },
  },
  leadNoProvider: { ...mailSamples.leadNoProvider, firstName: long, zipCode: null, consent: longConsent },
  providerLead: {
    ...mailSamples.providerLead,
    person: longPerson,
    consent: longConsent,
    cameFrom: `${'d'.repeat(60)}.example`,
    isOwnSite: false,
  },
  leadWithdrawn: {
    ...mailSamples.leadWithdrawn,
    lead: longPerson,
    person: longPerson,
    othersWithPhone: Array.from({ length: 5 }, (_, index) => Number.MAX_SAFE_INTEGER - index),
  },
  leadErased: { ...mailSamples.leadErased, leadId: Number.MAX_SAFE_INTEGER },
};
