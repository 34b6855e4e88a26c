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
