/** The required environment of a start in production. */
export const productionEnvironment = {
  NODE_ENV: 'production',
  MAIN_DOMAINS: 'brand.example',
  TRUSTED_PROXIES: '0',
  SECRET_KEYS: 'Zk3vT9qLwX7bRn2YdHs8JmPc5GfAeU4iKoV6tBx1QyM',
  LEGAL_ARBITRATION_PLACE: 'Denver, Colorado',
  LEGAL_POSTAL_ADDRESS: '100 Sample Street, Denver, CO 80202',
  CONTACT_EMAIL: 'hello@brand.example',
  CONTACT_PHONE: '(303) 555-0100',
  STARTER_KIT_URL: 'https://brand.example/kit',
};

/** What the page on one machine sets, by its wrapper for commands: no WordPress, no CRM, no inbound mail, one key. */
export const documentedEnvironment: Readonly<Record<string, string>> = {
  ...productionEnvironment,
  TRUSTED_PROXIES: '1',
  HOST: '127.0.0.1',
  WORKER: 'off',
  MIGRATE_ON_START: 'off',
  DATABASE_URL: 'postgres://clinic_leads:password@127.0.0.1:6432/clinic_leads',
  DATABASE_DIRECT_URL: 'postgres://clinic_leads:password@127.0.0.1:5432/clinic_leads',
  ADMIN_PASSWORD_HASH: `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  MAIL_FROM: 'Brand <hello@brand.example>',
  MAIL_FROM_VISITORS: 'Quay Services, Inc. <desk@services.example>',
  SMTP_URL: 'smtp://user:password@smtp.brand.example:587',
  METRICS_TOKEN: '5f0c9be1d2a748362b7e1d90c4fa8356',
  LEDGER_URL: 'file:///srv/clinic-leads-ledger/ledger.jsonl',
};
