import { Webhook } from 'standardwebhooks';

interface ToSign {
  /** `webhook-id`, the same in every try. */
  id: string;
  body: string;
  secrets: readonly string[];
  /** Receivers refuse a message that isn't of the last five minutes: each try has its own. */
  now: Date;
}

/** Headers of a message as Standard Webhooks wants them, with one signature for each secret that is valid. */
export function signedHeaders({ id, body, secrets, now }: ToSign): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}
