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
  /** What a form or page says of a submission that was refused because of too many before it. */
  tooMany: {
    submissions: 'That was a lot of forms at once. Pause a moment, then send yours again.',
    repeats: 'You already sent this form many times. Pause a moment.',
    withdrawals: 'That was a lot of withdrawals at once. Pause a moment, then repeat yours.',
    outcomes: 'That was a lot of reports at once. Pause a moment, then repeat yours.',
    previews: 'That was a lot of ZIP codes at once. Pause a moment, then enter yours again.',
  },
  /** The database can't be reached. */
  unavailable: 'We can’t be reached just now. Please repeat that shortly.',
  /** An error that nobody expected. */
  failed: 'We stumbled over this request. Please come back to it later.',
  /** A page while the server starts. */
  starting: {
    title: 'We are on our way',
    text: 'The site is still waking up. Reload the page shortly.',
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
