import { token } from '#client/theme/tokens.ts';
import type { ProviderGroup } from '#shared/admin/adminProviders.ts';

/** Violet and gray. */
export const groupColors: Readonly<Record<ProviderGroup, string>> = {
  active: token.secondary,
  inactive: '#6b6b70',
};
