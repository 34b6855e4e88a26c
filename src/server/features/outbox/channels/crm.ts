import type { Config } from '#server/config/config.ts';
import { createHubspotCrm } from '../../crm/hubspotCrm.ts';
import { createWebhookCrm } from '../../crm/webhookCrm.ts';
import type { Channel } from '../types.ts';

/** The configured adapter, if any. */
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

/** Delivers leads to the configured CRM. Without one, its deliveries are held. */
export function createCrmChannel(config: Pick<Config, 'crm' | 'production' | 'secretKeys'>): Channel {
  const deliver = adapterOf(config);
  const reason = 'CRM sync is not configured.';
  return {
    name: 'crm',
    heldReason: () => (deliver === null ? reason : null),
    deliver: (input) => deliver?.(input) ?? Promise.reject(new Error(reason)),
  };
}
