import { brand } from './brand.ts';

/** The texts of messages to leads, providers, applicants and staff. Subjects reveal nothing on a locked phone. */
export const mail = {
  logoAlt: brand.name,
  footer: {
    toLead: 'This came to you because you asked a clinic to call, on a site of ours.',
    toProvider: `This came to you because your clinic teaches ${brand.name}.`,
    questions: 'Ask us at',
  },
  welcome: {
    subject: 'Your request has arrived',
    preview: 'Who calls you, and when.',
    heading: (firstName: string | null) =>
      firstName === null ? 'Good to hear from you' : `Good to hear from you, ${firstName}`,
    lead: 'A clinic that teaches the protocol now has your request.',
    nextTitle: 'From here on',
    next: (provider: string) => [
      `Somebody at ${provider} rings you up. You may as well ring first.`,
      'They look at how far you bend today, and tell you what is worth a try.',
    ],
    providerTitle: 'The clinic',
    call: 'Ring them up',
    visit: 'See the clinic’s own pages',
  },
  noProvider: {
    subject: 'Your request has arrived',
    preview: 'Where we stand.',
    heading: (firstName: string | null) =>
      firstName === null ? 'Good to hear from you' : `Good to hear from you, ${firstName}`,
    lead: (zipCode: string | null) => `Nobody near ${zipCode ?? 'you'} teaches it so far.`,
    nextTitle: 'From here on',
    next: [
      'We keep asking clinics around you. Your telephone stays silent for now.',
      'The day one says yes, your request is the first it gets.',
    ],
  },
  consent: {
    title: 'Your own words on it',
    titleForProvider: 'Their own words on it',
    at: (when: string) => `Said on ${when}.`,
    covers: (ways: string) => `That allows ${ways}.`,
    ways: { call: 'telephone', email: 'letters by e-mail', sms: 'short texts' },
    notShown: 'They said yes when they wrote to us.',
  },
  withdraw: {
    title: 'Changed your mind?',
    text: 'Say so whenever you like. Clinic and we fall silent.',
    link: 'I changed my mind',
    stop: 'Or answer this with the word STOP.',
  },
  providerLead: {
    /** Null if the typed text is not a ZIP code. */
    subject: (zipCode: string | null) => (zipCode === null ? 'A request' : `A request from ${zipCode}`),
    preview: 'They wait by the telephone.',
    heading: 'Somebody would like to bend further',
    call: 'Ring them',
    correction: {
      subject: (leadId: number) => `Another note on No. ${leadId}`,
      preview: 'Some details differ.',
      heading: (leadId: number) => `Put No. ${leadId} right`,
      text: (leadId: number) =>
        `It has the same email address or phone number as No. ${leadId}, but other details differ. Both sets of details may be right.`,
      otherEmail: (leadId: number) =>
        `Its telephone is that of No. ${leadId}, its electronic mail is not: perhaps two people. Should one take the request back, the other still wants you.`,
      first: (leadId: number) => `Came first, on No. ${leadId}`,
      then: (leadId: number) => `Came afterward, on No. ${leadId}`,
      own: {
        preview: 'We put a note right.',
        heading: (leadId: number) => `We put No. ${leadId} right`,
        text: 'We wrote something down wrong. This is how it should read.',
      },
    },
    otherStops: (leads: string) =>
      `We asked you to leave ${leads} in peace, who gave the same telephone. This one still waits for you.`,
    number: (leadId: number) => `No. ${leadId}`,
    facts: {
      number: 'Our note',
      name: 'Who',
      phone: 'Telephone',
      phoneTyped: 'As they typed it',
      email: 'Electronic mail',
      zipCode: 'Area',
      cameFrom: 'Found you at',
    },
    emailNotPrinted: 'It is written strangely. We can look it up in our dashboard.',
    otherHost: 'some other page',
    outcomeTitle: 'And, what came of it?',
    outcomeText: 'Tap what fits. You are asked once more on the page that opens.',
  },
  withdrawn: {
    subject: 'Somebody changed their mind',
    preview: 'Leave them in peace, please.',
    ofLead: {
      heading: (leadId: number) => `No. ${leadId} is taken back`,
      text: (leadId: number) =>
        `From now on neither ring nor write about No. ${leadId}, and cross it off wherever it is noted.`,
    },
    othersStay: (leads: string | null) =>
      `Whoever else gave that telephone still waits for you${leads === null ? '' : `: ${leads}`}.`,
    ofPerson: {
      heading: 'Somebody would rather not hear from you',
      text: 'From now on neither ring nor write, and cross them off wherever they are noted.',
    },
    at: (when: string) => `Told us on ${when}.`,
  },
  addressChanged: {
    subject: 'Your letters go elsewhere now',
    text: (practice: string, date: string, contact: string) =>
      `What we sent to ${practice} goes to another box since ${date}. Tell ${contact} if nobody asked for it.`,
  },
  applicationReceipt: {
    subject: 'Your letter has arrived',
    heading: (firstName: string | null) =>
      firstName === null ? 'Good to hear from you.' : `Good to hear from you, ${firstName}.`,
    received: (id: number, zipCode: string) =>
      `You wrote for a clinic in ${zipCode}. It is letter No. ${id}.`,
    next: 'You hear from us within five days.',
    consent: (when: string, text: string) => `You said yes to this on ${when}: “${text}”`,
    consentNotShown: (when: string) => `You said yes to hearing from us on ${when}.`,
    questions: (contact: string) => `Ask us at ${contact}, or answer this letter.`,
    notYou: (contact: string) => `Not your letter? Tell ${contact}, and we forget it.`,
    sender: (postalAddress: string) => `${brand.plainName}, ${postalAddress}`,
  },
  applicationNotice: {
    subject: (count: number) => (count === 1 ? 'A clinic wrote' : `${count} clinics wrote`),
    intro: 'These clinics would like to teach it:',
    line: (id: number, zipCode: string, nearest: string, due: string) =>
      `No. ${id} in ${zipCode}: ${nearest}. Write back by ${due}.`,
    nearest: (distance: string) => `the next clinic is ${distance} off`,
    noneNear: (radius: string) => `nobody within ${radius}`,
    unknownZip: 'nobody knows where that is',
    more: (count: number) => `Another ${count} wrote too.`,
    open: (href: string) => `Read their letters: ${href}`,
  },
  erased: {
    subject: (leadId: number) => `Forget No. ${leadId}, please`,
    preview: 'We have forgotten them already.',
    heading: (leadId: number) => `Forget No. ${leadId}`,
    text: 'Whoever this was asked to be forgotten, and everybody we told must forget them too.',
    todo: 'Neither ring nor write, tear up the note we sent you, and strike them from whatever you keep.',
    find: 'Our note to you bears that number; nothing else of them is left with us.',
    at: (when: string) => `Forgotten on ${when}.`,
  },
} as const;
