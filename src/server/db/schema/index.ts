export * from './consentRecords.ts';
export * from './idempotencyKeys.ts';
export * from './leadAttribution.ts';
export * from './leads.ts';
export * from './providerApplications.ts';
export * from './providers.ts';
export * from './rateLimits.ts';
export * from './zipCentroids.ts';
