import { describe, expect, test } from 'vitest';
import { brand } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { mail } from '#shared/brand/mail.ts';
import type { MailProps } from '#shared/mail/mail.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';
import { renderMail } from './renderMail.tsx';
import { mailSamples } from '#test/support/mailSamples.ts';

const names = ['leadWelcome', 'leadNoProvider', 'providerLead', 'leadWithdrawn', 'leadErased'] as const;
const hostile = '<img src=x onerror=alert(1)> & "Co"\r\nBcc: all@example.com';

describe.each(names)('%s', (name) => {
  test('loads nothing and has no script', () => {
    const { html } = renderMail(name, mailSamples[name]);
    expect(html).not.toMatch(/\b(?:src|srcset|background|poster)=|url\(/);
    expect(html).not.toMatch(/<(?:script|link|iframe|object|embed|form)\b/i);
  });

  test('says first who writes and why, and last from where, as HTML and as text', () => {
    const { html, text } = renderMail(name, mailSamples[name]);
    const isToLead = name === 'leadWelcome' || name === 'leadNoProvider';
    const why = isToLead ? mail.why.lead : mail.why[name];
    expect(text.split('\n\n').slice(0, 2)).toEqual([brand.name, why]);
    expect(html).toContain(why);
    for (const said of ['100 Example Street, Springfield, IL 62701', 'hello@brand.example']) {
      expect(text).toContain(said);
      expect(html).toContain(said);
    }
    expect(text).not.toMatch(/<\/?[a-z]+/i);
  });

  test('has the same links in the text part as in HTML', () => {
    const { html, text } = renderMail(name, mailSamples[name]);
    const links = [...html.matchAll(/<a href="(https:[^"]*)"/g)].map(([, href]) => href ?? '');
    const inText = text.match(/https?:\/\/\S+/g) ?? [];
    expect(inText).toEqual(links);
  });
});

describe('what people typed', () => {
  test('stays text and adds nothing to the subject', () => {
    const { consent } = mailSamples.providerLead;
    const person = { ...mailSamples.providerLead.person, name: hostile, zipCode: null };
    const props: MailProps['providerLead'] = {
      ...mailSamples.providerLead,
      person,
      consent: { ...consent, text: hostile },
    };
    const drawn = renderMail('providerLead', props);
    expect(drawn.html).not.toContain('<img src=x');
    expect(drawn.html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Co&quot;');
    expect(drawn.text).toContain('<img src=x onerror=alert(1)> & "Co"');
    expect(drawn.subject).toBe(mail.providerLead.subject(null));
  });
});

test('the message to a lead has provider, consent text with its time, and both links', () => {
  const { html, text, subject } = renderMail('leadWelcome', mailSamples.leadWelcome);
  const { received, sent, reached, booked } = mail.track;
  for (const said of [
    'Quay Clinic',
    '(303) 555-0100',
    '12 Harbour Street, Denver, CO 80202',
    `${mail.welcome.you} ├── 7 miles ──┤ Quay Clinic`,
    `${received} June 1, 2026 at 6:00 AM Mountain · ${sent} June 1, 2026 at 6:01 AM Mountain · ${reached} – · ${booked} –`,
    'https://quay.example/',
    mailSamples.leadWelcome.consent.text ?? '-',
    'June 1, 2026 at 6:00 AM Mountain',
    mail.consent.covers(new Intl.ListFormat('en-US').format(Object.values(mail.consent.ways))),
    mailSamples.leadWelcome.withdrawHref,
    mail.withdraw.stop,
  ])
    expect(text).toContain(said);
  const { track } = mailSamples.leadWelcome;
  const onItsWay = renderMail('leadWelcome', { ...mailSamples.leadWelcome, track: { ...track, sent: null } });
  expect(onItsWay.text).toContain(
    `${received} June 1, 2026 at 6:00 AM Mountain · ${reached} – · ${booked} –`,
  );
  const withoutInbound = renderMail('leadWelcome', { ...mailSamples.leadWelcome, acceptsStop: false });
  expect(withoutInbound.text).not.toContain(mail.withdraw.stop);
  expect(html).toContain('href="tel:+13035550100"');
  // Other people may see it on a locked phone.
  expect(subject).toBe(mail.welcome.subject);
  expect(subject).not.toContain(brand.plainName);
});

test('the message about a withdrawal has no link that calls or writes to the person', () => {
  const { person } = mailSamples.providerLead;
  const { html, text } = renderMail('leadWithdrawn', { ...mailSamples.leadWithdrawn, person });
  expect(text).toContain('(303) 555-0101');
  expect(html).not.toMatch(/href="(?:tel:|mailto:kit@)/);
});

test('the message about an erasure names the lead only by its number', () => {
  const { site, erasedAt } = mailSamples.leadErased;
  const drawn = renderMail('leadErased', { site, erasedAt, leadId: 4711 });
  const name = mail.providerLead.number(4711);
  for (const said of [drawn.subject, drawn.text, drawn.html])
    expect(said.toUpperCase()).toContain(name.toUpperCase());
  expect(drawn.html).not.toMatch(/href="(?!mailto:hello@brand\.example")/);
  const lead = { ...mailSamples.providerLead.person, leadId: 4711 };
  expect(renderMail('providerLead', { ...mailSamples.providerLead, person: lead }).text).toContain(
    `${mail.providerLead.facts.number}: ${name}`,
  );
  expect(renderMail('leadWithdrawn', { ...mailSamples.leadWithdrawn, lead }).text).toContain(
    `${mail.providerLead.facts.number}: ${name}`,
  );
});

test('the message to a provider begins with the call and ends with the five outcomes', () => {
  const { html, text } = renderMail('providerLead', mailSamples.providerLead);
  expect(text).toContain(mail.why.providerLead);
  const own = renderMail('providerLead', { ...mailSamples.providerLead, isOwnSite: true });
  expect(own.text).toContain(mail.why.providerSite);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
  expect(links[0]).toBe('tel:+13035550101');
  expect(links.filter((href) => href.includes('/outcome/'))).toEqual(
    Object.values(mailSamples.providerLead.outcomeHrefs),
  );
  const asked = mail.providerLead.asked('June 1, 2026 at 6:00 AM Mountain');
  for (const said of ['Kit Elmsworth', 'kit@example.com', '80202', 'quay.example', asked])
    expect(text).toContain(said);
});

test('a provider’s own message has its name, logo and hue, and names ours only last', () => {
  const clinic = { name: 'Quay Clinic', logoUrl: 'https://brand.example/media/logo/7?v=a', hue: 140 };
  const site = { ...mailSamples.leadWelcome.site, clinic };
  const { html, text } = renderMail('leadWelcome', { ...mailSamples.leadWelcome, site });
  expect(html.match(/\bsrc="[^"]*"/g)).toEqual([`src="${clinic.logoUrl}"`]);
  expect(html).toContain('alt="Quay Clinic"');
  expect(html).toContain(hexColor(hueShades.primary, 140));
  expect(html).not.toContain(brandColors.primary);
  expect(text.startsWith(mail.why.clinicLead('Quay Clinic'))).toBe(true);
  const [before = '', after] = text.split(mail.footer.sentFor('Quay Clinic'));
  expect(after).toBeDefined();
  // The consent text is evidence.
  expect(before.replace(mailSamples.leadWelcome.consent.text ?? '-', '')).not.toContain(brand.plainName);
});

test('a repeat’s two sets of details are in order of arrival, without advice', () => {
  const { person } = mailSamples.providerLead;
  const earlier = { ...person, leadId: 9, phone: '(303) 555-0199', phoneHref: 'tel:+13035550199' };
  const { text, html } = renderMail('providerLead', {
    ...mailSamples.providerLead,
    correctsLeadId: 9,
    earlier,
  });
  const { correction, call } = mail.providerLead;
  const places = [correction.first(9), earlier.phone, correction.then(person.leadId), person.phone].map(
    (said) => text.toLowerCase().indexOf(said.toLowerCase()),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(text).not.toMatch(/first, then|try /i);
  // Neither number is more prominent than the other.
  expect(text).not.toContain(call);
  expect(html.match(/href="tel:[^"]*"/g)).toEqual(['href="tel:+13035550199"', `href="${person.phoneHref}"`]);
});

test('a lead that staff corrected is sent with its details of now and the button', () => {
  const { person } = mailSamples.providerLead;
  const { text } = renderMail('providerLead', { ...mailSamples.providerLead, correctsLeadId: person.leadId });
  const { correction, call } = mail.providerLead;
  expect(text.toLowerCase()).toContain(correction.own.heading(person.leadId).toLowerCase());
  expect(text).toContain(call);
  expect(text).not.toContain(correction.text(person.leadId));
});
