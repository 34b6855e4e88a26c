/** The secret key that opens what `makeFixture.ts` sealed and signed. */
export const fixtureKey = 'upgrade-fixture-secret-key-0123456789abcdef';
