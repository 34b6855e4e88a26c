/** Words of the screens that say what isn't there, and of what many screens share. */
export const messages = {
  notFound: {
    windowTitle: 'Page not found',
    title: '404 Page Not Found',
    text: 'Did you forget to add the page to the router?',
  },
  providerNotFound: {
    windowTitle: 'Provider not found',
    title: 'Provider not found',
    text: 'This provider is not, or no longer, listed with us. Leave your ZIP code and we will look for one near you.',
    findProvider: 'Find a Provider',
  },
  home: 'Go to the home page',
  thankYou: 'Thank you',
  lastUpdated: 'Last updated',
  onThisPage: 'On this page',
  close: 'Close',
  dismiss: 'Dismiss',
} as const;
