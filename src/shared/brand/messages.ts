/** The texts of not-found pages and of small screens, and those that many screens share. */
export const messages = {
  notFound: {
    windowTitle: 'Page not found',
    title: '404 Page Not Found',
    text: 'Did you forget to add the page to the router?',
  },
  providerNotFound: {
    windowTitle: 'Provider not found',
    title: 'Provider not found',
    text: 'This provider isn’t in our network. Leave your ZIP code and we’ll look for one near you.',
    findProvider: 'Find a Provider',
  },
  /** A small page for a network that sends one form with errors after another. */
  tooManyFailures: {
    title: 'Please wait a minute',
    text: 'We received too many forms with errors from your network. Go back, check what you entered, and submit the form again in a minute.',
  },
  /** A small page for forms that could not be accepted for another reason. */
  formNotTaken: {
    title: 'Please try again in a minute',
    text: 'We couldn’t process your form. Go back and submit it again in a minute.',
  },
  /** What a form or page says of a submission that was refused because of too many before it. */
  tooMany: {
    submissions: 'Too many submissions. Please wait a moment and try again.',
    repeats: 'Too many repeated submissions. Please wait a moment.',
    withdrawals: 'Too many withdrawals. Please wait a moment and try again.',
    outcomes: 'Too many answers. Please wait a moment and try again.',
    previews: 'Too many questions. Please wait a moment and try again.',
  },
  /** The database can't be reached. */
  unavailable: 'The service is temporarily unavailable. Please try again.',
  /** An error that nobody expected. */
  failed: 'Something went wrong on our side. Please try again later.',
  /** A page while the server starts. */
  starting: {
    title: 'We’ll be right back',
    text: 'The site is temporarily unavailable. Please reload this page in a few seconds.',
  },
  home: 'Go to the home page',
  thankYou: 'Thank you',
  lastUpdated: 'Last updated',
  onThisPage: 'On this page',
  close: 'Close',
  dismiss: 'Dismiss',
  /** While a page's code loads. */
  loading: 'Loading...',
  /** The server's response was empty. */
  noData: 'No data received from server',
} as const;
