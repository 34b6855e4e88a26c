import { leadStageNames } from '../leads/leadOutcomes.ts';
import { brand } from './brand.ts';

/** The texts of messages to leads, providers, applicants and staff. Subjects reveal nothing on a locked phone. */
export const mail = {
  /** The first line of each message: who writes, and why. */
  why: {
    lead: `You asked ${brand.name} for a certified provider near you.`,
    clinicLead: (clinic: string) => `You asked ${clinic}, on its website, to contact you.`,
    providerLead: `${brand.name} sends you this because someone asked for a provider near you.`,
    providerSite: `${brand.name} sends you this because someone asked you, on your website, to contact them.`,
    leadWithdrawn: `${brand.name} sends you this because a lead that we sent you was withdrawn.`,
    leadErased: `${brand.name} sends you this because we sent you a lead whose data was erased.`,
  },
  footer: {
    sentFor: (clinic: string) => `Sent for ${clinic} by ${brand.name}.`,
    questions: 'Questions? Email us at',
  },
  /** A request's four stages. */
  track: { ...leadStageNames, unknown: '–' },
  welcome: {
    subject: 'We received your request',
    preview: 'What happens next and how to reach your provider.',
    /** Null if the typed name does not look like a first name. */
    heading: (firstName: string | null) => (firstName === null ? 'Thank you' : `Thank you, ${firstName}`),
    lead: 'We’re sending your request to the independent certified provider below.',
    /** From the provider on whose site it was left. */
    clinicLead: 'We received your request.',
    /** Where the line to the provider begins. */
    you: 'You',
    nextTitle: 'What happens next',
    next: (provider: string) => [
      `${provider} will call you soon. Prefer not to wait? Call them.`,
      'Ask anything you like. You decide whether to book an appointment.',
    ],
    providerTitle: 'Your provider',
    call: 'Call now',
    visit: 'Visit the provider’s site',
  },
  noProvider: {
    subject: 'We received your request',
    preview: 'What happens next.',
    heading: (firstName: string | null) => (firstName === null ? 'Thank you' : `Thank you, ${firstName}`),
    /** Null if the typed text is not a ZIP code. */
    lead: (zipCode: string | null) => `We don’t have a certified provider near ${zipCode ?? 'you'} yet.`,
    nextTitle: 'What happens next',
    next: [
      'We’re looking for a provider in your area. Nobody will call you until we find one.',
      'When we do, we’ll send them your request and they’ll call you.',
    ],
  },
  consent: {
    title: 'What you agreed to',
    titleForProvider: 'What they agreed to',
    at: (when: string) => `Agreed on ${when}.`,
    covers: (ways: string) => `It covers ${ways}.`,
    ways: { call: 'calls', email: 'emails', sms: 'text messages' },
    /** Replaces an unregistered text, which anybody may have written. */
    notShown: 'Consent to contact was given with the request.',
  },
  withdraw: {
    title: 'Changed your mind?',
    text: 'You can withdraw your consent at any time. We’ll stop contacting you and ask the provider to stop too.',
    link: 'Withdraw my consent',
    stop: 'You can also reply STOP to this email.',
  },
  providerLead: {
    /** Null if the typed text is not a ZIP code. */
    subject: (zipCode: string | null) => (zipCode === null ? 'New lead' : `New lead from ${zipCode}`),
    preview: 'Call now, while they’re waiting to hear from you.',
    heading: 'A new lead is waiting for your call',
    asked: (when: string) => `Asked ${when}.`,
    call: 'Call now',
    /** Changed contact details: both sets by arrival, without advice, as anybody may have sent the second. */
    correction: {
      subject: (leadId: number) => `Correction to lead #${leadId}`,
      preview: 'Some contact details are different.',
      heading: (leadId: number) => `This may be a correction to lead #${leadId}`,
      text: (leadId: number) =>
        `It has the same email address or phone number as lead #${leadId}, but other details are different. Both may be right.`,
      /** Only the phone is the same: nobody has proved that it is the same person. */
      otherEmail: (leadId: number) =>
        `It has the same phone number as lead #${leadId}, but another email address, so it may be from another person. Both requests are valid: if one is withdrawn, the other stays valid.`,
      first: (leadId: number) => `Received first, with lead #${leadId}`,
      then: (leadId: number) => `Received later, with lead #${leadId}`,
      /** Staff corrected the lead itself. */
      own: {
        preview: 'We corrected the details of a lead.',
        heading: (leadId: number) => `We corrected lead #${leadId}`,
        text: 'Our team corrected one of the details. These are the details now.',
      },
    },
    /** For a lead with the phone of others that withdrew by email. `leads`: their numbers. */
    otherStops: (leads: string) =>
      `We asked you to stop contacting another lead with this phone number (${leads}). That doesn’t concern this request, which is valid.`,
    /** The name of a lead in messages to providers. After an erasure, nothing else is left. */
    number: (leadId: number) => `#${leadId}`,
    facts: {
      number: 'Lead',
      name: 'Name',
      phone: 'Phone',
      /** What the person typed as their phone, where it says more than the number. */
      phoneTyped: 'As typed',
      email: 'Email',
      zipCode: 'ZIP code',
      cameFrom: 'Website',
    },
    /** Replaces an address that mail programs could turn into a link. */
    emailNotPrinted: 'Contains unusual characters. Contact us if you need it.',
    /** Replaces a host that is neither ours nor a provider's. */
    otherHost: 'a different website',
    outcomeTitle: 'How did it go?',
    outcomeText: 'Tap one; we’ll ask you to confirm.',
  },
  /** To a provider that reported nothing about a lead for a day. It contains nothing about the person. */
  reminder: {
    subject: (leadId: number) => `How did it go with lead #${leadId}?`,
    why: (leadId: number) =>
      `${brand.name} sent you lead #${leadId}. You haven’t reported yet how it went. Their details are in our earlier message.`,
    ask: 'If you haven’t reached them yet, please call today: they asked to be contacted.',
    answer: 'Report how it went. It takes one tap:',
  },
  withdrawn: {
    subject: 'Please stop contacting a lead',
    preview: 'They withdrew their consent.',
    /** The email address withdrew. Nobody has proved whose phone number the lead has, so only its number names it. */
    ofLead: {
      heading: (leadId: number) => `Lead #${leadId} was withdrawn`,
      text: (leadId: number) =>
        `Please stop all calls, text messages and emails about lead #${leadId}, and about earlier leads with its email address, immediately, and remove them from your lists. You’ll find the details in our earlier messages.`,
    },
    /** The browser that sent it withdrew one request. Nobody has proved whose email address it has. */
    ofRequest: (leadId: number) =>
      `Please stop all calls, text messages and emails about lead #${leadId} immediately. Other requests with the same email address or phone number stay valid.`,
    /** `leads`: numbers of leads that this provider has; null: it has none of them. */
    othersStay: (leads: string | null) =>
      `Other requests with the same phone number stay valid${leads === null ? '' : `: ${leads}`}.`,
    /** Staff decided that nobody may contact the person. */
    ofPerson: {
      heading: 'This person no longer wants to be contacted',
      text: 'Please stop all calls, text messages and emails to this person immediately, and remove them from your lists.',
    },
    at: (when: string) => `Withdrawn on ${when}.`,
  },
  /** To the address that got a provider's leads before. It doesn't name the new one. */
  addressChanged: {
    subject: 'Your address for leads changed',
    text: (practice: string, when: string, contact: string) =>
      `${brand.name} sent leads of ${practice} to this address until it was changed on ${when}. If that’s wrong, contact ${contact}.`,
  },
  /** To a practice that applied. Anybody may have typed its address, so it repeats nothing but first name and ZIP. */
  applicationReceipt: {
    subject: 'We received your application',
    /** Null if the typed name does not look like a first name. */
    heading: (firstName: string | null) => (firstName === null ? 'Thank you.' : `Thank you, ${firstName}.`),
    received: (id: number, zipCode: string) =>
      `${brand.name} received your application for a practice in ZIP code ${zipCode}. Its number is #${id}.`,
    unknownZip: 'We don’t know this ZIP code. If it has a typo, please reply with the right one.',
    next: 'We review every application within 24-48 hours and contact you by phone or email with our decision and the next steps.',
    consent: (when: string, text: string) => `You agreed to this on ${when}: “${text}”`,
    /** Replaces an unregistered text, which anybody may have written. */
    consentNotShown: (when: string) => `Consent to contact was given with the application on ${when}.`,
    questions: (contact: string) =>
      `Questions, or something to add? Reply to this email or write to ${contact}.`,
    notYou: (contact: string) =>
      `If you didn’t apply, write to ${contact}. We’ll decline the application and won’t contact you.`,
    sender: (postalAddress: string) => `${brand.plainName}, ${postalAddress}`,
  },
  /** To a new provider. It repeats nothing that was typed but the ZIP code. */
  applicationApproved: {
    subject: 'Confirm your address for leads',
    accepted: (id: number, zipCode: string) =>
      `${brand.name} accepted application #${id} for a practice in ZIP code ${zipCode}.`,
    confirm:
      'We’ll send people who ask for a provider near you to this email address. Please confirm that you read it:',
    button: 'The link opens a page with a button. It works for 14 days.',
    next: 'We contact you about the training. Once it’s done, we activate your practice.',
    questions: (contact: string) => `Questions? Reply to this email or write to ${contact}.`,
    notYou: (contact: string) => `If you don’t know about this, don’t confirm and write to ${contact}.`,
    sender: (postalAddress: string) => `${brand.plainName}, ${postalAddress}`,
  },
  /** To a practice whose application was declined. */
  applicationDeclined: {
    subject: 'Your application',
    thanks: (id: number, zipCode: string) =>
      `Thank you for application #${id} for a practice in ZIP code ${zipCode}.`,
    text: `We can’t offer you a place among the certified providers of ${brand.name} at this time. This says nothing about the quality of your practice: we only accept a few in each area.`,
    again: 'You’re welcome to apply again.',
    questions: (contact: string) => `Questions? Reply to this email or write to ${contact}.`,
    sender: (postalAddress: string) => `${brand.plainName}, ${postalAddress}`,
  },
  /** To staff, about all applications that arrived since the last one. */
  applicationNotice: {
    subject: (count: number) => (count === 1 ? 'A new application' : `${count} new applications`),
    intro: `These practices applied to become a provider of ${brand.name}:`,
    line: (id: number, zipCode: string, nearest: string, due: string) =>
      `#${id}, ZIP code ${zipCode}: ${nearest}. Answer by ${due}.`,
    nearest: (distance: string) => `the nearest active provider is ${distance} away`,
    noneNear: (radius: string) => `no active provider within ${radius}`,
    unknownZip: 'the ZIP code is in no table, so the distance is unknown',
    more: (count: number) => `And ${count} more.`,
    open: (href: string) => `Open the list of applications: ${href}`,
  },
  erased: {
    subject: (leadId: number) => `Please delete lead #${leadId}`,
    preview: 'This person’s data was erased.',
    heading: (leadId: number) => `Please delete lead #${leadId}`,
    text: 'We erased the personal data of the person behind this lead, and we’re required to notify everyone we shared it with.',
    todo: 'Please stop contacting them and delete everything you have about them: our email about the lead, records in your own systems, notes and exports. Keep only what the law requires.',
    find: 'You’ll find the number in our earlier message about this lead. We no longer have their name or contact details.',
    at: (when: string) => `Erased on ${when}.`,
  },
} as const;
