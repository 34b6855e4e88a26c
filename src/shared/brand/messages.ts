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
