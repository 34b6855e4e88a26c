import { brand } from './brand.ts';

/** The texts of messages to leads and providers. Subjects reveal nothing on a locked phone. */
export const mail = {
  logoAlt: brand.name,
  footer: {
    toLead: 'You receive this message because you left your contact details on our site.',
    toProvider: `You receive this message as a certified provider of ${brand.name}.`,
    questions: 'Questions? Write to',
  },
  welcome: {
    subject: 'We have received your request',
    preview: 'What happens next, and how to reach your provider.',
    /** Null if the typed name does not look like a first name. */
    heading: (firstName: string | null) => (firstName === null ? 'Thank you' : `Thank you, ${firstName}`),
    lead: 'We are passing your request on to the independent certified provider below.',
    nextTitle: 'What happens next',
    next: (provider: string) => [
      `${provider} will call you soon. If you prefer not to wait, you can call now.`,
      'Ask whatever you want to know. You decide whether to make an appointment.',
    ],
    providerTitle: 'Your provider',
    call: 'Call now',
    visit: 'Visit the provider’s site',
  },
  noProvider: {
    subject: 'We have received your request',
    preview: 'What happens next.',
    heading: (firstName: string | null) => (firstName === null ? 'Thank you' : `Thank you, ${firstName}`),
    /** Null if the typed text is not a ZIP code. */
    lead: (zipCode: string | null) => `There is no certified provider near ${zipCode ?? 'you'} yet.`,
    nextTitle: 'What happens next',
    next: [
      'Our team searches for providers in your area. Until there is one, nobody will call you.',
      'Once there is one, it gets your request and calls you.',
    ],
  },
  consent: {
    title: 'What you agreed to',
    titleForProvider: 'What they agreed to',
    at: (when: string) => `Agreed on ${when}.`,
    covers: (ways: string) => `It covers ${ways}.`,
    ways: { call: 'calls', email: 'e-mail', sms: 'text messages' },
    /** Replaces an unregistered text, which anybody may have written. */
    notShown: 'Consent to be contacted was given with the request.',
  },
  withdraw: {
    title: 'How to withdraw',
    text: 'You can withdraw at any time. We and the provider then stop contacting you.',
    link: 'Withdraw my consent',
    stop: 'You can also reply STOP to a text message or to this e-mail.',
  },
  providerLead: {
    /** Null if the typed text is not a ZIP code. */
    subject: (zipCode: string | null) => (zipCode === null ? 'New lead' : `New lead from ${zipCode}`),
    preview: 'Call now: the first to call is the one they talk to.',
    heading: 'A new lead asked to be contacted',
    call: 'Call now',
    /** For a lead with other contact details than an earlier lead of the same person that this provider received. */
    correction: {
      subject: (leadId: number) => `Correction of lead #${leadId}`,
      preview: 'Some contact details differ.',
      heading: (leadId: number) => `This lead may correct lead #${leadId}`,
      text: (leadId: number) =>
        `It has the same email address or phone number as lead #${leadId}, but other details differ. Both sets of details may be right: try this one first, then the other.`,
    },
    /** The name of a lead in messages to providers. After an erasure, nothing else is left. */
    number: (leadId: number) => `#${leadId}`,
    facts: {
      number: 'Lead',
      name: 'Name',
      phone: 'Phone',
      email: 'E-mail',
      zipCode: 'ZIP code',
      cameFrom: 'Came from',
    },
    /** Replaces an address that mail programs could turn into a link. */
    emailNotPrinted: 'It contains unusual characters. Our staff can see it in the dashboard.',
    /** Replaces a host that is neither ours nor a provider's. */
    otherHost: 'another address',
    outcomeTitle: 'How did it go?',
    outcomeText: 'One tap tells us. The page asks once more before anything is noted.',
    outcomes: {
      reached: 'Reached',
      booked: 'Booked',
      'not-reachable': 'Not reachable',
      'wrong-area': 'Wrong area',
      duplicate: 'Duplicate',
    },
  },
  withdrawn: {
    subject: 'Stop contacting a lead',
    preview: 'They withdrew their consent.',
    heading: 'This person does not want to be contacted any more',
    text: 'Stop all calls, text messages and e-mail to this person at once, and take them off your lists.',
    at: (when: string) => `Withdrawn on ${when}.`,
  },
  erased: {
    subject: (leadId: number) => `Delete what you hold about lead #${leadId}`,
    preview: 'Their personal data was erased.',
    heading: (leadId: number) => `Please delete lead #${leadId}`,
    text: 'We have erased the personal data of the person behind this lead, and must pass that on to everybody we gave it to.',
    todo: 'Stop all calls, text messages and e-mail to them, and delete what you hold about them: our message about the lead, entries in your own systems, notes and exports. Keep only what the law obliges you to keep.',
    find: 'The number stands in our message about the lead. We no longer have a name or contact details to tell you.',
    at: (when: string) => `Erased on ${when}.`,
  },
} as const;
