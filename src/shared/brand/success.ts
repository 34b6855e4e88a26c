import { brand } from './brand.ts';

/** The way back also without the tab that sent the request. */
const stop = 'An email confirms your request. To stop at any time, use the link in it, or write to us.';

const sent = "We've sent your contact info to the provider below—stay tuned for their call!";

/** The texts of the page after a lead is stored. */
export const success = {
  banner: {
    sent,
    named: sent,
    searching: "We've received your information and our team will search for providers in your area!",
    withdrawn: 'Your request is withdrawn.',
  },
  /** Before what is only true of a request, where none is known of. */
  ifSent: 'Sent a request?',
  /** For who opened the address of a confirmation. */
  ifNotSent: 'No request? Then nothing was sent.',
  heading: 'Your Path to Natural Male Enhancement Has Begun!',
  headingWithdrawn: 'You don’t need to do anything else',
  lead: 'Your provider will call you soon.',
  /** Only if the provider's phone number is shown. */
  callNow: 'Prefer not to wait? Call them.',
  loading: 'Loading provider information...',
  cardTitle: 'Provider Near You',
  /** Its provider's name follows. */
  call: 'Call',
  /** The phone number is between the two. */
  callFrom: { before: 'Their number is', save: 'save it' },
  notAvailable: 'Provider information not available.',
  nextTitle: 'What happens next',
  next: [
    'The provider calls you to arrange a consultation.',
    'Ask anything you like, then decide.',
    'No payment is taken on this site. Fees are between you and your provider.',
    stop,
  ],
  /** For a visitor who didn't wait. Staff see it in the lead's history. */
  called: {
    action: 'I called them myself',
    done: 'Thank you, noted. They may still call you once.',
    failed: 'We couldn’t note it. You don’t need to do anything.',
  },
  /** For the browser that sent the request. */
  withdraw: {
    offer: 'Changed your mind? Withdraw your request',
    text: 'We’ll stop what wasn’t sent yet, and ask the provider not to contact you about this request.',
    action: 'Withdraw my request',
    done: 'Your request is withdrawn. A message already on its way may still arrive. To stop earlier requests too, use the link in our email.',
    failed: 'We couldn’t withdraw it. Use the link in the email that confirms your request, or write to us.',
  },
  questions: {
    title: 'Questions to ask',
    items: [
      'Do I qualify, and what would rule me out?',
      'What does it cost in total, and what is due when?',
      'What can go wrong, how often, and what happens then?',
      'Who treats me, and how often have they done this?',
      'How is progress measured, and when?',
    ],
    print: 'Print this page',
  },
  kit: {
    title: 'While you wait',
    text: 'You can order your starter kit before your first visit.',
    /** If no provider was found. */
    textWithoutProvider: 'You can order your starter kit without a provider.',
    action: 'Order Your Starter Kit',
  },
  noProvider: {
    title: 'No Provider Found Yet',
    advice:
      "Ask a local men's clinic about the treatment. If they want to offer it near you, they can contact us to be certified.",
    /** The nearest provider beyond reach follows. */
    closest: 'Closest today:',
    contactLabel: 'Clinics can reach us at',
    /** Sends a request to the nearest one, although it is far away. */
    request: 'Request consultation',
    note: {
      title: 'A note for a clinic near you',
      text: (address: string) =>
        `Hello, I’m interested in ${brand.plainName}, a non-surgical protocol that certified providers perform. There is none near me yet. Would you like to offer it? Here is how clinics apply: ${address}`,
      subject: `${brand.plainName} near me`,
      copy: 'Copy the note',
      copied: 'Copied',
      email: 'Email it',
    },
    nextTitle: 'What happens now',
    next: [
      'Our team looks for a provider in your area. Until there is one, no clinic gets your details.',
      'You get an email when a provider has your request.',
      stop,
    ],
    closing: "We'll continue searching for providers in your area",
  },
} as const;
