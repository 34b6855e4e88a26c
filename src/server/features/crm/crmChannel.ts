import type { Config } from '#server/config/config.ts';
import type { Channel } from '../outbox/channel.ts';
import { createHubspotCrm } from './hubspotCrm.ts';
import { createWebhookCrm } from './webhookCrm.ts';

/** The adapters there are, one file each: the first that is configured is used. */
function adapterOf({
  crm,
  production,
  secretKeys,
}: Pick<Config, 'crm' | 'production' | 'secretKeys'>): Channel['deliver'] | null {
  if (crm === null) return null;
  const allowLoopback = !production;
  return crm.kind === 'webhook'
    ? createWebhookCrm({ ...crm, secretKeys, allowLoopback })
    : createHubspotCrm({ ...crm, allowLoopback });
}

/** Pushes leads to the configured CRM; with none, they are held. */
export function createCrmChannel(config: Pick<Config, 'crm' | 'production' | 'secretKeys'>): Channel {
  const deliver = adapterOf(config);
  const reason = 'CRM sync is not configured.';
  return {
    name: 'crm',
    heldReason: () => (deliver === null ? reason : null),
    deliver: (input) => deliver?.(input) ?? Promise.reject(new Error(reason)),
  };
}
