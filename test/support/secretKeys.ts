/** The secrets that tests' servers sign and seal with: whoever has all of them opens what any of them sealed. */
export const secretKeys = {
  app: 'test-secret-key-test-secret-key-0001',
  intake: 'intake-test-key-intake-test-key-01',
} as const;
