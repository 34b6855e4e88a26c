import { Webhook } from 'standardwebhooks';

interface ToSign {
  /** `webhook-id`, the same for every attempt. */
  id: string;
  body: string;
  /** `whsec_…`; one signature for each. */
  secrets: readonly string[];
  /** Receivers reject a message that is older than five minutes, so each attempt gets its own signature. */
  now: Date;
}

/** The headers of the Standard Webhooks scheme: https://www.standardwebhooks.com. */
export function signWebhook({ id, body, secrets, now }: ToSign): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}
