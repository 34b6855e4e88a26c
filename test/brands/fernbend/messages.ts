/** The texts of not-found pages and of small screens, and those that many screens share. */
export const messages = {
  notFound: {
    windowTitle: 'Nothing here',
    title: 'This page has walked off',
    text: 'Perhaps the address has a slip in it.',
  },
  providerNotFound: {
    windowTitle: 'No such clinic',
    title: 'We don’t know this clinic',
    text: 'It may have closed its doors. Your ZIP code finds another.',
    findProvider: 'Find a clinic',
  },
  home: 'Back to the beginning',
  tooManyFailures: {
    title: 'One moment, please',
    text: 'Your network sent many incomplete forms. Go back, check your entries, and try again in a minute.',
  },
  /** A small page for forms that could not be accepted for another reason. */
  formNotTaken: {
    title: 'Please try again in a minute',
    text: 'We could not take your form just now. Go back and send it again in a minute.',
  },
  thankYou: 'Thanks',
  lastUpdated: 'As of',
  onThisPage: 'Contents',
  close: 'Shut',
  dismiss: 'Put away',
  /** While a page's code loads. */
  loading: 'One moment...',
  /** The server's response was empty. */
  noData: 'The server sent an empty answer',
} as const;
