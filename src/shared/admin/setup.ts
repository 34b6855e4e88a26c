import { z } from 'zod';

/** What an installation needs before its first lead, in the order in which it is done. */
export const setupSteps = ['password', 'address', 'provider', 'mail', 'testLead'] as const;
export type SetupStep = (typeof setupSteps)[number];

export const setupState = z.object({
  steps: z.array(z.object({ key: z.enum(setupSteps), isDone: z.boolean() })),
  /** Whether any lead is stored that isn't a test. */
  hasLeads: z.boolean(),
  /** The newest test lead that isn't deleted. */
  testLeadId: z.number().int().nullable(),
});
export type SetupState = z.infer<typeof setupState>;

export const testLeadOutput = z.object({
  id: z.number().int(),
  /** What happened to it, as sentences. */
  message: z.string(),
});

/** Text of the setup list. It is the same for every brand. */
export const setupCopy = {
  title: 'Set up',
  noLeads: 'No leads yet',
  intro: 'Leads appear here when the first one arrives. Each step is checked off when it is done.',
  done: 'Done',
  open: 'Open',
  failed: 'Failed to load the setup list',
  steps: {
    password: {
      title: 'Use your own password',
      text: 'Add an account under Team, or set ADMIN_PASSWORD_HASH (npm run admin:password).',
    },
    address: {
      title: 'Set the public address',
      text: 'MAIN_DOMAINS names the domain that visitors open. Links in messages lead there.',
    },
    provider: {
      title: 'Activate a provider',
      text: 'Add one, upload a CSV file or sync under Providers. Without one, every lead stays unmatched.',
    },
    mail: {
      title: 'Connect a mail server',
      text: 'Set SMTP_URL. This is done when the server has accepted a message, such as that of a test lead.',
    },
    testLead: {
      title: 'Send a test lead',
      text: 'It is stored and matched as a visitor’s and mailed to you, never to a clinic or the CRM. No figure and no export counts it.',
    },
  } satisfies Record<SetupStep, { title: string; text: string }>,
  send: 'Send a test lead',
  openTest: 'Open the test lead',
  deleteTest: 'Delete the test lead',
  sendFailed: 'Failed to send a test lead',
  message: {
    matched: (provider: string, distance: string | null) =>
      `Matched with ${provider}${distance === null ? '' : `, ${distance} away`}.`,
    unmatched: 'No provider was near its ZIP code, so it is unmatched.',
    mailed: (address: string) => `The mail server accepted the message to ${address}.`,
    folder: 'No mail server is configured: the message is under Unsent mail.',
    held: 'No mail server is configured, so nothing was sent.',
    refused: (reason: string) => `The message wasn’t accepted: ${reason}`,
  },
  mail: {
    subject: 'Test lead',
    text: (brandName: string) =>
      `This is a test of ${brandName}. A real lead is mailed to the person and to the clinic; no clinic got this one.`,
  },
} as const;
